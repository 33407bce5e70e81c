internal import GraphAPI

/// The parts of an address of the Graph API.
struct GraphAddress {
  static let hosts = ["graph.facebook.com", "graph-video.facebook.com", "graph.instagram.com"]

  let host: String
  private(set) var version: String?
  /// The path without version and slashes around it, percent-encoded.
  let path: String
  /// The pairs of the query, percent-encoded.
  let query: [String]

  /// Parses an address; the scheme may be left out, as curl allows it.
  ///
  /// Names in braces or angle brackets, as documentation writes them (`{page-id}/feed`), become
  /// inputs.
  init(_ text: String, inputs: inout [String]) throws(ImportFailure) {
    var rest = text[...]
    if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    host = Self.host(of: authority)
    guard Self.isGraph(host) else {
      throw ImportFailure(
        "'\(host.short)' is not a host of the Graph API",
        hint: "the hosts are \(Self.hosts.joined(separator: ", ")), and a sandbox on loopback")
    }
    rest = rest[authority.endIndex...].prefix { $0 != "#" }
    let route = rest.prefix { $0 != "?" }
    query = rest.dropFirst(route.count + 1).split(separator: "&").map(String.init)
    var segments = route.split(separator: "/").map(String.init)
    if let first = segments.first, PathRules.isVersion(first[...]) {
      version = "v" + first.dropFirst() + (first.contains(".") ? "" : ".0")
      segments.removeFirst()
    }
    var names: [String] = []
    path = segments.map { segment in
      let plain = PercentEncoding.decoded(segment)
      let name = plain.dropFirst().dropLast()
      guard ["{}", "<>"].contains("\(plain.prefix(1))\(plain.suffix(1))"),
        WorkflowName.isWellFormed(String(name))
      else { return PercentEncoding.repairedPath(segment) }
      names.append(String(name))
      return MarkedReference.marked("{input=\(name)}")
    }.joined(separator: "/")
    inputs += names
  }

  static func isGraph(_ host: String) -> Bool {
    hosts.contains(host) || GraphURL("http://\(host)") != nil
  }

  /// The host of an address, in lower case and without the standard port.
  static func host(of authority: Substring) -> String {
    let host = authority.lowercased()
    return host.hasSuffix(":443") ? String(host.dropLast(4)) : host
  }
}

extension PercentEncoding {
  /// A path or a part of a query as it may stand in a workflow; marked references are unchanged.
  static func repairedPath(_ text: String) -> String {
    text.unicodeScalars.map {
      MarkedReference.isMark($0) ? String($0) : repaired(String($0))
    }.joined()
  }
}
