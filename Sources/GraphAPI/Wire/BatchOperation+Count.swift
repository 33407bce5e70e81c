extension BatchOperation {
  /// The number of calls that Graph counts for the operation: one for each id of `ids`.
  ///
  /// Source: Graph API, "Rate Limits".
  package var countedCalls: Int {
    guard method == .get else { return 1 }
    if let ids = parameters.first(where: { $0.name == "ids" }) { return Self.count(ids.value) }
    guard let query = path.utf8.firstIndex(of: UInt8(ascii: "?")) else { return 1 }
    for field in path[path.utf8.index(after: query)...].split(separator: "&")
    where field.hasPrefix("ids=") {
      return Self.count(field.dropFirst(4))
    }
    return 1
  }

  /// The number of ids in a list; commas may be percent-encoded.
  private static func count(_ ids: some StringProtocol) -> Int {
    1 + PercentEncoding.decoded(String(ids)).utf8.count { $0 == UInt8(ascii: ",") }
  }
}
