import ArgumentParser
import GraphAPI
import GraphFlow
import GraphSandbox

extension CompletionKind {
  static let workflows = CompletionKind.file(extensions: ["yaml", "yml"])
  static let yaml = CompletionKind.file(extensions: ["yaml", "yml", "json"])
  static let json = CompletionKind.file(extensions: ["json"])
  static let archives = CompletionKind.file(extensions: ["har"])
  static let runs = custom(\.runs)
  static let profiles = custom(\.profiles)
  static let requests = custom(\.requests)
  static let errors = custom(\.errors)
  static let permissions = custom(\.permissions)
  static let paths = custom(\.paths)
  static let parameters = custom(\.parameters)

  private static func custom(
    _ values: @escaping @Sendable (TypedLine) -> [TypedLine.Value]
  ) -> CompletionKind {
    .custom { words, index, _ in
      let line = TypedLine(words: words, index: index)
      return line.offering(values(line), to: .requesting)
    }
  }
}

/// A command line that somebody is typing, and the values that fit there.
///
/// A shell asks at a press of the tab key. So values come from what can be read at once: no journal is
/// opened, no lock taken, no token read, nothing sent. What cannot be read has no values.
struct TypedLine {
  /// A value, and what a shell may show beside it.
  typealias Value = (text: String, meaning: String)

  /// The words as typed, with their quotes, and the index of the one to complete.
  let words: [String]
  let index: Int
  private static let maximumCount = 200
  private static let largestWorkflow = 1 << 20

  /// The values that begin like the typed word, as the shell expects them.
  func offering(_ values: [Value], to shell: CompletionShell?) -> [String] {
    values.lazy.filter { value in
      value.text.hasPrefix(typed) && TypedLine.isPlain(value.text)
    }
    .prefix(TypedLine.maximumCount).map { value in
      switch shell {
      case .zsh?: "\(value.text):\(value.meaning)"
      case .fish?: "\(value.text)\t\(value.meaning)"
      default: value.text
      }
    }
  }

  /// The word to complete; bash ends words at an equals sign.
  private var typed: String {
    let word = words.indices.contains(index) ? TypedLine.unquoted(words[index]) : ""
    return word == "=" ? "" : word
  }

  /// Whether a shell takes a text for itself, whatever it does with it.
  ///
  /// Bash expands the values, so a name such as `$(reboot)` in somebody's file would run a program.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte & 0xDF) || "-_./=,".utf8.contains(byte)
    }
  }

  /// The runs, the newest first, with the time of their start.
  var runs: [Value] {
    var options = StateOptions()
    (options.path, options.database) = (value(of: "--state-dir"), value(of: "--state"))
    let ids = (try? options.store().runs()) ?? []
    return (ids.isEmpty ? [] : [("latest", "the newest run")])
      + ids.prefix(TypedLine.maximumCount).map { ("\($0)", "\($0.startedAt)") }
  }

  /// The profiles of the configuration, and those with a stored login.
  var profiles: [Value] {
    let configured = ((try? Configuration.load())?.profiles ?? [:]).keys
    let names = Set(configured).union(LoginStore.standard?.profiles ?? []).union(["default"])
    return names.sorted().map { ($0, "profile") }
  }

  /// The requests of the first workflow before the typed word.
  var requests: [Value] {
    for word in words.prefix(max(index, 0)).dropFirst() {
      let path = Environment.expanded(TypedLine.unquoted(word))
      guard path.hasSuffix(".yaml") || path.hasSuffix(".yml"),
        let file = try? InputFile(regular: path),
        let bytes = try? FileReading.bytes(of: file, limit: TypedLine.largestWorkflow),
        let workflow = Pipeline.load(SourceFile(path: path, bytes: bytes).whole, filePresence: nil)
          .workflow
      else { continue }
      return workflow.requests.map { ($0.displayName, "\($0.method.rawValue)") }
    }
    return []
  }

  /// The errors of Graph that have a row of their own.
  var errors: [Value] {
    ErrorTable.standard.rows.lazy.map { ("\($0.subject)", $0.name) }
      .filter { $0.0.utf8.allSatisfy("-/0123456789".utf8.contains) }
  }

  /// The permissions that Meta's documentation lists.
  var permissions: [Value] { KnownPermissions.rows.map { ($0.name, $0.allows) } }

  /// The edges that may follow the typed path.
  var paths: [Value] {
    guard let slash = typed.lastIndex(of: "/") else { return [("me", "the token's user or page")] }
    let node = String(typed[...slash])
    return KnownNames.edges(at: node).map { (node + $0.text, $0.kind) }
  }

  /// The fields that may follow in the typed list of `fields`.
  var parameters: [Value] {
    let before = words.prefix(max(index, 0)).map(TypedLine.unquoted)
    let isSplit = words.indices.contains(index) && words[index] == "=" || before.last == "="
    let name = isSplit ? before.last { $0 != "=" } : nil
    guard let path = before.last(where: { $0 == "me" || $0.contains("/") || Int($0) != nil })
    else { return [] }
    guard name == "fields" || !isSplit && typed.hasPrefix("fields=") else {
      return isSplit ? [] : [("fields=", "names of fields")]
    }
    let end = typed.lastIndex { $0 == "," || $0 == "=" }
    let list = end.map { String(typed[...$0]) } ?? ""
    return KnownNames.fields(at: path).map { (list + $0.text, $0.kind) }
  }

  /// The value that an option before the typed word has.
  private func value(of option: String) -> String? {
    for (word, next) in zip(words.prefix(max(index, 0)), words.dropFirst()).reversed() {
      if word == option { return Environment.expanded(TypedLine.unquoted(next)) }
      if word.hasPrefix(option + "=") {
        return Environment.expanded(TypedLine.unquoted(String(word.dropFirst(option.count + 1))))
      }
    }
    return nil
  }

  /// A word without the quotes and backslashes of a shell.
  static func unquoted(_ word: String) -> String {
    var quote: Character?
    var isEscaped = false
    return word.filter { character in
      if isEscaped || character == "\\" && quote != "'" {
        defer { isEscaped = !isEscaped }
        return isEscaped
      }
      if let open = quote {
        if character == open { quote = nil }
        return character != open
      }
      guard character == "'" || character == "\"" else { return true }
      quote = character
      return false
    }
  }
}
