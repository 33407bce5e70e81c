/// The style of text output.
package enum TextStyle: Hashable, Sendable {
  /// Without escape sequences, for pipes, files and mail.
  case plain
  /// With terminal colors.
  case colored

  /// A color, by its meaning.
  enum Tone: String {
    case good = "32"
    case bad = "31"
    case warning = "33"
  }

  func apply(_ tone: Tone, to text: String) -> String {
    self == .plain ? text : "\u{1b}[\(tone.rawValue)m\(text)\u{1b}[0m"
  }
}

extension RequestStatus {
  var displayText: String { self == .inDoubt ? "in doubt" : rawValue }

  var tone: TextStyle.Tone {
    switch self {
    case .succeeded: .good
    case .failed, .inDoubt: .bad
    case .skipped, .cancelled: .warning
    }
  }
}

extension RunStatus {
  var displayText: String { self == .inDoubt ? "in doubt" : rawValue }

  var tone: TextStyle.Tone {
    switch self {
    case .succeeded: .good
    case .failed, .inDoubt: .bad
    case .cancelled, .unfinished: .warning
    }
  }
}
