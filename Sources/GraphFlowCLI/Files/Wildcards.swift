/// Matches wildcards, in time proportional to the product of both lengths at most.
enum Wildcards {
  /// Whether elements match patterns, in order; a pattern that is nil matches any number of elements.
  static func match<Element, Pattern>(
    _ elements: ArraySlice<Element>, _ patterns: ArraySlice<Pattern?>,
    _ matches: (Element, Pattern) -> Bool
  ) -> Bool {
    var element = elements.startIndex
    var pattern = patterns.startIndex
    /// Where to continue if the patterns after the last wildcard did not match.
    var retry: (element: Int, pattern: Int)?
    while element < elements.endIndex {
      if pattern < patterns.endIndex {
        guard let own = patterns[pattern] else {
          pattern += 1
          retry = (element, pattern)
          continue
        }
        if matches(elements[element], own) {
          element += 1
          pattern += 1
          continue
        }
      }
      guard let last = retry else { return false }
      element = last.element + 1
      pattern = last.pattern
      retry = (element, pattern)
    }
    return patterns[pattern...].allSatisfy { $0 == nil }
  }
}
