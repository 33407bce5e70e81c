internal import Crypto
internal import GraphAPI
internal import JSONPath

/// A list of items without keys: the key of an item is its position when the list was first read.
///
/// A list from an answer may have grown before the run is resumed, even in its middle. Its items
/// are identified by their ids, or by their complete values.
package struct ItemList: Hashable, Sendable {
  /// The index of the first request that is sent for each item.
  package var request: Int
  /// A digest of each item, in the order of the keys.
  package var digests: [String] = []

  /// Finds the keys of a list's items; new items get the next keys.
  ///
  /// It returns nil if some items are gone and others are new, because the new ones may be changed
  /// versions of the old ones.
  mutating func keys(of items: [JSON]) -> [Int]? {
    var known: [String: ArraySlice<Int>] = [:]
    for (key, digest) in digests.enumerated() { known[digest, default: []].append(key) }
    let count = digests.count
    let ids = Dictionary(grouping: items) { $0["id"]?.idText }
    let keys = items.map { item in
      // Items with the same id differ in another member.
      let id = item["id"]?.idText.flatMap { ids[$0]?.count == 1 ? JSON.string($0) : nil }
      let digest = Self.digest(of: id ?? item)
      if let key = known[digest]?.popFirst() { return key }
      digests.append(digest)
      return digests.count - 1
    }
    let isMissingItems = known.values.contains { !$0.isEmpty }
    return isMissingItems && digests.count > count ? nil : keys
  }

  private static func digest(of value: JSON) -> String {
    let hash = SHA256.hash(data: Array(value.serialized().utf8))
    return Hexadecimal.text(of: hash.prefix(8))
  }
}
