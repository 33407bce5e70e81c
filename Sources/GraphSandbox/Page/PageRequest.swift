/// Decides whether a request is for the sandbox's page, its control interface, or the Graph API.
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
  /// That of the server's addresses: `http`, or `https` with TLS.
  var scheme = "http"

  /// The recipient of a request.
  enum Decision: Hashable, Sendable {
    /// It is for the Graph API.
    case passes
    case page
    /// The page asks whether anything has changed.
    case state
    /// A form of the page; its key is not checked yet.
    case form
    /// A command of the control interface, by its name; its token is not checked yet.
    case control(String)
    /// An image of the world, which everybody may see.
    case picture
    /// Refused for this reason.
    case refused(String)
  }

  /// The path of the page and of its forms; the page is at the root, too.
  static let path = "/sandbox/page"
  /// The path of the page on which a user enters the code of a device.
  static let devicePath = "/device"
  /// The path of its revision.
  static let statePath = path + "/state"

  /// The segment of images, after that of the sandbox's own calls.
  static let pictures = "pictures"

  /// The path without the query.
  private var path: Substring.UTF8View { target[...].utf8.prefix { $0 != UInt8(ascii: "?") } }

  var decision: Decision {
    let isRead = method == "GET" || method == "HEAD"
    if isRead, target == "/" && acceptsHTML || isPath(Self.devicePath) {
      return isLocalRequest ? .page : .refused(Self.elsewhere)
    }
    let url = RelativeURL(path)
    guard url.path.first == Logins.controlSegment else { return .passes }
    if isRead, url.path.count == 3, url.path[1] == Self.pictures { return .picture }
    let (isPage, isState) = (isPath(Self.path), isPath(Self.statePath))
    let isCommand = url.version == nil && url.path.count == 2
    if isCommand, !Logins.controls.contains(url.path[1]), !isPage {
      return .control(url.path[1])
    }
    // A link of another site may lead here, as it may to the root.
    guard isSameOrigin || isPage && isRead else {
      return .refused("pages of other sites may not change the sandbox's world")
    }
    guard (isPage || isState) && isRead || isPage && method == "POST" else { return .passes }
    guard isLocalRequest else { return .refused(Self.elsewhere) }
    return isState ? .state : isRead ? .page : .form
  }

  private func isPath(_ text: String) -> Bool { path.elementsEqual(text.utf8) }

  private static let elsewhere =
    "the page is only for this machine: use http://127.0.0.1 or http://localhost"

  private var acceptsHTML: Bool {
    guard let accept else { return false }
    return accept.lowercased().split(separator: ",").contains {
      HeaderValue(String($0)).value == "text/html"
    }
  }

  /// Whether the client is on this machine, and asked for it by one of its names.
  var isLocalRequest: Bool {
    guard isLocal, let host else { return false }
    return ["127.0.0.1", "localhost", "[::1]"].contains(Self.name(of: host))
  }

  /// Whether no header shows that another site's page made the request.
  var isSameOrigin: Bool {
    if let site, site != "same-origin", site != "none" { return false }
    guard let origin else { return true }
    return host.map { origin == "\(scheme)://\($0)" } ?? false
  }

  /// A host without its port.
  private static func name(of host: String) -> String {
    let host = host.excerpt.lowercased()
    let afterAddress = host.firstIndex(of: "]") ?? host.startIndex
    guard let colon = host[afterAddress...].firstIndex(of: ":") else { return host }
    return String(host[..<colon])
  }
}
