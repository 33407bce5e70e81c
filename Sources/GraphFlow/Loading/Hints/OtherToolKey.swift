internal import JSONPath

/// The key of the language for a key from another tool, or for a Graph parameter.
struct OtherToolKey {
  let key: String
  let hint: String

  /// Finds the key that an unknown key was probably meant to be; nil if that is unclear.
  init?(_ entry: YAMLNode.Entry, among entries: [YAMLNode.Entry], known keys: [String]) {
    let word = Self.plain(entry.key)
    if keys.contains("get"), keys.contains("post"), Self.verbWords.contains(word) {
      self.init(key: "get", hint: Self.verbHint(in: entries))
      return
    }
    for (key, words) in Self.words where keys.contains(key) && words.contains(word) {
      let isPresent = key != "params" && entries.contains { $0.key == key }
      self.init(
        key: key,
        hint: isPresent ? "'\(key)' is already present" : Self.hint(for: key, word, entry.value))
      return
    }
    return nil
  }

  private init(key: String, hint: String) {
    self.key = key
    self.hint = hint
  }

  private static func plain(_ key: String) -> String {
    String(decoding: key.utf8.filter { $0 != 0x2d && $0 != 0x5f }, as: UTF8.self).lowercased()
  }

  private static func hint(for key: String, _ word: String, _ value: YAMLNode) -> String {
    let text = value.shortText
    switch key {
    case "depends_on": return "write \(text.map { "depends_on: [\($0)]" } ?? key)"
    case "retry": return value.retryHint
    case "on_error": return "write on_error: ignore"
    case "params" where !paramsWords.contains(word): return "it belongs under 'params'"
    case "token": return "choose the token with 'token:'"
    case "until":
      return "'until' repeats a request until a condition holds; 'retry' repeats a failed one"
    case "paginate": return "write paginate: true"
    case "requests" where value.elements != nil:
      return "write requests, as a map with a name for each"
    case "pattern" where word == "required": return "an input without 'default' is required"
    case "description" where word == "name": return "its name is the key above"
    default: return "write \(key)"
    }
  }

  // MARK: Verbs and paths

  private static let methodWords: Set<String> = ["method", "verb", "httpmethod"]
  private static let pathWords: Set<String> = [
    "path", "url", "uri", "endpoint", "href", "relativeurl", "edge",
  ]
  private static let verbWords = methodWords.union(pathWords)

  /// Whether a key is not the first of those that together replace `get: PATH`.
  static func repeatsVerb(_ entry: YAMLNode.Entry, in entries: [YAMLNode.Entry]) -> Bool {
    guard verbWords.contains(plain(entry.key)) else { return false }
    return entries.first { verbWords.contains(plain($0.key)) }?.keyLocation != entry.keyLocation
  }

  /// `post: me/feed` from `method: POST` and `path: /me/feed`.
  private static func verbHint(in entries: [YAMLNode.Entry]) -> String {
    if let verb = entries.first(where: { ["get", "post", "delete"].contains($0.key) }) {
      return "'\(verb.key)' sets it already: remove this key"
    }
    func text(_ words: Set<String>) -> String? {
      entries.first { words.contains(plain($0.key)) }?.value.shortText
    }
    let hasBody = entries.contains { ["body", "data", "form", "json"].contains($0.key) }
    var verb = text(methodWords)?.lowercased() ?? (hasBody ? "post" : "get")
    if ["put", "patch"].contains(verb) { verb = "post" }
    if !["get", "post", "delete"].contains(verb) { verb = "get" }
    let path = text(pathWords).map { PastedPath($0).path } ?? "PATH"
    return "write \(verb): \(path.short)"
  }
}

extension YAMLNode {
  /// What to write for a `retry` with this value.
  var retryHint: String {
    guard case .integer(let number)? = scalarValue else { return "write retry: {max_attempts: 4}" }
    return "write retry: {max_attempts: \(number.lexeme.short)}"
  }
}
