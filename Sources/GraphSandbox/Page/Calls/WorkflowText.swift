import JSONPath

/// The operations of a call as requests of a workflow file.
struct WorkflowText {
  private let call: GraphCall
  private let mask: TokenMask

  init(_ call: GraphCall, _ mask: TokenMask) { (self.call, self.mask) = (call, mask) }

  /// nil if the call has no operations.
  var text: String? {
    switch call.kind {
    case .refused: return nil
    case .single(let request):
      let name = Self.name("\(request.method.word)_\(request.path.last ?? "")", else: "request")
      return "requests:\n"
        + entry(
          name, request.method, request.path.joined(separator: "/"),
          request.parameters.effective.members.map { ($0.name, Self.escaped($0.value)) },
          files: request.files)
    case .batch(let batch):
      let names = batch.items.enumerated().map { index, item in
        Self.name(item.name ?? "", else: "operation_\(index + 1)")
      }
      let known = Dictionary(
        zip(batch.items.map { $0.name ?? "" }, names), uniquingKeysWith: { first, _ in first })
      return "requests:\n" + zip(names, batch.items).map { entry($0, $1, known) }.joined()
    }
  }

  private func entry(_ name: String, _ item: BatchItem, _ names: [String: String]) -> String {
    let path = item.url.path.map { Self.text($0, names) }.joined(separator: "/")
    let parameters = item.parameters.effective.members.map { name, value in
      (name, Self.text(value, names))
    }
    let after = (item.dependsOn?.names ?? []).map { names[$0] ?? $0 }
    return entry(name, item.method ?? .get, path, parameters, after: after, files: [])
  }

  private func entry(
    _ name: String, _ method: GraphMethod, _ path: String, _ parameters: [(String, String)],
    after: [String] = [], files: [UploadedFile]
  ) -> String {
    var text = "  \(name):\n    \(method.word): \(quoted(path))\n"
    let shown = parameters.filter { !Self.credentials.contains($0.0) }
    if !shown.isEmpty { text += "    params:\n" }
    for (name, value) in shown { text += "      \(quoted(name)): \(quoted(value))\n" }
    if !files.isEmpty { text += "    files:\n" }
    for file in files { text += "      \(quoted(file.partName)): FILE\n" }
    if !after.isEmpty { text += "    depends_on: [\(after.joined(separator: ", "))]\n" }
    return text
  }

  /// A text of YAML in double quotes, which JSON's are.
  private func quoted(_ text: String) -> String { "\(JSON.string(mask.text(text)))" }

  /// What a workflow gets from its profile.
  private static let credentials = ["access_token", "appsecret_proof", "method"]

  /// A text whose references name the requests.
  private static func text(_ text: String, _ names: [String: String]) -> String {
    let references = Set(ReferenceText(text).names)
    guard !references.isEmpty else { return escaped(text) }
    return references.reduce(text) { text, name in
      text.replacing("{result=\(name):", with: "{result=\(names[name] ?? name):")
    }
  }

  /// A text in which what would be read as a reference is none.
  private static func escaped(_ text: String) -> String {
    text.replacing(/\{(?=\s*(?:\{|result|input|run|item|index))/, with: "{{")
  }

  /// A name that a request can have.
  private static func name(_ text: String, else other: String) -> String {
    let bytes = text.utf8.prefix(64).map { byte in
      switch byte {
      case 48...57, 65...90, 97...122, UInt8(ascii: "_"), UInt8(ascii: "-"): byte
      default: UInt8(ascii: "_")
      }
    }
    guard let first = bytes.first, !(48...57).contains(first), first != UInt8(ascii: "-") else {
      return other
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
