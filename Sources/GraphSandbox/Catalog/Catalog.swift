import JSONPath

/// What Graph has: node types, their fields, their edges, and the parameters of calls.
///
/// The data, `graph.txt`, is what Meta's own SDK knows; `scripts/update-catalog` writes it. A line is a
/// node type, one of its fields (`.NAME KIND`), or one of its calls (`/EDGE METHOD TARGETS
/// PARAMETERS`; the edge of a call of the node itself is empty).
struct Catalog: Sendable {
  static let graph = Catalog(PackageResources.graph_txt)

  /// First path segments of Graph that are not nodes and that the sandbox does not serve.
  static let roots: Set = [
    "ads_archive", "ig_hashtag_search", "instagram_oembed", "oembed_page", "oembed_post",
    "oembed_video", "pages",
  ]

  /// The kind of a field's value.
  enum Kind: String, Sendable {
    case any, bool, list, number, object, string
    /// A text such as `2026-01-15T12:00:00+0000`.
    case time
  }

  /// A name of fields and edges.
  struct Name: Sendable {
    let text: String
    /// The name as the key of a member: `"name":`.
    let key: [UInt8]
    let special: FieldName.Special?

    init(_ text: String) {
      self.text = text
      key = Array("\"\(text)\":".utf8)
      special = FieldName.Special(rawValue: text)
    }
  }

  /// What a name is on objects of one type.
  struct Member: Sendable {
    /// The kind of the field's value; nil: Graph has no such field.
    fileprivate(set) var kind: Kind?
    /// Whether the sandbox serves an edge of this name.
    fileprivate(set) var isEdge = false
  }

  /// A call that Graph has.
  struct Call: Sendable {
    /// The types of the objects that a read lists; none if they are not nodes.
    let targets: [NodeType]
    /// The permissions of which a read needs one; empty: it needs none.
    let permissions: [String]
    /// The names of its parameters, separated by commas.
    fileprivate let parameters: ArraySlice<UInt8>

    func takes(_ parameter: ArraySlice<UInt8>) -> Bool {
      var rest = parameters
      while rest.count >= parameter.count {
        let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
        if rest[..<end] == parameter { return true }
        rest = rest[end...].dropFirst()
      }
      return false
    }

    func takes(_ parameter: String) -> Bool { takes(Array(parameter.utf8)[...]) }
  }

  private struct CallKey: Hashable {
    let type: NodeType
    let method: GraphMethod
    let edge: FieldName?
  }

  private(set) var types: [String] = []
  private(set) var names: [Name] = []
  /// For each type and name.
  private var members: [Member] = []
  private var calls: [CallKey: Call] = [:]
  /// The indices of names by the hashes of their texts; a used slot sends a text on to the next one.
  private var slots: [UInt16?] = []

  private init(_ text: [UInt8]) {
    let lines = text.split(separator: UInt8(ascii: "\n"))
      .filter { $0.first != UInt8(ascii: "#") }
      .map { $0.split(separator: UInt8(ascii: " ")) }
    // Names that only the sandbox itself uses.
    var texts: Set = ["attached", "figures", "finished_at", "is_carousel_item"]
    for words in lines {
      if words.count > 1 {
        texts.insert(String(decoding: words[0].dropFirst(), as: UTF8.self))
      } else {
        types.append(String(decoding: words[0], as: UTF8.self))
      }
    }
    names = texts.subtracting([""]).sorted().map(Name.init)
    slots = Self.slots(of: names)
    members = Array(repeating: Member(), count: types.count * names.count)
    var type = NodeType(index: .max)
    for words in lines {
      let name = index(of: words[0].dropFirst()).map { FieldName(index: $0) }
      switch words.count {
      case 1: type = NodeType(index: type.index &+ 1)
      case 2:
        guard let name else { continue }
        members[place(name, type)].kind = Kind(rawValue: String(decoding: words[1], as: UTF8.self))
      default: add(words, name, to: type)
      }
    }
  }

  private mutating func add(_ words: [ArraySlice<UInt8>], _ edge: FieldName?, to type: NodeType) {
    guard let method = GraphMethod(rawValue: String(decoding: words[1], as: UTF8.self)) else {
      return
    }
    let targets = words[2].split(separator: UInt8(ascii: ","))
      .compactMap { self.type(named: String(decoding: $0, as: UTF8.self)) }
    let access = EdgeAccess(
      edge.map { names[Int($0.index)].text } ?? "", of: types[Int(type.index)])
    calls[CallKey(type: type, method: method, edge: edge)] = Call(
      targets: targets, permissions: access.permissions, parameters: words[3])
    if let edge, access.isServed(listing: targets.count, method) {
      members[place(edge, type)].isEdge = true
    }
  }

  func type(named name: String) -> NodeType? {
    types.firstIndex(of: name).map { NodeType(index: UInt8($0)) }
  }

  private func place(_ name: FieldName, _ type: NodeType) -> Int {
    Int(type.index) * names.count + Int(name.index)
  }

  subscript(name: FieldName, type: NodeType) -> Member { members[place(name, type)] }

  /// The call of an edge, or of the node itself.
  func call(_ method: GraphMethod, _ edge: FieldName?, of type: NodeType) -> Call? {
    calls[CallKey(type: type, method: method, edge: edge)]
  }

  /// Whether Graph has a field or an edge of this name on objects of a type.
  func has(_ name: String, on type: NodeType) -> Bool {
    guard let name = FieldName(name) else { return false }
    return self[name, type].kind != nil || call(.get, name, of: type) != nil
      || call(.post, name, of: type) != nil
  }

  /// The names of which something is true on objects of a type.
  func names(of type: NodeType, where isIncluded: (Member) -> Bool) -> [FieldName] {
    names.indices.map { FieldName(index: UInt16($0)) }.filter { isIncluded(self[$0, type]) }
  }
}

// MARK: - Names

extension Catalog {
  private static let slotCount = 8_192

  private static func slots(of names: [Name]) -> [UInt16?] {
    var slots = [UInt16?](repeating: nil, count: slotCount)
    for (index, name) in names.enumerated() {
      var slot = hash(Array(name.text.utf8)[...])
      while slots[slot] != nil { slot = (slot + 1) % slotCount }
      slots[slot] = UInt16(index)
    }
    return slots
  }

  /// FNV-1a; the table's texts are fixed, so nobody can make them collide.
  private static func hash(_ text: ArraySlice<UInt8>) -> Int {
    var hash: UInt32 = 2_166_136_261
    for byte in text { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return Int(hash) % slotCount
  }

  func index(of text: ArraySlice<UInt8>) -> UInt16? {
    guard text.count < 80 else { return nil }
    var slot = Self.hash(text)
    while let index = slots[slot] {
      let key = names[Int(index)].key
      if key.count == text.count + 3, key[1...].starts(with: text) { return index }
      slot = (slot + 1) % Self.slotCount
    }
    return nil
  }
}
