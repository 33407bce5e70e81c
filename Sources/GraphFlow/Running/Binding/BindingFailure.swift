import GraphAPI

/// Why the placeholders of a request cannot be filled, so that it is not sent.
struct BindingFailure: Error, Hashable, Sendable {
  let reason: FailureReason
  let message: String
  let hint: String

  static func unresolved(_ placeholder: Placeholder) -> BindingFailure {
    BindingFailure(
      reason: .unresolvedReference, message: "\(placeholder.text) selects nothing",
      hint: "see the body of the request that it refers to in the report, or add a default: "
        + "{result=NAME:QUERY | DEFAULT}")
  }

  static func tainted(_ placeholder: Placeholder) -> BindingFailure {
    BindingFailure(
      reason: .policy, message: "\(placeholder.text) is a secret and may only be used as a token",
      hint: "select a field that is not secret, or move the reference to `token:`")
  }

  static func masked(_ placeholder: Placeholder) -> BindingFailure {
    BindingFailure(
      reason: .unresolvedReference,
      message: "\(placeholder.text) is no longer available: the journal holds *** in its place",
      hint:
        "a journal holds no token and nothing that resembles one, and a POST is not sent again for "
        + "its answer; run the workflow again, or do the remaining steps by hand")
  }

  static func notAToken(_ placeholder: Placeholder) -> BindingFailure {
    BindingFailure(
      reason: .token, message: "\(placeholder.text) does not yield an access token",
      hint: "select a field such as $.data[0].access_token of me/accounts")
  }

  static func queryLimit(_ text: String) -> BindingFailure {
    BindingFailure(
      reason: .queryLimit, message: "\(text) takes more steps than a query may",
      hint: "write a query that visits fewer nodes: avoid `..` and nested filters")
  }

  static func path(_ problem: String) -> BindingFailure {
    BindingFailure(
      reason: .parameter, message: problem,
      hint: "a value in a path is one segment; only a value that is the whole path may have slashes"
    )
  }

  static func items(_ problem: String) -> BindingFailure {
    BindingFailure(
      reason: .parameter, message: "the items cannot be read: \(problem)",
      hint: "`for_each` takes a list, or a .csv, .json or .jsonl file in the workflow's folder")
  }

  static let secretKey = BindingFailure(
    reason: .policy,
    message:
      "the item's `key` is a token, or resembles one, and would be written to journal and report",
    hint: "choose another `key`, such as an id or a name")

  static func duplicateKey(_ key: String) -> BindingFailure {
    BindingFailure(
      reason: .duplicate, message: "another item already has the key '\(key)'",
      hint: "choose a `key` that differs for each item")
  }

  static func emptyKey(_ template: Template) -> BindingFailure {
    BindingFailure(
      reason: .parameter, message: "the key \(template.text) is empty for this item",
      hint: "choose a `key` that every item has")
  }

  static func header(_ name: String) -> BindingFailure {
    BindingFailure(
      reason: .parameter, message: "the value of the header '\(name)' contains control characters",
      hint: "a header value is one line of text")
  }

  static func file(_ path: String, _ problem: String) -> BindingFailure {
    BindingFailure(
      reason: .parameter, message: "cannot attach '\(path)': \(problem)",
      hint: "attached files must be in the workflow's folder")
  }

  var failure: Failure {
    Failure(message, reason, hint: hint)
  }
}
