/// Decides whether a request is for the sandbox's page or the Graph API.
///
/// The page changes the world without a token, so it is for users of this machine: only over
/// loopback, only with loopback's host names, which prevents DNS rebinding, and with forms only from
/// the page itself.
struct PageRequest: Sendable {
  var method: String
  /// Path and query, as received.
  var target: String
  var host: String?
  var origin: String?
  /// `Sec-Fetch-Site`.
  var site: String?
  var accept: String?
  /// Whether the client is on this machine.
  var isLocal: Bool

  /// The recipient of a request.
  enum Decision: Hashable, Sendable {
    /// It is for the Graph API.
    case passes
    case page
    /// A form of the page; its key is not checked yet.
    case form
    /// Refused for this reason.
    case refused(String)
  }

  /// The target of the page's forms.
  static let formPath = "/sandbox/page"

  var decision: Decision {
    let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
    if method == "GET" || method == "HEAD", target == "/", acceptsHTML {
      return isLocalRequest ? .page : .refused(Self.elsewhere)
    }
    guard RelativeURL(path).path.first == Logins.controlSegment
    else { return .passes }
    guard isSameOrigin else {
      return .refused("pages of other sites may not change the sandbox's world")
    }
    guard method == "POST", path.elementsEqual(Self.formPath.utf8) else { return .passes }
    return isLocalRequest ? .form : .refused(Self.elsewhere)
  }

  private static let elsewhere =
    "the page is only for this machine: use http://127.0.0.1 or http://localhost"

  private var acceptsHTML: Bool {
    guard let accept else { return false }
    return accept.lowercased().split(separator: ",").contains {
      HeaderValue(String($0)).value == "text/html"
    }
  }

  private var isLocalRequest: Bool {
    guard isLocal, let host else { return false }
    return ["127.0.0.1", "localhost", "[::1]"].contains(Self.name(of: host))
  }

  /// Whether no header shows that another site's page made the request.
  private var isSameOrigin: Bool {
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
