internal import Crypto
internal import GraphAPI
internal import JSONPath

/// A list of items without keys: an item's key is where it stood when the list was first read.
///
/// A list that comes from answers may have grown when the run goes on, in its middle, too: its items
/// are known again by their ids, or by all that they are.
package struct ItemList: Hashable, Sendable {
  /// The index of the first request that is sent for each item.
  package var request: Int
  /// A digest of each item, by its key.
  package var digests: [String]

  /// Describes a list.
  package init(request: Int, digests: [String] = []) {
    self.request = request
    self.digests = digests
  }

  /// Finds the keys of a list's items; those that were not there before come last.
  ///
  /// - Parameter items: the list as it is now.
  /// - Returns: the key of each; nil if some are gone and others are new, for then nobody can tell
  ///   whether they are the same.
  mutating func keys(of items: [JSON]) -> [Int]? {
    var known: [String: ArraySlice<Int>] = [:]
    for (key, digest) in digests.enumerated() { known[digest, default: []].append(key) }
    let count = digests.count
    let ids = Dictionary(grouping: items) { $0["id"]?.idText }
    let keys = items.map { item in
      // Items that share an id differ in something else.
      let id = item["id"]?.idText.flatMap { ids[$0]?.count == 1 ? JSON.string($0) : nil }
      let digest = Self.digest(of: id ?? item)
      if let key = known[digest]?.popFirst() { return key }
      digests.append(digest)
      return digests.count - 1
    }
    let hasLost = known.values.contains { !$0.isEmpty }
    return hasLost && digests.count > count ? nil : keys
  }

  private static func digest(of value: JSON) -> String {
    let hash = SHA256.hash(data: Array(value.serialized().utf8))
    return Hexadecimal.text(of: hash.prefix(8))
  }
}
