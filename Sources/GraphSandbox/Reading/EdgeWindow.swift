/// One page of an edge: its objects, and whether there are others before or after it.
struct EdgeWindow {
  /// In the order of the answer.
  let entries: [EdgeList.Entry]
  let hasNext: Bool
  let hasPrevious: Bool
  /// The number of objects before the page; nil if cursors set its place.
  let offset: Int?
  /// The largest number of objects.
  let limit: Int

  /// The limit of a read without `limit`, and the highest limit.
  static let standardLimit = 25
  static let maximumLimit = 100

  /// The page of a list that `limit`, `after`, `before` and `offset` select.
  init(_ list: EdgeList, isNewestFirst: Bool, _ parameters: Parameters) throws(GraphFault) {
    let limit = try Self.limit(parameters["limit"])
    let after = try parameters["after"].nonEmpty.map(Cursor.number)
    let before = try parameters["before"].nonEmpty.map(Cursor.number)
    let all = list.entries
    self.limit = limit
    if after == nil, before == nil, let text = parameters["offset"].nonEmpty {
      guard let given = Int(text), given >= 0 else {
        throw .parameterMalformed("offset", "a non-negative integer")
      }
      let offset = min(given, all.count)
      let count = min(limit, all.count - offset)
      entries =
        isNewestFirst
        ? all[(all.count - offset - count)..<(all.count - offset)].reversed()
        : Array(all[offset..<(offset + count)])
      hasNext = offset + count < all.count
      hasPrevious = offset > 0
      self.offset = offset
      return
    }
    offset = nil
    var start = 0
    var end = all.count
    // "after" means larger numbers if the oldest comes first, and smaller ones otherwise.
    if let bound = isNewestFirst ? before : after { start = list.index(from: bound &+ 1) }
    if let bound = isNewestFirst ? after : before { end = list.index(from: bound) }
    start = min(start, end)
    let keepsEnd = isNewestFirst ? before == nil || after != nil : before != nil && after == nil
    if keepsEnd { start = max(start, end - limit) } else { end = min(end, start + limit) }
    let shown = all[start..<end]
    entries = isNewestFirst ? shown.reversed() : Array(shown)
    hasNext = isNewestFirst ? start > 0 : end < all.count
    hasPrevious = isNewestFirst ? end < all.count : start > 0
  }

  private static func limit(_ text: String?) throws(GraphFault) -> Int {
    guard let text = text.nonEmpty else { return standardLimit }
    guard let limit = Int(text), limit >= 0 else {
      throw .parameterMalformed("limit", "a non-negative integer")
    }
    return min(limit, maximumLimit)
  }
}

extension String? {
  fileprivate var nonEmpty: String? { self.flatMap { $0.isEmpty ? nil : $0 } }
}
