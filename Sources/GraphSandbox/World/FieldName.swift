/// The name of a field or an edge: its place in the table of all of them.
///
/// Reads compare names all the time, and numbers are compared faster than texts.
struct FieldName: Hashable, Sendable {
  let index: UInt8

  /// The fields that do not only show a stored value.
  enum Special: String, Sendable {
    case id
    case email
    case accessToken = "access_token"
    case commentCount = "comment_count"
    case count
    case images
    case likeCount = "like_count"
    case link
    case mediaCount = "media_count"
    case permalinkURL = "permalink_url"
    case picture
    case source
    case statusCode = "status_code"
    case tasks
  }

  private struct Facts: Sendable {
    let text: String
    /// The name as the key of a member: `"name":`.
    let key: [UInt8]
    let holders: [NodeType]
    let edge: Edge?
    let special: Special?
  }

  private static let table: [Facts] = {
    // Names that are only stored.
    let others = [
      "figures", "finished_at",
    ]
    var holders: [String: [NodeType]] = [:]
    for type in NodeType.allCases {
      for name in type.fields { holders[name, default: []].append(type) }
    }
    let names = Set(holders.keys).union(Edge.allCases.map(\.rawValue)).union(others)
    return names.sorted().map { name in
      Facts(
        text: name, key: Array("\"\(name)\":".utf8), holders: holders[name] ?? [],
        edge: Edge(rawValue: name), special: Special(rawValue: name))
    }
  }()

  /// The table's indices by the hashes of their texts; a used slot sends a text on to the next one.
  private static let slots: [UInt8?] = {
    var slots = [UInt8?](repeating: nil, count: 1_024)
    for (index, facts) in table.enumerated() {
      var slot = hash(Array(facts.text.utf8)[...])
      while slots[slot] != nil { slot = (slot + 1) % slots.count }
      slots[slot] = UInt8(index)
    }
    return slots
  }()

  /// FNV-1a; the table's texts are fixed, so nobody can make them collide.
  private static func hash(_ text: ArraySlice<UInt8>) -> Int {
    var hash: UInt32 = 2_166_136_261
    for byte in text { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return Int(hash % 1_024)
  }

  init?(_ text: ArraySlice<UInt8>) {
    guard text.count < 64 else { return nil }
    var slot = Self.hash(text)
    while let index = Self.slots[slot] {
      let key = Self.table[Int(index)].key
      if key.count == text.count + 3, key[1...].starts(with: text) {
        self.index = index
        return
      }
      slot = (slot + 1) % 1_024
    }
    return nil
  }

  init?(_ text: String) { self.init(Array(text.utf8)[...]) }

  init(index: UInt8) { self.index = index }

  var text: String { Self.table[Int(index)].text }
  var key: [UInt8] { Self.table[Int(index)].key }
  var edge: Edge? { Self.table[Int(index)].edge }
  var special: Special? { Self.table[Int(index)].special }

  /// Whether the field shows a time.
  var isTime: Bool { text.hasSuffix("_time") || text == "timestamp" }

  /// Whether objects of a type have a field of this name.
  func isField(of type: NodeType) -> Bool { Self.table[Int(index)].holders.contains(type) }
}
