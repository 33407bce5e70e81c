/// The usage headers of an answer (docs/internals/graph-api.md, Rate limits).
struct UsageHeaders: Sendable {
  /// `X-App-Usage`; always present.
  let app: String
  var others: [(name: String, value: String)] = []

  static let business = "X-Business-Use-Case-Usage"

  /// A placeholder for an item without headers.
  static let omitted = UsageHeaders(app: "")
}
