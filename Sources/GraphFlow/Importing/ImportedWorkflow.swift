internal import GraphAPI
internal import JSONPath

/// A workflow that is made from requests in another notation.
package struct ImportedWorkflow {
  private(set) var requests: [ImportedRequest] = []
  /// The inputs that the requests refer to.
  var inputs: [String] = []
  /// What was left out, in sentences for people.
  package var notes: [String] = []
  /// Whether tokens, proofs or cookies were left out.
  package private(set) var hasSecrets = false
  /// The host of the first request; others are left out, because a file names none.
  private var host: String?
  private var leftOut: [String: Int] = [:]
  private var answers = AnsweredIDs()
  private var seen: Set<ImportedRequest> = []
  /// The last writes, which all later requests wait for, and those of the call that is being read.
  private var (lastWrites, writes): ([String], [String]) = ([], [])
  /// The number of requests before that call.
  private var earlier = 0

  init() {}

  /// The name of the first request.
  package var name: String { requests.first?.name ?? "" }
  package var count: Int { requests.count }
  /// The inputs that need a value, and the files that have to be beside the workflow.
  package var inputNames: [String] { inputs }
  package var files: [String] {
    requests.flatMap { request in request.files.compactMap(\.value.string) }
  }
  /// The address for `--graph-url`, if it is not the usual one.
  package var graphURL: String? {
    guard let host, !host.hasSuffix(".facebook.com") else { return nil }
    return (GraphAddress.hosts.contains(host) ? "https://" : "http://") + host
  }

  /// Notes about what was left out, and how often.
  mutating func leaveOut(_ what: String) { leftOut[what, default: 0] += 1 }

  /// The file; it throws if the language cannot express the requests.
  package func text(schema: String) throws(ImportFailure) -> String {
    let versions = Set(requests.map(\.version))
    let common = versions.count == 1 ? requests[0].version : nil
    var document: JSON.Object = ["graphflow": 1]
    if let common { document["version"] = .string(common) }
    if !inputs.isEmpty {
      document["inputs"] = .object(
        JSON.Object(inputs.map { ($0, .string($0.hasSuffix("_token") ? "secret" : "string")) }))
    }
    document["requests"] = .object(
      JSON.Object(requests.map { ($0.name, .object($0.keys(version: common))) }))
    var yaml = YAMLText()
    yaml.write(document)
    let text = "# yaml-language-server: $schema=\(schema)\n" + yaml.text
    let source = SourceFile(path: "workflow.yaml", bytes: Array(text.utf8))
    let (workflow, diagnostics) = Workflow.reading(source)
    if workflow == nil, let error = diagnostics.first(where: { $0.severity == .error }) {
      throw ImportFailure(
        "a workflow cannot hold this: \(error.message)", hint: error.hint)
    }
    return text
  }

  /// Removes inputs that nothing refers to, such as those of a token, and repetitions.
  mutating func keepUsedInputs() {
    var used: Set<String> = []
    let texts = requests.flatMap { [$0.path] + $0.query + $0.values.map(\.fieldText) }
    inputs = inputs.filter { input in
      let mark = MarkedReference.marked("{input=\(input)}")
      return texts.contains { $0.contains(mark) } && used.insert(input).inserted
    }
  }

  /// The notes, with counts.
  package var allNotes: [String] {
    notes + leftOut.sorted { $0.key < $1.key }.map { "left out: \($0.key) (\($0.value))" }
  }
}

// MARK: Adding requests

extension ImportedWorkflow {
  /// Parameters that shape the answer for a browser, and belong to no request of a workflow.
  private static let noise: Set<String> = [
    "callback", "debug", "format", "include_headers", "pretty", "sdk", "suppress_http_code",
    "transport",
  ]
  private static let secretNames: Set<String> = ["access_token", "appsecret_proof"]

  /// Adds a request, or those of its batch; the answer's ids become references in later ones.
  mutating func add(_ message: HTTPMessage, answer: JSON? = nil) throws(ImportFailure) {
    let address = try GraphAddress(message.address, inputs: &inputs)
    guard host == nil || Self.server(of: host ?? "") == Self.server(of: address.host) else {
      return leaveOut("request to \(address.host): all requests of a run go to one host")
    }
    host = host ?? address.host
    let (request, batch, token) = try request(of: message, at: address)
    earlier = requests.count
    defer {
      if !writes.isEmpty { lastWrites = writes }
      writes = []
    }
    guard let batch else { return append(request, token: token, answer: answer) }
    try add(batch: batch, of: request, files: request.files, answers: answer)
  }

  private static func server(of host: String) -> String {
    host.replacing("graph-video.", with: "graph.")
  }

  /// The request without what is secret, the text of its batch, and its token for comparing.
  private mutating func request(
    of message: HTTPMessage, at address: GraphAddress
  ) throws(ImportFailure) -> (ImportedRequest, batch: String?, token: String?) {
    var method = message.method
    var (batch, token): (String?, String?)
    var request = ImportedRequest(method: .get, version: address.version, path: address.path)
    let pairs = address.query.map { ($0, FormFields.fields(ofForm: $0).first) }
    let names = pairs.compactMap { $0.1?.name }
    let query = pairs.compactMap { pair, field in
      field.map { (pair, HTTPMessage.Field(name: $0.name, value: .string($0.value))) }
    }
    for (pair, field) in query + message.fields.map({ ("", $0) }) {
      let text = field.value.fieldText
      switch field.name {
      case _ where field.isFile: request.files[field.name] = try .string(file(text))
      case "access_token": (token, hasSecrets) = (text, true)
      case _ where Self.secretNames.contains(field.name): hasSecrets = true
      case _ where Redaction.isSecretName(field.name):
        var failure = ImportFailure(
          "the parameter '\(field.name.short)' is a secret, and a workflow must hold none",
          hint: "`graphflow login` obtains and renews tokens")
        failure.isAboutSecret = true
        throw failure
      case "method": method = text
      case "batch": batch = text
      case _ where Self.noise.contains(field.name): leaveOut("parameter '\(field.name)'")
      case _ where !pair.isEmpty && isKept(field.name, of: names, in: address):
        request.query.append(PercentEncoding.repairedPath(pair))
      default:
        guard request.parameters[field.name] == nil else {
          throw ImportFailure(
            "the parameter '\(field.name.short)' occurs twice", hint: "remove one of them")
        }
        request.parameters[field.name] = field.value
      }
    }
    guard let known = OperationMethod(rawValue: method.uppercased()) else {
      throw ImportFailure("the method is '\(method.short)'", hint: "Graph has GET, POST and DELETE")
    }
    request.method = known
    request.headers = headers(message.headers)
    guard batch != nil || !request.path.isEmpty || !request.query.isEmpty else {
      throw ImportFailure("the address has no path", hint: "such as me/feed, after the version")
    }
    return (request, batch, token)
  }

  /// Whether a parameter stays in the address: what names the object, and what occurs twice.
  private func isKept(_ name: String, of names: [String], in address: GraphAddress) -> Bool {
    address.path.isEmpty && ["id", "ids"].contains(name) || names.count { $0 == name } > 1
  }

  /// A path in the workflow's folder: a file elsewhere has to be copied there.
  private func file(_ path: String) throws(ImportFailure) -> String {
    guard FileOutside.leavesFolder(path) else { return path }
    let name = path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    guard !name.isEmpty, name != ".." else {
      throw ImportFailure("'\(path.short)' is no path of a file")
    }
    return name
  }

  /// The headers of the operation, without those of the client, the connection and the login.
  private mutating func headers(_ fields: [(name: String, value: String)]) -> JSON.Object {
    let ofClients = [
      "accept", "user-agent", "referer", "dnt", "priority", "cache-control", "pragma",
    ]
    var kept: JSON.Object = [:]
    for (name, value) in fields {
      let lowered = name.lowercased()
      if lowered == "authorization" || lowered == "cookie" { hasSecrets = true }
      guard ForbiddenHeader.fault(of: name) == nil, HeaderField(name, value) != nil,
        !ofClients.contains(lowered), !lowered.hasPrefix("sec-"), !lowered.hasPrefix("accept-"),
        !lowered.hasPrefix("upgrade-"), !lowered.hasPrefix("x-")
      else { continue }
      kept[name] = .string(value)
    }
    return kept
  }

  /// Adds a request under a unique name, with references to what earlier answers hold.
  private mutating func append(
    _ original: ImportedRequest, token: String?, answer: JSON?, isInBatch: Bool = false
  ) {
    guard isInBatch || seen.insert(original).inserted else {
      return leaveOut("repetition of the same request")
    }
    var request = answers.linked(original)
    request.token = token.flatMap { answers.reference(to: $0, onlyWrites: false) }
    if request.name.isEmpty { request.name = freeName(request.suggestedName) }
    wait(&request)
    if request.method != .get { writes.append(request.name) }
    if let answer { answers.record(answer, of: request, sent: original) }
    requests.append(request)
  }

  /// Keeps the order of the calls as far as it matters: a request waits for the writes before it, and
  /// a write for the reads of the same object as well.
  private func wait(_ request: inout ImportedRequest) {
    func object(_ request: ImportedRequest) -> Substring { request.path.prefix { $0 != "/" } }
    let reads = requests[..<earlier].reversed().prefix { !lastWrites.contains($0.name) }
      .filter { request.method != .get && object($0) == object(request) }
    for name in lastWrites + reads.reversed().map(\.name)
    where !request.hasReference(to: name) && !request.dependsOn.contains(name) {
      request.dependsOn.append(name)
    }
  }

  private func freeName(_ wanted: String, besides taken: Set<String> = []) -> String {
    let used = taken.union(requests.map(\.name))
    guard used.contains(wanted) else { return wanted }
    return (2...).lazy.map { "\(wanted)-\($0)" }.first { !used.contains($0) } ?? wanted
  }

  // MARK: Batches

  /// Adds the operations of a batch, with their names and references.
  private mutating func add(
    batch: String, of outer: ImportedRequest, files: JSON.Object, answers: JSON?
  ) throws(ImportFailure) {
    guard let operations = (try? JSON(parsing: batch))?.array, !operations.isEmpty else {
      throw ImportFailure(
        "the parameter 'batch' is not a list of operations",
        hint: "such as batch=[{\"method\":\"GET\",\"relative_url\":\"me\"}]")
    }
    var names: [String: String] = [:]
    for name in operations.compactMap({ $0["name"]?.string }) where names[name] == nil {
      let plain = String(
        name.unicodeScalars.map { $0.isASCII && WorkflowName.isPart(UInt8($0.value)) ? $0 : "-" }
          .map(String.init).joined().prefix(48))
      let formed = WorkflowName.isWellFormed(plain) ? plain : "request" + plain
      names[name] = freeName(formed, besides: Set(names.values))
    }
    for (index, operation) in operations.enumerated() {
      let field = { (key: String) in
        Self.marked(operation[key]?.fieldText ?? "", names: names)
      }
      var message = HTTPMessage(
        method: operation["method"]?.string ?? "GET",
        address: "https://\(GraphAddress.hosts[0])/" + field("relative_url").drop { $0 == "/" })
      for header in operation["headers"]?.array ?? [] {
        let text = header.string ?? ""
        let name = header["name"]?.string ?? String(text.prefix { $0 != ":" })
        let value = header["value"]?.string ?? String(text.dropFirst(name.count + 1))
        message.headers.append((name, String(value.drop { $0 == " " })))
      }
      let parts = field("attached_files").split(separator: ",").map { $0.filter { $0 != " " } }
      message.fields = files.filter { parts.contains($0.name) }
        .map { HTTPMessage.Field(name: $0.name, value: $0.value, isFile: true) }
      try message.add(body: field("body"))
      let address = try GraphAddress(message.address, inputs: &inputs)
      var (request, inner, token) = try request(of: message, at: address)
      guard inner == nil else { throw ImportFailure("a batch holds another batch") }
      if operation["access_token"] != nil { hasSecrets = true }
      token = token ?? operation["access_token"]?.string
      request.version = request.version ?? outer.version
      request.name = operation["name"]?.string.flatMap { names[$0] } ?? ""
      if requests.contains(where: { $0.name == request.name }) { request.name = "" }
      let waits = operation["depends_on"]
      let text = waits?.string.map { $0.split(separator: ",").map { $0.filter { $0 != " " } } }
      request.dependsOn = (text ?? waits?.array?.compactMap(\.string) ?? [])
        .compactMap { names[$0] }
      let body = answers?[index]?["body"]?.string.flatMap { try? JSON(parsing: $0) }
      append(request, token: token, answer: body, isInBatch: true)
    }
  }

  /// A text of a batch, with Graph's references as marked ones.
  private static func marked(_ text: String, names: [String: String]) -> String {
    // Names of Graph may hold spaces, so they are replaced before a reference is read.
    let pieces = text.split(separator: "{result=", omittingEmptySubsequences: false)
    return pieces.dropFirst().reduce(into: String(pieces[0])) { whole, piece in
      let name = piece.prefix { $0 != ":" }
      let renamed = "{result=\(names[String(name)] ?? ""):" + piece.dropFirst(name.count + 1)
      guard names[String(name)] != nil,
        case .reference(let reference)? = TemplateScanner.parts(of: renamed).first,
        reference.fallback == nil
      else {
        whole += "{result=" + piece
        return
      }
      whole += MarkedReference.marked(reference.whole.text)
      whole += String(
        decoding: Array(renamed.utf8)[reference.whole.bytes.upperBound...], as: UTF8.self)
    }
  }
}

extension ImportedRequest {
  /// Whether a reference leads to a request.
  func hasReference(to name: String) -> Bool {
    let mark = MarkedReference.marked("{result=\(name):")
    let texts = [path, token ?? ""] + query + values.map(\.fieldText)
    return texts.contains { $0.contains(mark) }
  }

  var values: [JSON] { (Array(parameters) + Array(files) + Array(headers)).map(\.value) }
}
