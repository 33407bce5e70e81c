internal import GraphAPI

/// Why the placeholders of a request cannot be filled, so that it is not sent.
extension Failure {
  static func unresolved(_ placeholder: Placeholder) -> Failure {
    let cure =
      placeholder.isLookup
      ? "no entry has the value that it compares with: check that value and "
      : "add a default, {result=NAME:QUERY | DEFAULT}, or see "
    return Failure(
      "\(placeholder.text) selects nothing", .unresolvedReference,
      hint: cure + "the body of the request that it refers to, in the report")
  }

  static func ambiguous(_ placeholder: Placeholder, _ count: Int) -> Failure {
    Failure(
      "\(placeholder.text) selects \(count) nodes, so it is not clear which one is meant",
      .unresolvedReference, hint: "compare a member that differs in each of them, such as an id")
  }

  static func tainted(_ placeholder: Placeholder) -> Failure {
    Failure(
      "\(placeholder.text) is a secret and may only be used as a token", .policy,
      hint: "select a field that is not secret, or move the reference to `token:`")
  }

  static func masked(_ placeholder: Placeholder) -> Failure {
    Failure(
      "\(placeholder.text) is no longer available: the journal holds *** in its place",
      .unresolvedReference,
      hint:
        "a journal holds no token and nothing that resembles one, and a POST is not sent again for "
        + "its answer; run the workflow again, or do the remaining steps by hand")
  }

  static func notAToken(_ placeholder: Placeholder) -> Failure {
    Failure(
      "\(placeholder.text) does not yield an access token", .token,
      hint: "select a field such as $.data[0].access_token of me/accounts")
  }

  static func unlistedPage(_ id: String) -> Failure {
    Failure(
      "the page \(id) is not one of the user's pages", .unresolvedReference,
      hint: "check the id: graphflow get me/accounts lists them; if it is right, log in again and "
        + "select the page")
  }

  static func lackingTask(_ task: PageTask, for permission: String, page: String) -> Failure {
    Failure(
      "the user lacks the task \(task.rawValue) on the page \(page), which \(permission) needs",
      .permission, category: .recoverable,
      hint: "someone with full control of the page adds the task in its settings, under Page access"
    )
  }

  static func queryLimit(_ text: String) -> Failure {
    Failure(
      "\(text) takes more steps than a query may", .queryLimit,
      hint: "write a query that visits fewer nodes: avoid `..` and nested filters")
  }

  static func path(_ problem: String) -> Failure {
    Failure(
      problem, .parameter,
      hint: "a value in a path is one segment; only a value that is the whole path may have slashes"
    )
  }

  static func marked(_ placeholder: Placeholder) -> Failure {
    Failure(
      "\(placeholder.text) holds a null character, which no preview can show", .parameter,
      hint: "remove the character, or run the workflow without --preview")
  }

  static func notAllowed(_ refusal: String) -> Failure {
    Failure(
      "the guard of this machine refuses it: \(refusal)", .notAllowed,
      hint: "it was not sent; the rules are `allow` and `deny` in the configuration")
  }

  static func items(_ problem: String) -> Failure {
    Failure(
      "the items cannot be read: \(problem)", .parameter,
      hint: "`for_each` takes a list, or a .csv, .json or .jsonl file in the workflow's folder")
  }

  static let secretKey = Failure(
    "the item's `key` is a token, or resembles one, and would be written to journal and report",
    .policy,
    hint: "choose another `key`, such as an id or a name")

  static func duplicateKey(_ key: String) -> Failure {
    Failure(
      "another item already has the key '\(key)'", .duplicate,
      hint: "choose a `key` that differs for each item")
  }

  static func duplicateFile(_ path: String) -> Failure {
    Failure(
      "another item already has the file '\(path)'", .duplicate,
      hint: "choose a `file` that differs for each item")
  }

  static func fileName(_ placeholder: Placeholder, _ value: String) -> Failure {
    Failure(
      "\(placeholder.text) is '\(value.short)', which cannot be a part of a file's name",
      .parameter,
      hint: "choose a `file` that is made of ids and days")
  }

  static func emptyKey(_ template: Template) -> Failure {
    Failure(
      "the key \(template.text) is empty for this item", .parameter,
      hint: "choose a `key` that every item has")
  }

  static func header(_ name: String) -> Failure {
    Failure(
      "the value of the header '\(name)' contains control characters", .parameter,
      hint: "a header value is one line of text")
  }

  static func file(_ path: String, _ problem: String) -> Failure {
    Failure(
      "cannot attach '\(path)': \(problem)", .parameter,
      hint: "attached files must be in the workflow's folder")
  }
}
