/// A request as the page's door looks at it, before the Graph API does.
///
/// The page changes the world without a token, so it is for people at this machine: only over
/// loopback, only under its names, which no other site's name can be made to lead to (DNS
/// rebinding), and forms only from the page itself.
struct PageVisit: Sendable {
  var method: String
  /// Path and query, as received.
  var target: String
  /// What the client called the server: `Host`.
  var host: String?
  var origin: String?
  /// `Sec-Fetch-Site`.
  var site: String?
  var accept: String?
  /// Whether the other end of the connection is on this machine.
  var isLocal: Bool

  /// What the door does with a request.
  enum Decision: Hashable, Sendable {
    /// It is for the Graph API.
    case passes
    case page
    /// A form of the page; its key has yet to be looked at.
    case form
    /// For the reason.
    case refused(String)
  }

  /// Where the page's forms go.
  static let formPath = "/sandbox/page"

  /// What becomes of the request.
  var decision: Decision {
    let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
    if method == "GET" || method == "HEAD", target == "/", acceptsPages {
      return isAtHome ? .page : .refused(Self.elsewhere)
    }
    guard RelativeURL(String(decoding: path, as: UTF8.self)).path.first == World.controlSegment
    else { return .passes }
    guard comesFromHere else {
      return .refused("another site's page may not change the sandbox's world")
    }
    guard method == "POST", path.elementsEqual(Self.formPath.utf8) else { return .passes }
    return isAtHome ? .form : .refused(Self.elsewhere)
  }

  private static let elsewhere =
    "the page is for people at this machine: use http://127.0.0.1 or http://localhost"

  private var acceptsPages: Bool {
    guard let accept else { return false }
    return accept.lowercased().split(separator: ",").contains {
      HeaderValue(String($0)).value == "text/html"
    }
  }

  private var isAtHome: Bool {
    guard isLocal, let host else { return false }
    return ["127.0.0.1", "localhost", "[::1]"].contains(Self.name(of: host))
  }

  /// Whether no browser says that the request was made by another site's page.
  private var comesFromHere: Bool {
    if let site, site != "same-origin", site != "none" { return false }
    guard let origin else { return true }
    return host.map { origin == "http://\($0)" } ?? false
  }

  /// A host without its port.
  private static func name(of host: String) -> String {
    let host = host.excerpt.lowercased()
    let afterAddress = host.firstIndex(of: "]") ?? host.startIndex
    guard let colon = host[afterAddress...].firstIndex(of: ":") else { return host }
    return String(host[..<colon])
  }
}
