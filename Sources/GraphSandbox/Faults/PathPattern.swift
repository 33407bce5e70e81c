/// A pattern for the path of an operation, without version and query.
///
/// `*` matches one segment, `**` any number of them: `*/feed` matches `me/feed` and `123/feed`.
package struct PathPattern: Hashable, Sendable, CustomStringConvertible {
  package let description: String
  private let segments: [String]

  /// The longest pattern, in segments.
  package static let maximumLength = 32

  /// Reads a pattern; nil if it is empty, too long, or holds a query or an empty segment.
  package init?(_ text: String) {
    var segments = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if segments.count > 1, segments.first?.isEmpty == true { segments.removeFirst() }
    guard segments.count <= Self.maximumLength, segments.allSatisfy({ !$0.isEmpty }),
      !text.utf8.contains(UInt8(ascii: "?"))
    else { return nil }
    description = text
    self.segments = segments.map { String(decoding: $0, as: UTF8.self) }
  }

  package func matches(_ path: [String]) -> Bool {
    // After each segment: all positions in the pattern that the path so far can reach.
    var places = closure(of: [0])
    for segment in path {
      var next: Set<Int> = []
      for place in places where place < segments.count {
        switch segments[place] {
        case "**": next.insert(place)
        case "*", segment: next.insert(place + 1)
        default: break
        }
      }
      guard !next.isEmpty else { return false }
      places = closure(of: next)
    }
    return places.contains(segments.count)
  }

  /// The places that are reachable without a segment, because `**` also matches none.
  private func closure(of places: Set<Int>) -> Set<Int> {
    var closed = places
    for var place in places {
      while place < segments.count, segments[place] == "**" {
        place += 1
        closed.insert(place)
      }
    }
    return closed
  }
}
