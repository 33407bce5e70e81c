/// How text for people is dressed.
package enum TextStyle: Hashable, Sendable {
  /// Nothing but characters: for pipes, files and mail.
  case plain
  /// With the terminal's colours.
  case colored

  /// A tone, by what it says.
  enum Tone: String {
    case good = "32"
    case bad = "31"
    case warning = "33"
    case quiet = "2"
  }

  func apply(_ tone: Tone, to text: String) -> String {
    switch self {
    case .plain: text
    case .colored: "\u{1b}[\(tone.rawValue)m\(text)\u{1b}[0m"
    }
  }
}

extension RequestStatus {
  /// The outcome in words.
  var words: String { self == .inDoubt ? "in doubt" : rawValue }

  /// How it is shown.
  var tone: TextStyle.Tone {
    switch self {
    case .succeeded: .good
    case .failed, .inDoubt: .bad
    case .skipped, .cancelled: .warning
    }
  }
}

extension RunStatus {
  /// The outcome in words.
  var words: String { self == .inDoubt ? "in doubt" : rawValue }

  /// How it is shown.
  var tone: TextStyle.Tone {
    switch self {
    case .succeeded: .good
    case .failed, .inDoubt: .bad
    case .cancelled, .unfinished: .warning
    }
  }
}
