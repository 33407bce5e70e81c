import TestSupport
import Testing

/// A request that Koala's authors recorded and its answer, with Ruby's expressions replaced.
struct RecordedExchange: Sendable, CustomTestStringConvertible {
  /// With a leading slash; empty for the root.
  var path: String
  /// As in the file: `k=v&k=v`, unescaped.
  var arguments: String
  var method: String
  var hasToken: Bool
  var status = 200
  var body = ""

  var testDescription: String {
    "\(method.uppercased()) \(path)?\(arguments)\(hasToken ? "" : " without a token")"
  }
}

extension RecordedExchange {
  /// All exchanges; none without the shared files.
  static let all: [RecordedExchange] = {
    guard let path = SharedFiles.path("fixtures/koala/mock_facebook_responses.yml"),
      let text = try? text(of: path)
    else { return [] }
    var reader = Reader()
    for line in text.split(separator: "\n") { reader.read(String(line)) }
    return reader.exchanges
  }()

  /// Reads the file line by line: a path at two spaces, its arguments at four, a method at six.
  private struct Reader {
    var exchanges: [RecordedExchange] = []
    private var path = ""
    private var arguments = ""
    private var method = "get"
    /// Whether the exchanges have begun; the parts that they refer to come first.
    private var hasBegun = false

    mutating func read(_ line: String) {
      let text = line.drop { $0 == " " }
      let depth = line.count - text.count
      guard !text.isEmpty, !text.hasPrefix("#") else { return }
      if depth == 2 {
        hasBegun = hasBegun || text == "root:"
        path = Self.filled(Self.key(text))
        if path == "root" { path = "" }
      }
      guard hasBegun else { return }
      switch depth {
      case 4:
        arguments = Self.key(text)
        if arguments == "no_args" { arguments = "" }
        arguments = Self.filled(arguments)
        method = "get"
      case 6 where text.hasPrefix("<<"), 8 where text.hasPrefix("<<"): include(String(text))
      case 6 where !text.hasPrefix("with_token") && !text.hasPrefix("no_token"):
        method = Self.key(text)
      case 6...: answer(String(text), at: depth)
      default: break
      }
    }

    /// Includes a part by its name.
    private mutating func include(_ text: String) {
      let name = text.drop { $0 != "*" }.dropFirst()
      switch name {
      case "token_required":
        add(hasToken: false, status: 400, Self.tokenRequired)
      case "item_deleted":
        method = "delete"
        add(hasToken: true, status: 200, "{\"success\":true}")
        method = "get"
      case "oauth_error": add(hasToken: false, status: 400, "")
      default:
        method = "post"
        add(hasToken: true, status: 200, "")
      }
    }

    private static let tokenRequired =
      "{\"error\":{\"type\":\"OAuthAccessTokenException\", "
      + "\"message\":\"An access token is required to request this resource.\"}}"

    private mutating func answer(_ text: String, at depth: Int) {
      let value = text.drop { $0 != ":" }.dropFirst().drop { $0 == " " }
      if text.hasPrefix("with_token") || text.hasPrefix("no_token") {
        add(hasToken: text.hasPrefix("with"), status: 200, Self.unquoted(value))
      } else if text.hasPrefix("code:") {
        // Two errors have no token key above them.
        if depth == 8 { add(hasToken: true, status: 200, "") }
        exchanges[exchanges.count - 1].status = Int(value) ?? 0
      } else if text.hasPrefix("body:"), !exchanges.isEmpty {
        exchanges[exchanges.count - 1].body = Self.unquoted(value)
      }
    }

    private mutating func add(hasToken: Bool, status: Int, _ body: String) {
      exchanges.append(
        RecordedExchange(
          path: path, arguments: arguments, method: method, hasToken: hasToken, status: status,
          body: body))
    }

    /// A key without its colon and quotes.
    private static func key(_ text: some StringProtocol) -> String {
      var key = String(text)
      if key.hasSuffix(":") { key.removeLast() }
      for quote in ["'", "\""] where key.hasPrefix(quote) && key.hasSuffix(quote) {
        key = String(key.dropFirst().dropLast())
      }
      return key
    }

    private static func unquoted(_ text: some StringProtocol) -> String {
      guard text.first == "\"" else { return key(text) }
      return key(text).replacing("\\\"", with: "\"")
    }

    /// The text with Ruby's expression for the application replaced.
    private static func filled(_ text: String) -> String {
      text.replacing("<%= APP_ID %>", with: "app")
    }
  }
}
