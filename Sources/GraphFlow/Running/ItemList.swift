internal import Crypto
internal import GraphAPI
internal import JSONPath

/// A list of items without keys, which a run that goes on knows by their positions.
///
/// A list that comes from an answer, or from a file that has changed, may be another one by then.
/// Only if it begins as it did before are the positions the same items.
public struct ItemList: Hashable, Sendable {
  /// The index of the first request that is sent for each item.
  public var request: Int
  /// How many items there are.
  public var count: Int
  /// The SHA-256 of the items, in lower-case hexadecimal: of their ids, where they have some.
  public var digest: String

  /// Describes a list that a journal names.
  public init(request: Int, count: Int, digest: String) {
    self.request = request
    self.count = count
    self.digest = digest
  }

  /// Describes the first items of a list.
  init(request: Int, _ items: some Sequence<JSON>) {
    var hash = SHA256()
    var count = 0
    for item in items {
      count += 1
      let id = item["id"]?.idText.map(JSON.string)
      hash.update(data: Array((id ?? item).serialized().utf8) + [0x0A])
    }
    self.init(request: request, count: count, digest: Hexadecimal.text(of: hash.finalize()))
  }

  /// Whether another list begins with the same items.
  func begins(_ items: [JSON]) -> Bool {
    items.count >= count && ItemList(request: request, items.prefix(count)) == self
  }
}
