/// Matching with wildcards, in time that grows with the product of both lengths and no faster.
enum Wildcards {
  /// Whether things match patterns, one after the other; a pattern that is nil matches any number.
  static func match<Thing, Pattern>(
    _ things: ArraySlice<Thing>,
    _ patterns: ArraySlice<Pattern?>,
    _ matches: (Thing, Pattern) -> Bool
  ) -> Bool {
    var thing = things.startIndex
    var pattern = patterns.startIndex
    /// Where to go on when what follows the last wildcard did not match.
    var retry: (thing: Int, pattern: Int)?
    while thing < things.endIndex {
      if pattern < patterns.endIndex {
        guard let own = patterns[pattern] else {
          pattern += 1
          retry = (thing, pattern)
          continue
        }
        if matches(things[thing], own) {
          thing += 1
          pattern += 1
          continue
        }
      }
      guard let last = retry else { return false }
      thing = last.thing + 1
      pattern = last.pattern
      retry = (thing, pattern)
    }
    return patterns[pattern...].allSatisfy { $0 == nil }
  }
}
