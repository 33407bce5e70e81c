import JSONPath

@testable import GraphSandbox

/// Makes broken requests from valid ones, the same for the same seed and the same answers.
struct RequestMutator {
  private var generator: SeededGenerator
  private let token: String
  private let applicationToken: String
  /// The ids of the newest objects, by the edge at which they were made; all of them at no edge.
  private var ids = ["": ["122000000000023"]]
  /// The token of the newest test user.
  private var testToken = ""

  /// The edges whose objects requests of the corpus name.
  private static let edges = ["comments", "feed", "insights", "media", "photos", "test-users"]

  init(seed: UInt64, token: String, applicationToken: String) {
    generator = SeededGenerator(seed: seed)
    (self.token, self.applicationToken) = (token, applicationToken)
  }

  /// Remembers the object that a request has made, if it has: later ones are about it.
  mutating func learn(from answer: JSON?, to call: HTTPCall) {
    guard let id = (answer?["report_run_id"] ?? answer?["id"])?.string, call.method != "GET" else {
      return
    }
    let path = call.target.prefix { $0 != "?" }
    for edge in Self.edges.filter({ path.hasSuffix("/" + $0) }) + [""] {
      ids[edge, default: []].append(id)
      if ids[edge]?.count == 12 { ids[edge]?.removeFirst() }
    }
    if let token = answer?["access_token"]?.string { testToken = token }
  }

  /// A valid request of the corpus.
  mutating func request(_ seed: SeedRequest) -> HTTPCall {
    HTTPCall(
      method: seed.method, target: String(decoding: filled(Array(seed.target.utf8)), as: UTF8.self),
      contentType: seed.type.isEmpty ? nil : seed.type, body: filled(Array(seed.body.utf8)))
  }

  /// A request with up to six mutations of its target, type or body; a third has none, so that there is
  /// something to break.
  mutating func next() -> HTTPCall {
    let seed = SeedRequest.all[below(SeedRequest.all.count)]
    var target = Array(seed.target.utf8)
    var type = Array(seed.type.utf8)
    var body = Array(seed.body.utf8)
    for _ in 0..<(below(3) == 0 ? 0 : below(7)) {
      switch below(body.isEmpty ? 10 : 20) {
      case 0: mutate(&type)
      case 1...9: mutate(&target)
      default: mutate(&body)
      }
    }
    // Inserted last: otherwise a broken token would be the error of most requests.
    target = filled(target)
    body = filled(body)
    let methods = ["GET", "POST", "DELETE", "PUT", "HEAD", "OPTIONS", "X", ""]
    let hosts = ["[::1]:80", "localhost", "graph.facebook.com", "a b/?\"", "", "\u{e4}.example"]
    return HTTPCall(
      method: below(12) == 0 ? methods[below(methods.count)] : seed.method,
      target: String(decoding: target, as: UTF8.self),
      authorization: below(20) == 0 ? "Bearer \(token)" : nil,
      contentType: type.isEmpty ? nil : String(decoding: type, as: UTF8.self),
      ifNoneMatch: below(50) == 0 ? "*" : nil, host: hosts[below(hosts.count)],
      scheme: below(9) == 0 ? "https" : "x", body: body)
  }

  /// A broken request as bytes: its line and headers can be sent, whatever is in them, and its body may
  /// be compressed, whole or not.
  mutating func nextOnWire() -> (call: HTTPCall, bytes: [UInt8], what: String) {
    let call = next()
    let methods = ["GET", "POST", "DELETE", "PUT", "HEAD", "OPTIONS"]
    let method = methods.contains(call.method) ? call.method : "GET"
    let target = "/" + Self.visible(call.target.drop { $0 == "/" })
    var headers = ["Connection: close", "Host: \(Self.visible(call.host ?? ""))"]
    headers.append("X-Forwarded-Proto: \(call.scheme ?? "")")
    if let type = call.contentType { headers.append("Content-Type: \(Self.visible(type))") }
    if method == "OPTIONS" { headers.append("Access-Control-Request-Headers: authorization,x") }
    var (body, encoding) = (Gzip.storing(call.body), "gzip")
    switch below(12) {
    case 0: body.removeLast(below(body.count))
    case 1: body[below(body.count)] ^= 1 << UInt8(below(8))
    case 2: body = Gzip.bomb(below(4 << 20))
    case 3: encoding = ["", "br", "deflate", "x-gzip", "\u{e4}"][below(5)]
    case 4...7: (body, encoding) = (call.body, "identity")
    default: break
    }
    headers += ["Content-Encoding: \(encoding)", "Content-Length: \(body.count)", "", ""]
    let head = "\(method) \(target) HTTP/1.1\r\n" + headers.joined(separator: "\r\n")
    return (call, Array(head.utf8) + body, "\(head)\(body.count) bytes")
  }

  /// A text in the visible characters of ASCII, others in percent-encoding.
  private static func visible(_ text: some StringProtocol) -> String {
    var output = ""
    for byte in text.utf8 {
      let isVisible = (33...126).contains(byte)
      let digits = (byte < 16 ? "0" : "") + String(byte, radix: 16)
      output += isVisible ? String(UnicodeScalar(byte)) : "%\(digits)"
    }
    return output
  }

  /// Fills in the tokens and ids.
  private mutating func filled(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      let text: String? =
        switch (byte, rest.first) {
        case (UInt8(ascii: "%"), UInt8(ascii: "T")): token
        case (UInt8(ascii: "%"), UInt8(ascii: "A")): applicationToken
        case (UInt8(ascii: "%"), UInt8(ascii: "U")): testToken
        case (UInt8(ascii: "%"), UInt8(ascii: "I")): id(at: "")
        case (UInt8(ascii: "%"), UInt8(ascii: "(")):
          id(
            at: String(decoding: rest.prefix { $0 != UInt8(ascii: ")") }.dropFirst(), as: UTF8.self)
          )
        default: nil
        }
      guard let text else {
        output.append(byte)
        continue
      }
      output += text.utf8
      rest = rest.first == UInt8(ascii: "(") ? rest.drop { $0 != UInt8(ascii: ")") } : rest
      rest = rest.dropFirst()
    }
    return output
  }

  /// The id of one of the newest objects at an edge, or of any.
  private mutating func id(at edge: String) -> String {
    let ids = ids[edge] ?? ids[""] ?? []
    return ids.isEmpty ? "" : ids[below(ids.count)]
  }

  /// A random number below a bound.
  mutating func below(_ bound: Int) -> Int {
    Int(truncatingIfNeeded: generator.next() >> 33) % max(1, bound)
  }

  private mutating func mutate(_ bytes: inout [UInt8]) {
    let place = below(bytes.count + 1)
    let end = min(bytes.count, place + below(16))
    let fragments = SeedRequest.fragments
    switch below(8) {
    case 0: bytes.removeSubrange(place..<end)
    case 1: bytes.insert(contentsOf: Array(bytes[place..<end]), at: below(bytes.count + 1))
    case 2: bytes.replaceSubrange(place..<end, with: fragments[below(fragments.count)])
    case 3: bytes.insert(contentsOf: fragments[below(fragments.count)], at: place)
    // At the end, where a parameter is a whole one.
    case 4: bytes += fragments[below(fragments.count)]
    case 5 where place < bytes.count: bytes[place] = UInt8(truncatingIfNeeded: below(256))
    case 6 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
    default: bytes.removeLast(min(bytes.count, below(24)))
    }
  }
}
