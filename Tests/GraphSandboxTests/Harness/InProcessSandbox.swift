import JSONPath
import Testing

@testable import GraphSandbox

extension WorldDescription {
  /// The default world, but users may post on their timelines: most tests need one token only then.
  static let open: WorldDescription = {
    var world = standard
    world.behaviors.opensTimelines = true
    return world
  }()
}

/// A world that is called directly, without sockets.
struct InProcessSandbox {
  var world: World
  let token: String
  let pageToken: String
  /// All named tokens.
  let tokens: [String: String]
  private(set) var log: [SandboxCall] = []
  /// The time of calls, in seconds since 1970; nil: each takes one second.
  var time: Int?

  /// Ids of the default world.
  let alex = "122000000000002"
  let friend = "122000000000003"
  let page = "122000000000023"
  let application = "122000000000001"

  init(
    _ description: WorldDescription = .open, seed: UInt64 = 1, appSecret: String? = nil,
    requiresProof: Bool = false
  ) throws {
    var description = description
    if let appSecret { description.application.secret = appSecret }
    description.application.requiresProof = requiresProof
    world = WorldBuilder(description, seed: seed).world
    let named = world.access.namedTokens
    tokens = Dictionary(uniqueKeysWithValues: named.map { ($0.name, $0.token) })
    token = try #require(named.first { $0.name == "default" }).token
    pageToken = try #require(named.first { $0.name == "page" }).token
  }

  var applicationToken: String { world.access.applicationToken }

  mutating func send(_ call: HTTPCall) -> HTTPAnswer {
    let call = GraphCall(call, takesLists: world.behaviors.takesDependencyLists)
    let (answer, entry) = world.answer(call, at: time)
    log.append(entry)
    return answer
  }

  /// Sends one request with the token in the query or the form; by default Alex's.
  mutating func send(
    _ method: String, _ path: String, _ parameters: [(String, String)] = [], token: String? = nil
  ) -> HTTPAnswer {
    let form = Self.form(parameters + [("access_token", token ?? self.token)])
    guard method == "POST" else {
      let separator = path.contains("?") ? "&" : "?"
      return send(HTTPCall(method: method, target: "/\(path)\(separator)\(form)"))
    }
    return send(HTTPCall(method: method, target: "/\(path)", body: Array(form.utf8)))
  }

  /// Sends a batch as a form.
  mutating func sendBatch(
    _ items: JSON, _ parameters: [(String, String)] = [], token: String? = nil
  ) -> HTTPAnswer { send("POST", "", [("batch", items.serialized())] + parameters, token: token) }

  /// The items of a batch's answer.
  mutating func batch(
    _ items: JSON, _ parameters: [(String, String)] = [], token: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [Item] {
    let answer = sendBatch(items, parameters, token: token)
    #expect(answer.status == 200, sourceLocation: sourceLocation)
    let array = try #require(answer.json.array, sourceLocation: sourceLocation)
    return array.map { Item(json: $0) }
  }

  static func form(_ parameters: [(String, String)]) -> String {
    var text: [UInt8] = []
    for (name, value) in parameters {
      if !text.isEmpty { text.append(UInt8(ascii: "&")) }
      FormText.appendEncoded(name, to: &text)
      text.append(UInt8(ascii: "="))
      FormText.appendEncoded(value, to: &text)
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// One item of a batch's answer.
struct Item {
  let json: JSON

  var isNull: Bool { json.isNull }
  var code: Int? { json["code"]?.integer }
  var text: String? { json["body"]?.string }
  var body: JSON? { text.flatMap { try? JSON(parsing: $0) } }
  var error: JSON? { body?["error"] }

  func header(_ name: String) -> String? {
    json["headers"]?.array?.first { $0["name"]?.string == name }?["value"]?.string
  }
}

extension HTTPAnswer {
  var text: String { String(decoding: body, as: UTF8.self) }
  var json: JSON { (try? JSON(parsing: body)) ?? .null }
  var error: JSON? { json["error"] }

  subscript(header name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
