/// Parameters that belong to the protocol and not to a request (docs/reference/language.md,
/// "Requests").
enum ReservedParameter {
  /// Their names.
  static let names: Set<String> = [
    "access_token", "appsecret_proof", "batch", "callback", "debug", "include_headers", "method",
  ]

  /// What is wrong with a parameter's name; nil if nothing is.
  static func fault(of name: String) -> RuleFault? {
    guard names.contains(name) else { return nil }
    return RuleFault(.reservedParameter, "'\(name)' is not a request's to send", hint: hint(name))
  }

  /// What to write instead.
  private static func hint(_ name: String) -> String? {
    switch name {
    case "access_token": "say which token with 'token:'"
    case "appsecret_proof": "it is added where an app secret is configured"
    case "method": "the verb is get, post or delete"
    case "callback": "answers are plain JSON"
    case "include_headers": "header() needs them"
    case "batch": "write the operations as requests; they are batched for you"
    default: nil
    }
  }
}
