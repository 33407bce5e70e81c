/// The usage headers of an answer (docs/internals/graph-api.md, Rate limits).
struct UsageHeaders: Sendable {
  /// `X-App-Usage`; always there.
  let app: String
  var others: [(name: String, value: String)] = []

  static let business = "X-Business-Use-Case-Usage"

  /// What stands where nobody looks.
  static let unseen = UsageHeaders(app: "")
}
