/// The usage headers of an answer (docs/graph-api.md, Rate limits).
struct UsageHeaders: Hashable, Sendable {
  /// `X-App-Usage`; always there.
  var app: String
  /// The others, by name.
  var others: [Header] = []

  /// What stands where nobody looks.
  static let unseen = UsageHeaders(app: "")

  struct Header: Hashable, Sendable {
    let name: String
    let value: String
  }
}
