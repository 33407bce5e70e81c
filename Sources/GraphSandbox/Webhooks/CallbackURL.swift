/// An address that webhooks are sent to, of `http` or `https`.
package struct CallbackURL: Hashable, Sendable, CustomStringConvertible {
  /// The address as it was given.
  package let description: String
  /// Whether it has `https`.
  let isSecure: Bool
  /// A name or an address, without brackets.
  let host: String
  let port: Int
  /// The path and the query.
  let target: String

  /// Reads an address; nil if it is none, has another scheme, or names a user.
  package init?(_ text: String) {
    let schemes = ["http://", "https://"]
    guard text.utf8.count <= 2_048, text.utf8.allSatisfy({ (33...126).contains($0) }),
      let scheme = schemes.first(where: text.lowercased().hasPrefix)
    else { return nil }
    isSecure = scheme == schemes[1]
    let rest = text.dropFirst(scheme.count)
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    let path = rest[end...].prefix { $0 != "#" }
    var host = rest[..<end]
    var port = isSecure ? 443 : 80
    let afterAddress = host.firstIndex(of: "]") ?? host.startIndex
    if let colon = host[afterAddress...].lastIndex(of: ":") {
      guard let number = UInt16(host[colon...].dropFirst()), number > 0 else { return nil }
      (host, port) = (host[..<colon], Int(number))
    }
    if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
    guard !host.isEmpty, !host.contains(where: { "@[]".contains($0) }) else { return nil }
    (self.description, self.host, self.port) = (text, host.lowercased(), port)
    target = (path.first == "/" ? "" : "/") + path
  }

  /// Whether it is on this machine, which is all that clients may make the sandbox send to.
  var isLoopback: Bool {
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return host == "localhost" || host == "::1"
      || numbers.count == 4 && numbers.allSatisfy { $0 != nil } && numbers[0] == 127
  }

  /// The value of `Host`.
  var authority: String {
    (host.contains(":") ? "[\(host)]" : host) + (port == (isSecure ? 443 : 80) ? "" : ":\(port)")
  }
}

/// A request to a callback.
struct CallbackRequest: Hashable, Sendable {
  let callback: CallbackURL
  var method = "GET"
  /// The path and the query.
  let target: String
  let headers: [String: String]
  var body: [UInt8] = []
  /// Whether it may leave this machine, because its owner has named the callback.
  var mayLeave = false
}

/// What a callback has answered.
enum CallbackReply: Hashable, Sendable {
  case answered(status: Int, reason: String, body: String)
  /// It has not; the code and the words are curl's, which Graph sends with.
  case failed(code: Int, reason: String)

  /// How long a callback may take, in seconds; Graph's limit is not documented.
  static let timeLimit = 5

  var isSuccess: Bool { if case .answered(200, _, _) = self { true } else { false } }
}
