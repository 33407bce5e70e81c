/// The usage headers of an answer (docs/graph-api.md, Rate limits).
struct UsageHeaders: Sendable {
  /// `X-App-Usage`; always there.
  let app: String
  /// The others, by name.
  var others: [Header] = []

  struct Header: Sendable {
    let name: String
    let value: String
  }

  /// What stands where nobody looks.
  static let unseen = UsageHeaders(app: "")
}
