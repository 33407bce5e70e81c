import JSONPath

/// What Graph has: node types, their fields, their edges, and the parameters of calls.
///
/// The data, `graph.txt`, is what Meta's own SDK knows; `scripts/update-catalog` writes it. A line is a
/// node type, one of its fields (`.NAME KIND`), or one of its calls (`/EDGE METHOD TARGETS
/// PARAMETERS`; the edge of a call of the node itself is empty).
struct Catalog: Sendable {
  static let graph = Catalog(PackageResources.graph_txt)

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

    init(_ text: ArraySlice<UInt8>) {
      self.text = String(decoding: text, as: UTF8.self)
      let quote = UInt8(ascii: "\"")
      key = [quote] + text + [quote, UInt8(ascii: ":")]
      special = FieldName.Special(rawValue: self.text)
    }
  }

  /// What a name is on objects of one type.
  struct Member: Sendable {
    /// The kind of the field's value; nil: Graph has no such field.
    fileprivate(set) var kind: Kind?
    /// Whether the sandbox serves an edge of this name.
    fileprivate(set) var isEdge = false
    /// Where the read of the edge is; nil: Graph has none.
    fileprivate var read: UInt16?

    /// Whether Graph has an edge of this name, served or not.
    var isRead: Bool { read != nil }
  }

  /// A call that Graph has.
  ///
  /// A class, because every read asks for its call: a copy would retain each part.
  final class Call: Sendable {
    /// The types of the objects that a read lists; none if they are not nodes.
    let targets: [NodeType]
    /// The permissions of which a read needs one; empty: it needs none.
    let permissions: [String]
    /// The names of its parameters, separated by commas; `-` if it has none.
    private let parameters: ArraySlice<UInt8>

    fileprivate init(
      targets: [NodeType], permissions: [String], parameters: ArraySlice<UInt8>
    ) {
      (self.targets, self.permissions, self.parameters) = (targets, permissions, parameters)
    }

    func takes(_ parameter: Span<UInt8>) -> Bool {
      let comma = UInt8(ascii: ",")
      let parameters = parameters
      let names = parameters.span
      var start = 0
      while start < names.count {
        let end = names.firstIndex(of: comma, or: comma, from: start)
        if names.extracting(start..<end).hasSameBytes(as: parameter) { return true }
        start = end + 1
      }
      return false
    }

    func takes(_ parameter: String) -> Bool { takes(Array(parameter.utf8).span) }
  }

  private struct CallKey: Hashable {
    let type: NodeType
    let method: GraphMethod
    let edge: FieldName?
  }

  private(set) var types: [String] = []
  private var indicesOfTypes: [String: UInt8] = [:]
  private(set) var names: [Name] = []
  /// For each type and name.
  private var members: [Member] = []
  /// The reads of edges, which are found by their members, because lists of lists need many.
  private var reads: [Call] = []
  /// All other calls.
  private var calls: [CallKey: Call] = [:]
  /// The indices of names by the hashes of their texts; a used slot sends a text on to the next one.
  private var slots = [UInt16?](repeating: nil, count: slotCount)

  /// Names that only the sandbox itself uses.
  private static let ownNames = [
    "attached", "figures", "finished_at", "is_carousel_item", "replied_privately", "upload",
  ]

  /// Reads the table; a run on the sandbox waits for it, so each name is stored once, as it comes.
  private init(_ text: [UInt8]) {
    names.reserveCapacity(2_500)
    for name in Self.ownNames { _ = intern(Array(name.utf8)[...]) }
    var fields: [(type: NodeType, name: FieldName, kind: ArraySlice<UInt8>)] = []
    var edges: [(type: NodeType, name: FieldName?, words: [ArraySlice<UInt8>])] = []
    fields.reserveCapacity(3_000)
    var type = NodeType(index: .max)
    for line in text.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
      let words = line.split(separator: UInt8(ascii: " "))
      guard words.count > 1 else {
        type = NodeType(index: UInt8(types.count))
        types.append(String(decoding: line, as: UTF8.self))
        indicesOfTypes[types[types.count - 1]] = type.index
        continue
      }
      let name = words[0].count == 1 ? nil : intern(words[0].dropFirst())
      if words.count > 2 {
        edges.append((type, name, words))
      } else if let name {
        fields.append((type, name, words[1]))
      }
    }
    members = Array(repeating: Member(), count: types.count * names.count)
    for (type, name, kind) in fields {
      members[place(name, type)].kind = Kind(rawValue: String(decoding: kind, as: UTF8.self))
    }
    for (type, name, words) in edges { add(words, name, to: type) }
  }

  private mutating func add(_ words: [ArraySlice<UInt8>], _ edge: FieldName?, to type: NodeType) {
    guard let method = GraphMethod(rawValue: String(decoding: words[1], as: UTF8.self)) else {
      return
    }
    let targets = words[2].split(separator: UInt8(ascii: ","))
      .compactMap { self.type(named: String(decoding: $0, as: UTF8.self)) }
    let access = EdgeAccess(
      edge.map { names[Int($0.index)].text } ?? "", of: types[Int(type.index)])
    let call = Call(targets: targets, permissions: access.permissions, parameters: words[3])
    if method == .get, let edge {
      members[place(edge, type)].read = UInt16(reads.count)
      reads.append(call)
    } else {
      calls[CallKey(type: type, method: method, edge: edge)] = call
    }
    if let edge, access.isServed(listing: targets.count, method) {
      members[place(edge, type)].isEdge = true
    }
  }

  func type(named name: String) -> NodeType? {
    indicesOfTypes[name].map { NodeType(index: $0) }
  }

  private func place(_ name: FieldName, _ type: NodeType) -> Int {
    Int(type.index) * names.count + Int(name.index)
  }

  subscript(name: FieldName, type: NodeType) -> Member { members[place(name, type)] }

  /// The call of an edge, or of the node itself.
  func call(_ method: GraphMethod, _ edge: FieldName?, of type: NodeType) -> Call? {
    guard method == .get, let edge else {
      return calls[CallKey(type: type, method: method, edge: edge)]
    }
    return members[place(edge, type)].read.map { reads[Int($0)] }
  }

  /// Whether Graph has a field or an edge of this name on objects of a type; what only takes a POST is
  /// no edge for a GET.
  func has(_ name: String, on type: NodeType, _ method: GraphMethod) -> Bool {
    guard let name = FieldName(name) else { return false }
    return self[name, type].kind != nil || call(.get, name, of: type) != nil
      || method != .get && call(.post, name, of: type) != nil
  }

  /// The names of which something is true on objects of a type, sorted.
  func names(of type: NodeType, where isIncluded: (Member) -> Bool) -> [FieldName] {
    names.indices.map { FieldName(index: UInt16($0)) }.filter { isIncluded(self[$0, type]) }
      .sorted { names[Int($0.index)].text < names[Int($1.index)].text }
  }
}

// MARK: - Names

extension Catalog {
  private static let slotCount = 8_192

  /// FNV-1a; the table's texts are fixed, so nobody can make them collide.
  private static func hash(_ text: some Collection<UInt8>) -> Int {
    var hash: UInt32 = 2_166_136_261
    for byte in text { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return Int(hash) % slotCount
  }

  func index(of text: some Collection<UInt8>) -> UInt16? {
    text.count < 80 ? slots[slot(of: text)] : nil
  }

  /// The slot of a text, or the one that is free for it.
  private func slot(of text: some Collection<UInt8>) -> Int {
    var slot = Self.hash(text)
    while let index = slots[slot] {
      let key = names[Int(index)].key
      if key.count == text.count + 3, key[1...].starts(with: text) { break }
      slot = (slot + 1) % Self.slotCount
    }
    return slot
  }

  /// The name with a text, which is added if it is new.
  private mutating func intern(_ text: ArraySlice<UInt8>) -> FieldName {
    let slot = slot(of: text)
    if let index = slots[slot] { return FieldName(index: index) }
    let index = UInt16(names.count)
    slots[slot] = index
    names.append(Name(text))
    return FieldName(index: index)
  }
}
