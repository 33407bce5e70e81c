import Crypto

/// ETags: the SHA-1 of the body, in hexadecimal, in quotes (docs/internals/graph-api.md,
/// decision 37).
enum EntityTag {
  static func text(of body: [UInt8]) -> String {
    "\"\(Hexadecimal.text(of: Insecure.SHA1.hash(data: body)))\""
  }

  /// Whether the value of `If-None-Match` matches the tag (RFC 9110 §13.1.2).
  static func list(_ value: String, contains tag: String) -> Bool {
    value.listed.contains { ["*", tag, "W/" + tag].contains($0) }
  }
}
