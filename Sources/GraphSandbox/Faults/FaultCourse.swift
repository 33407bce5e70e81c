/// The faults of a running sandbox: a fold over calls and operations.
///
/// The same plan, seed, calls and times give the same faults.
struct FaultCourse: Sendable {
  /// What goes wrong with a call before its operations are looked at.
  struct CallEffects: Sendable {
    var call: CallFault?
    /// With the tokens that they are about.
    var world: [(fault: WorldFault, token: String?)] = []
  }

  /// A rule, and how often it has matched.
  private struct Tally {
    let rule: FaultRule
    var count = 0
    var chance: UInt64

    /// Whether the next match is one at which it happens.
    mutating func next() -> Bool {
      count += 1
      switch rule.condition.occasion {
      case .always: return true
      case .nth(let number): return count == number
      case .everyNth(let number): return number > 0 && count.isMultiple(of: number)
      case .first(let number): return count <= number
      case .chance(let probability):
        return SeededText.fraction(&chance) < probability
      }
    }
  }

  private var tallies: [Tally]
  private var start: Int?
  private var now = 0
  private var partial: (first: Int, fault: OperationFault)?

  init(_ plan: FaultPlan, seed: UInt64) {
    let seed = plan.seed ?? seed
    tallies = plan.rules.enumerated().map { index, rule in
      Tally(rule: rule, chance: seed &+ UInt64(index) &* 0xD1B5_4A32_D192_ED03)
    }
  }

  /// Whether nothing can go wrong.
  var isEmpty: Bool { tallies.isEmpty }

  /// What goes wrong with a call; `time` is in seconds.
  mutating func begin(_ operations: [FaultSubject], at time: Int) -> CallEffects {
    now = time
    if start == nil { start = time }
    partial = nil
    var effects = CallEffects()
    for index in tallies.indices {
      switch tallies[index].rule.effect {
      case .operation: continue
      case .call(let fault):
        guard happens(index, to: operations) != nil, effects.call == nil else { continue }
        effects.call = fault
        if case .partial(let first, let form, let execution) = fault {
          partial = (first, .unfinished(form, execution))
        }
      case .world(let fault):
        guard let subject = happens(index, to: operations) else { continue }
        effects.world.append((fault, subject.token))
      }
    }
    return effects
  }

  /// What goes wrong with an operation of the call that has begun.
  mutating func effect(for operation: FaultSubject) -> OperationFault? {
    var effect: OperationFault?
    if let partial, let index = operation.index, index >= partial.first { effect = partial.fault }
    for index in tallies.indices {
      guard case .operation(let fault) = tallies[index].rule.effect,
        happens(index, to: [operation]) != nil
      else { continue }
      effect = effect ?? fault
    }
    return effect
  }

  /// Counts a match; the first operation that meets the rule's condition, if it happens to it.
  private mutating func happens(_ index: Int, to operations: [FaultSubject]) -> FaultSubject? {
    let condition = tallies[index].rule.condition
    guard .seconds(now - (start ?? now)) >= condition.delay else { return nil }
    let subject =
      operations.first { condition.matches($0) }
      // A call that is refused as a whole has no operations.
      ?? (condition.needsOperation ? nil : FaultSubject(method: "", path: []))
    guard let subject, tallies[index].next() else { return nil }
    return subject
  }
}
