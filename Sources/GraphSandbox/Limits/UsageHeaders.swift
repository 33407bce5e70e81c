/// The usage headers of an answer (docs/graph-api.md, Rate limits).
///
/// A class, because the same ones are told many times.
final class UsageHeaders: Sendable {
  /// `X-App-Usage`; always there.
  let app: String
  /// The others, by name.
  let others: [Header]
  /// All of them as the last elements of an item's `headers`.
  let itemText: [UInt8]

  struct Header: Hashable, Sendable {
    let name: String
    let value: String
  }

  /// What stands where nobody looks.
  static let unseen = UsageHeaders(app: "")

  init(app: String, others: [Header] = []) {
    self.app = app
    self.others = others
    itemText = ItemText.usage(others + [Header(name: "X-App-Usage", value: app)])
  }
}
