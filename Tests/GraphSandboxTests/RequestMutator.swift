@testable import GraphSandbox

/// Makes broken requests from valid ones, the same for the same seed.
struct RequestMutator {
  private var generator: SeededGenerator
  private let token: String

  /// Valid requests: method, target, content type, body; `%T` is a token.
  private static let corpus: [(method: String, target: String, type: String, body: String)] =
    own
    + RecordedExchange.all.map { exchange in
      let isBatch = exchange.arguments.hasPrefix("batch=")
      let form = isBatch ? recordedBatch : exchange.arguments
      let isPost = exchange.method == "post"
      return (
        exchange.method.uppercased(),
        (exchange.path.isEmpty ? "/" : exchange.path) + (isPost ? "" : "?\(form)&access_token=%T"),
        "", isPost ? "\(form)&access_token=%T" : ""
      )
    }

  private static let recordedBatch =
    #"batch=[{"method":"get","relative_url":"me/friends?limit=5","name":"get-friends"},"#
    + #"{"method":"get","relative_url":"?ids=%7Bresult%3Dget-friends%3A%24.data.%2A.id%7D"}]"#

  private static let own: [(method: String, target: String, type: String, body: String)] = [
    (
      "GET",
      "/v25.0/me/feed?fields=id,from{name},comments.limit(2).summary(true){from}"
        + "&limit=3&after=QVFI00000001ZD&access_token=%T", "", ""
    ),
    ("GET", "/?ids=me,122000000000003,122000000000023&fields=name&access_token=%T", "", ""),
    ("GET", "/me/accounts?fields=name,tasks,access_token&access_token=%T", "", ""),
    ("GET", "/me/picture?redirect=false&access_token=%T", "", ""),
    ("GET", "/debug_token?input_token=%T&access_token=%T", "", ""),
    ("DELETE", "/122000000000002_122000000000093?access_token=%T", "", ""),
    ("DELETE", "/me/permissions/user_posts?access_token=%T", "", ""),
    ("POST", "/me/feed", "", "message=Hello+%C3%A4&link=https://a.example&access_token=%T"),
    ("POST", "/me/photos?access_token=%T", "", "url=https://x&fields=images{source}&published=0"),
    ("POST", "/122000000000002_122000000000004/likes", "", "access_token=%T"),
    (
      "POST", "/", "application/json",
      #"{"access_token":"%T","batch":[{"relative_url":"me","name":"a"},"#
        + #"{"relative_url":"{result=a:$..id}?fields={result=a:$.x[0:9:2]}","#
        + #""headers":[{"name":"If-None-Match","value":"\"x\""}],"depends_on":"a"}]}"#
    ),
    (
      "POST", "/", "",
      #"include_headers=false&access_token=%T&batch=[{"method":"POST","#
        + #""relative_url":"me/feed","body":"message=a%26b","name":"p"},{"method":"DELETE","#
        + #""relative_url":"{result=p:$.id}"},{"method":"GET","#
        + #""relative_url":"{result=p:$['id','x',*]}?fields=id"}]"#
    ),
    (
      "POST", "/", "multipart/form-data; boundary=XX",
      "--XX\r\nContent-Disposition: form-data; name=\"access_token\"\r\n\r\n%T\r\n--XX\r\n"
        + "Content-Disposition: form-data; name=\"batch\"\r\n\r\n"
        + #"[{"method":"POST","relative_url":"me/photos","attached_files":"f"}]"# + "\r\n--XX\r\n"
        + "Content-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n"
        + "Content-Type: image/gif\r\n\r\nabc\r\n--XX--"
    ),
  ]

  private static let fragments: [[UInt8]] =
    [
      "{result=", "{result=a:$.", "}", "{", "[", "]", "(", ")", "\"", "'", "\\", ",", ".", "..",
      "*", ":", ";", "=", "&", "?", "%", "%00", "%7B", "%e2%82", "/", "//", "$", "-", "\r\n", "\0",
      "9223372036854775807", "-9223372036854775808", "1e999", "99999999999999999999", "null",
      "true", "limit=-1", "limit=99999999999", "after=", "before=", "fields=", "ids=", "batch=[",
      ".limit(0)", ".limit(99999999999999999999)", ".as(x)", "summary=1", "method=delete", "me",
      "access_token=", "v25.0/", "v999999999999.0/", "\\ud800", "\\u0000", "\u{1f388}", "--XX",
      "depends_on", "omit_response_on_success", "\"name\":\"a\"", "attached_files", "[::-1]",
      "[-1]",
    ].map { Array($0.utf8) } + [[0xff], [0xc3], [0xed, 0xa0, 0x80]]

  init(seed: UInt64, token: String) {
    generator = SeededGenerator(seed: seed)
    self.token = token
  }

  /// A request with up to six mutations of its target, type or body.
  mutating func next() -> HTTPCall {
    let seed = Self.corpus[below(Self.corpus.count)]
    var target = Array(seed.target.utf8)
    var type = Array(seed.type.utf8)
    var body = Array(seed.body.utf8)
    for _ in 0..<below(7) {
      switch below(body.isEmpty ? 10 : 20) {
      case 0: mutate(&type)
      case 1...9: mutate(&target)
      default: mutate(&body)
      }
    }
    // Inserted last: otherwise a broken token would be the error of most requests.
    target = filled(target)
    body = filled(body)
    let methods = ["GET", "POST", "DELETE", "PUT", "HEAD", "X", ""]
    return HTTPCall(
      method: below(12) == 0 ? methods[below(methods.count)] : seed.method,
      target: String(decoding: target, as: UTF8.self),
      authorization: below(20) == 0 ? "Bearer \(token)" : nil,
      contentType: type.isEmpty ? nil : String(decoding: type, as: UTF8.self),
      ifNoneMatch: below(50) == 0 ? "*" : nil, host: below(9) == 0 ? "[::1]:80" : "a b/?\"",
      scheme: below(9) == 0 ? "https" : "x", body: body)
  }

  private func filled(_ bytes: [UInt8]) -> [UInt8] {
    bytes.replacing(Array("%T".utf8), with: Array(token.utf8))
  }

  /// A random number below a bound.
  private mutating func below(_ bound: Int) -> Int {
    Int(truncatingIfNeeded: generator.next() >> 33) % max(1, bound)
  }

  private mutating func mutate(_ bytes: inout [UInt8]) {
    let place = below(bytes.count + 1)
    let end = min(bytes.count, place + below(16))
    switch below(8) {
    case 0: bytes.removeSubrange(place..<end)
    case 1: bytes.insert(contentsOf: Array(bytes[place..<end]), at: below(bytes.count + 1))
    case 2: bytes.replaceSubrange(place..<end, with: Self.fragments[below(Self.fragments.count)])
    case 3, 4: bytes.insert(contentsOf: Self.fragments[below(Self.fragments.count)], at: place)
    case 5 where place < bytes.count: bytes[place] = UInt8(truncatingIfNeeded: below(256))
    case 6 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
    default: bytes.removeLast(min(bytes.count, below(24)))
    }
  }
}
