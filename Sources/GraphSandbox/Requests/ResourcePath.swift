/// The decoded segments of a path, the version aside.
///
/// Most paths have one, which then needs no memory of a list.
struct ResourcePath: RandomAccessCollection, Sendable {
  /// What is read or written: `me`, an id, a name.
  let first: String?
  private let rest: [String]

  init(_ segments: some RandomAccessCollection<String>) {
    first = segments.first
    rest = segments.count > 1 ? Array(segments.dropFirst()) : []
  }

  var startIndex: Int { 0 }
  var endIndex: Int { (first == nil ? 0 : 1) + rest.count }

  subscript(position: Int) -> String {
    guard position == 0, let first else { return rest[position - 1] }
    return first
  }
}

extension ResourcePath: ExpressibleByArrayLiteral {
  init(arrayLiteral segments: String...) { self.init(segments) }
}
