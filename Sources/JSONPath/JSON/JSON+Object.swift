extension JSON {
  /// The members of a JSON object, in text order, each name once.
  ///
  /// If a name repeats in a text, the last value counts, at the position of the first; RFC 8259 §4
  /// leaves this open.
  public struct Object: Sendable {
    /// A name and its value.
    public typealias Member = (name: String, value: JSON)

    /// The members, in order.
    public private(set) var members: [Member] = []
    /// The position of each name; empty while a linear search is faster.
    private var positions: [ScalarString: Int] = [:]

    /// The largest number of members without an index.
    private static let unindexedLimit = 16

    /// Makes an object without members.
    public init() {}

    /// Makes an object from members; if a name repeats, the last value counts.
    public init(_ members: [(String, JSON)]) {
      self.members.reserveCapacity(members.count)
      for (name, value) in members { self[name] = value }
    }

    /// Makes an object from members whose names are known to differ.
    package init(distinct members: [Member]) {
      self.members = members
      if members.count > Self.unindexedLimit { index() }
    }

    /// The number of members.
    public var count: Int { members.count }
    /// Whether there are no members.
    public var isEmpty: Bool { members.isEmpty }
    package var names: [String] { members.map(\.name) }

    /// The value of the member with that name, or nil if there is none.
    ///
    /// Setting a value replaces it in place or appends a member; setting nil removes the member.
    public subscript(name: String) -> JSON? {
      get { position(of: name).map { members[$0].value } }
      set {
        switch (position(of: name), newValue) {
        case (let position?, let value?): members[position].value = value
        case (let position?, nil):
          members.remove(at: position)
          index()
        case (nil, let value?): append(name, value)
        case (nil, nil): break
        }
      }
    }

    private func position(of name: String) -> Int? {
      positions.isEmpty
        ? members.firstIndex { $0.name.hasSameScalars(as: name) }
        : positions[ScalarString(name)]
    }

    private mutating func append(_ name: String, _ value: JSON) {
      members.append((name, value))
      if !positions.isEmpty {
        positions[ScalarString(name)] = members.count - 1
      } else if members.count > Self.unindexedLimit {
        index()
      }
    }

    private mutating func index() {
      positions = [:]
      guard members.count > Self.unindexedLimit else { return }
      for (position, member) in members.enumerated() {
        positions[ScalarString(member.name)] = position
      }
    }
  }
}

extension JSON.Object: Sequence {
  /// Iterates over the members in order.
  public func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }
}

extension JSON.Object: Hashable {
  /// Compares names and values, regardless of order.
  public static func == (left: JSON.Object, right: JSON.Object) -> Bool {
    left.count == right.count && left.allSatisfy { name, value in right[name] == value }
  }

  /// Hashes the members regardless of order.
  public func hash(into hasher: inout Hasher) {
    var sum = 0
    for (name, value) in members {
      var member = Hasher()
      member.combine(ScalarString(name))
      member.combine(value)
      sum &+= member.finalize()
    }
    hasher.combine(sum)
  }
}

extension JSON.Object: ExpressibleByDictionaryLiteral {
  /// Makes an object with its members in the order written.
  public init(dictionaryLiteral members: (String, JSON)...) { self.init(members) }
}
