extension IRegexpProgram {
  /// How much of a text a pattern must match.
  enum Extent {
    /// All of it (`match`).
    case whole
    /// Any part of it, perhaps an empty one (`search`).
    case part
  }

  /// Whether the pattern matches the text; spends one step for each tried state.
  func matches(
    _ text: String, _ extent: Extent, _ steps: inout StepCounter
  ) throws(QueryLimitExceeded) -> Bool {
    let scalars = text.unicodeScalars
    var current = StateSet(count: instructions.count)
    var following = StateSet(count: instructions.count)
    var place = (isBeginning: true, isEnd: scalars.isEmpty)
    follow(0, at: place, into: &current)
    var index = scalars.startIndex
    while index < scalars.endIndex {
      switch extent {
      case .whole: if current.consuming.isEmpty { return false }
      case .part: if current.accepts { return true }
      }
      try steps.spend(current.work)
      let scalar = scalars[index]
      scalars.formIndex(after: &index)
      place = (isBeginning: false, isEnd: index == scalars.endIndex)
      following.removeAll()
      for state in current.consuming {
        guard case .consume(let set) = instructions[state], set.contains(scalar) else { continue }
        follow(state + 1, at: place, into: &following)
      }
      // A part may begin after every character.
      if extent == .part { follow(0, at: place, into: &following) }
      swap(&current, &following)
    }
    return current.accepts
  }

  /// Adds a state and all states that it reaches without consuming a character.
  private func follow(_ start: Int, at place: Place, into states: inout StateSet) {
    states.pending.append(start)
    while let state = states.pending.popLast() {
      guard states.insert(state) else { continue }
      switch instructions[state] {
      case .consume(let set): states.addConsuming(state, weight: set.weight)
      case .split(let first, let second):
        states.pending.append(second)
        states.pending.append(first)
      case .jump(let target): states.pending.append(target)
      case .beginning: if place.isBeginning { states.pending.append(state + 1) }
      case .end: if place.isEnd { states.pending.append(state + 1) }
      case .accept: states.accepts = true
      }
    }
  }
}

/// The machine's place in the text, as anchors need it.
private typealias Place = (isBeginning: Bool, isEnd: Bool)

/// The states that the machine may be in at one place of the text.
private struct StateSet {
  /// The states that wait for a character.
  private(set) var consuming: [Int] = []
  /// Whether the pattern matches the text so far.
  var accepts = false
  /// The number of steps to the next place.
  private(set) var work = 1
  /// States still to be followed; a property to reuse its storage.
  var pending: [Int] = []
  /// The generation in which each state was last added, so that emptying the set costs nothing.
  private var generations: [Int]
  private var generation = 1

  init(count: Int) { generations = Array(repeating: 0, count: count) }

  mutating func removeAll() {
    consuming.removeAll(keepingCapacity: true)
    accepts = false
    work = 1
    generation += 1
  }

  /// Adds a state; false if it is already in the set.
  mutating func insert(_ state: Int) -> Bool {
    guard generations[state] != generation else { return false }
    generations[state] = generation
    work += 1
    return true
  }

  mutating func addConsuming(_ state: Int, weight: Int) {
    consuming.append(state)
    work += weight
  }
}
