/// One operation as the server parses it.
struct Operation: Sendable {
  let method: String
  var path: String
  var fields: [(name: String, value: String)]
  let name: String?
  let dependsOn: String?
  let isOmitted: Bool
  let token: String

  /// The mark of the request that sent it.
  var reference: String { self["ref"] ?? path }

  /// Its token, and the page that its path begins with.
  var lane: String { "\(token) \(account)" }
  var account: String { String(path.prefix { $0 != "/" && $0 != "_" }) }

  subscript(field: String) -> String? { fields.first { $0.name == field }?.value }

  /// Parses a call; nil if Graph cannot read it.
  static func reading(
    method: String, url: String, body: [UInt8], authorization: String?
  ) -> (operations: [Operation], token: String, isBatch: Bool)? {
    let form = FormText.fields(of: body)
    if let batch = form.first(where: { $0.name == "batch" })?.value {
      guard case .list(let elements)? = Value(parsing: Array(batch.utf8)),
        let token = form.first(where: { $0.name == "access_token" })?.value
      else { return nil }
      let operations = elements.compactMap { Operation($0, token: token) }
      guard operations.count == elements.count else { return nil }
      return (operations, token, true)
    }
    // Scheme, host and version come before the path.
    let path = url.split(separator: "/", maxSplits: 3).last.map(String.init) ?? ""
    let token =
      authorization.map { String($0.dropFirst("Bearer ".count)) }
      ?? form.first { $0.name == "access_token" }?.value ?? ""
    let (plain, query) = parts(of: path)
    let operation = Operation(
      method: method, path: plain, fields: query + form, name: nil, dependsOn: nil,
      isOmitted: false, token: token)
    return ([operation], token, false)
  }

  private init(
    method: String, path: String, fields: [(name: String, value: String)], name: String?,
    dependsOn: String?, isOmitted: Bool, token: String
  ) {
    (self.method, self.path, self.fields) = (method, path, fields)
    (self.name, self.dependsOn, self.isOmitted) = (name, dependsOn, isOmitted)
    self.token = token
  }

  private init?(_ element: Value, token: String) {
    guard let method = element["method"]?.string, let url = element["relative_url"]?.string else {
      return nil
    }
    let (path, query) = Operation.parts(of: url)
    let fields = query + FormText.fields(of: Array((element["body"]?.string ?? "").utf8))
    self.init(
      method: method, path: path, fields: fields, name: element["name"]?.string,
      dependsOn: element["depends_on"]?.string,
      isOmitted: element["omit_response_on_success"] != .bool(false),
      token: fields.first { $0.name == "access_token" }?.value ?? token)
  }

  private static func parts(
    of url: String
  ) -> (path: String, query: [(name: String, value: String)]) {
    let halves = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = halves.count > 1 ? FormText.fields(of: Array(halves[1].utf8)) : []
    return (FormText.decoded(Array(halves[0].utf8)[...]), query)
  }

  /// The names in its references and its `depends_on`.
  var predecessors: [String] {
    let texts = [path] + fields.map(\.value)
    return texts.flatMap { text in
      text.pieces(after: "{result=").map { String($0.prefix { $0 != ":" && $0 != "}" }) }
    } + [dependsOn].compactMap { $0 }
  }

  /// The operation with its references resolved; only `$.MEMBER` is supported.
  func resolved(with bodies: [String: Value]) -> Operation {
    var operation = self
    operation.path = path.resolved(with: bodies)
    operation.fields = fields.map { ($0.name, $0.value.resolved(with: bodies)) }
    return operation
  }
}

extension String {
  /// The text after each occurrence of a mark.
  fileprivate func pieces(after mark: String) -> [Substring] {
    guard contains("{") else { return [] }
    var pieces: [Substring] = []
    var rest = self[...]
    while let range = rest.firstRange(of: mark) {
      rest = rest[range.upperBound...]
      pieces.append(rest)
    }
    return pieces
  }

  fileprivate func resolved(with bodies: [String: Value]) -> String {
    guard let range = firstRange(of: "{result=") else { return self }
    let reference = self[range.upperBound...].prefix { $0 != "}" }
    let name = String(reference.prefix { $0 != ":" })
    let member = reference.dropFirst(name.count + 3)
    let body = bodies[name]?[String(member)]
    let value = body?.string ?? body?.integer.map { String($0) } ?? ""
    let rest = String(self[reference.endIndex...].dropFirst()).resolved(with: bodies)
    return self[..<range.lowerBound] + value + rest
  }
}
