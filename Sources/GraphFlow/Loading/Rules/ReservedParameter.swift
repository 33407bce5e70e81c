/// Parameters that belong to the protocol and not to a request (docs/reference/language.md,
/// "Requests").
enum ReservedParameter {
  static let names: Set<String> = [
    "access_token", "appsecret_proof", "batch", "callback", "debug", "include_headers", "method",
  ]

  static func fault(of name: String) -> RuleFault? {
    guard names.contains(name) else { return nil }
    return RuleFault(.reservedParameter, "the parameter '\(name)' is reserved", hint: hint(name))
  }

  private static func hint(_ name: String) -> String? {
    switch name {
    case "access_token": "choose the token with 'token:'"
    case "appsecret_proof": "it is added if an app secret is configured"
    case "method": "the method is a key: get, post or delete"
    case "callback": "answers are plain JSON"
    case "include_headers": "headers are always requested"
    case "batch": "write the operations as requests; graphflow batches them"
    default: nil
    }
  }
}
