/// A read of one edge.
struct EdgeRequest {
  let edge: Edge
  /// `limit`, `after`, `before`, `summary` and others; paging links repeat them.
  let parameters: Parameters
  let selection: FieldSelection?

  /// What is selected of an entry, and whether that includes how somebody reacted, which is a field of
  /// the reaction and not of the person (Graph API, Object Reactions).
  var ofEntry: (node: FieldSelection?, hasReaction: Bool) {
    guard edge == .reactions else { return (selection, false) }
    let node = selection?.removing(FieldName("type"))
    return (node, node.map { $0.fields.count < selection?.fields.count ?? 0 } ?? true)
  }

  /// The times from `since` to `until`; nil without both (docs/internals/graph-api.md,
  /// Reading).
  func times(at now: Int) throws(GraphFault) -> ClosedRange<Int>? {
    guard parameters.contains("since") || parameters.contains("until") else { return nil }
    let since = try time("since", at: now) ?? 0
    let until = try time("until", at: now) ?? .max
    return since...max(since, until)
  }

  /// The time that a parameter means; nil without it.
  func time(_ name: String, at now: Int) throws(GraphFault) -> Int? {
    guard let text = parameters[name], !text.isEmpty else { return nil }
    guard let time = GraphTime.seconds(text) ?? TimePhrase.seconds(text, at: now) else {
      throw .parameterMalformed(name, "a UNIX timestamp, a date, or a phrase such as -1 week")
    }
    return time
  }

  /// Whether the newest object comes first; `order` reverses comments.
  var isNewestFirst: Bool {
    get throws(GraphFault) {
      guard edge == .comments, let order = parameters["order"] else { return edge.isNewestFirst }
      guard ["chronological", "ranked", "reverse_chronological"].contains(order) else {
        throw .parameterMalformed("order", "chronological, ranked or reverse_chronological")
      }
      return order == "reverse_chronological"
    }
  }

  /// The members of `summary`; none if the answer has no summary.
  var summary: [String] {
    guard edge.alwaysSummarizes || parameters.contains("summary") else { return [] }
    let all =
      switch edge {
      case .likes: ["total_count", "can_like", "has_liked"]
      case .comments: ["order", "total_count", "can_comment"]
      default: ["total_count"]
      }
    let wanted = parameters.words("summary")
    if wanted == ["true"] || wanted == ["1"] { return all }
    let known = all.filter(wanted.contains)
    return known.isEmpty && edge.alwaysSummarizes ? all : known
  }
}

/// One page of an edge: its objects, and whether there are others before or after it.
struct EdgeWindow {
  /// In the order in which they were added.
  let entries: ArraySlice<EdgeList.Entry>
  let isNewestFirst: Bool
  let hasNext: Bool
  let hasPrevious: Bool
  /// The number of objects before the page; nil if cursors set its place.
  let offset: Int?
  /// The largest number of objects.
  let limit: Int

  /// The limit of a read without `limit`, and the highest limit.
  private static let standardLimit = 25
  private static let maximumLimit = 100

  /// The page of a list that `limit`, `after`, `before` and `offset` select.
  init(_ list: EdgeList, isNewestFirst: Bool, _ parameters: Parameters) throws(GraphFault) {
    let limit = min(try Self.number("limit", parameters) ?? Self.standardLimit, Self.maximumLimit)
    let after = try Self.text("after", parameters).map(Cursor.number)
    let before = try Self.text("before", parameters).map(Cursor.number)
    let all = list.entries
    var start = 0
    var end = all.count
    if after == nil, before == nil, let given = try Self.number("offset", parameters) {
      let offset = min(given, all.count)
      self.offset = offset
      let count = min(limit, all.count - offset)
      start = isNewestFirst ? all.count - offset - count : offset
      end = start + count
    } else {
      offset = nil
      // "after" means larger numbers if the oldest comes first, and smaller ones otherwise.
      if let bound = isNewestFirst ? before : after { start = list.index(from: bound &+ 1) }
      if let bound = isNewestFirst ? after : before { end = list.index(from: bound) }
      start = min(start, end)
      let keepsEnd = isNewestFirst ? before == nil || after != nil : before != nil && after == nil
      if keepsEnd { start = max(start, end - limit) } else { end = min(end, start + limit) }
    }
    entries = all[start..<end]
    hasNext = isNewestFirst ? start > 0 : end < all.count
    hasPrevious = isNewestFirst ? end < all.count : start > 0
    self.limit = limit
    self.isNewestFirst = isNewestFirst
  }

  /// The first and the last object in the order of the answer.
  var first: EdgeList.Entry? { isNewestFirst ? entries.last : entries.first }
  var last: EdgeList.Entry? { isNewestFirst ? entries.first : entries.last }

  static func text(_ name: String, _ parameters: Parameters) -> String? {
    parameters[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  static func number(_ name: String, _ parameters: Parameters) throws(GraphFault) -> Int? {
    guard let text = text(name, parameters) else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw .parameterMalformed(name, "a non-negative integer")
    }
    return number
  }
}

/// The opaque text for a place in an edge.
enum Cursor {
  private static let prefix: StaticString = "QVFI"
  private static let suffix = "ZD"

  static func append(_ number: Int, to output: inout [UInt8]) {
    GraphText.put(prefix, to: &output)
    // At least eight digits, at most thirteen, and the suffix.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 15) { text in
      (text[13], text[14]) = (UInt8(ascii: "Z"), UInt8(ascii: "D"))
      var (start, rest) = (13, UInt(number))
      while rest > 0 || start > 5 {
        let digit = UInt8(truncatingIfNeeded: rest % 36)
        start &-= 1
        text[start] = digit < 10 ? UInt8(ascii: "0") &+ digit : UInt8(ascii: "A") &- 10 &+ digit
        rest /= 36
      }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }
  }

  /// The number in a cursor's text.
  static func number(_ text: String) throws(GraphFault) -> Int {
    let prefix = prefix.description
    guard text.hasPrefix(prefix), text.hasSuffix(suffix), text.utf8.count <= 24,
      let number = Int(text.dropFirst(prefix.count).dropLast(suffix.count), radix: 36), number >= 0
    else { throw .cursorInvalid }
    return number
  }
}
