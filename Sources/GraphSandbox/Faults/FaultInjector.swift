/// Determines the faults of calls and operations, in the order in which they arrive.
///
/// The same plan, seed, calls and times give the same faults.
struct FaultInjector: Sendable {
  /// The faults of a call, apart from those of its operations.
  struct CallEffects: Sendable {
    var call: CallFault?
    /// Each with the token that it affects.
    var world: [(fault: WorldFault, token: String?)] = []
  }

  /// A rule, and how many matches it has counted.
  private struct Tally {
    let rule: FaultRule
    var count = 0
    var generatorState: UInt64

    /// Counts a match; returns whether the fault happens at it.
    mutating func countMatch() -> Bool {
      count += 1
      switch rule.condition.occasion {
      case .always: return true
      case .nth(let number): return count == number
      case .everyNth(let number): return number > 0 && count.isMultiple(of: number)
      case .first(let number): return count <= number
      case .chance(let probability):
        return SeededText.fraction(&generatorState) < probability
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
      Tally(rule: rule, generatorState: seed &+ UInt64(index) &* 0xD1B5_4A32_D192_ED03)
    }
  }

  var isEmpty: Bool { tallies.isEmpty }

  /// Starts a call and returns its faults; `time` is in seconds.
  mutating func startCall(_ operations: [FaultSubject], at time: Int) -> CallEffects {
    now = time
    if start == nil { start = time }
    partial = nil
    var effects = CallEffects()
    for index in tallies.indices {
      switch tallies[index].rule.effect {
      case .operation: continue
      case .call(let fault):
        guard countMatch(ofRule: index, in: operations) != nil, effects.call == nil else {
          continue
        }
        effects.call = fault
        if case .partial(let first, let form, let execution) = fault {
          partial = (first, .unfinished(form, execution))
        }
      case .world(let fault):
        guard let subject = countMatch(ofRule: index, in: operations) else { continue }
        effects.world.append((fault, subject.token))
      }
    }
    return effects
  }

  mutating func effect(for operation: FaultSubject) -> OperationFault? {
    var effect: OperationFault?
    if let partial, let index = operation.index, index >= partial.first { effect = partial.fault }
    for index in tallies.indices {
      guard case .operation(let fault) = tallies[index].rule.effect,
        countMatch(ofRule: index, in: [operation]) != nil
      else { continue }
      effect = effect ?? fault
    }
    return effect
  }

  /// Counts a match of a rule; returns the first matching operation if the fault happens to it.
  private mutating func countMatch(
    ofRule index: Int, in operations: [FaultSubject]
  ) -> FaultSubject? {
    let condition = tallies[index].rule.condition
    guard .seconds(now - (start ?? now)) >= condition.delay else { return nil }
    let subject =
      operations.first { condition.matches($0) }
      // A refused call has no operations, but unrestricted rules match it.
      ?? (condition.needsOperation ? nil : FaultSubject(method: "", path: []))
    guard let subject, tallies[index].countMatch() else { return nil }
    return subject
  }
}

/// The state of a sandbox's faults, which is part of the world.
struct FaultState: Sendable {
  /// A number of reads that still see earlier objects.
  struct Lag: Sendable {
    var reads: Int
    let objects: ObjectTable
  }

  var injector = FaultInjector(FaultPlan(), seed: 0)
  var lag: Lag?

  /// The objects that a read sees while a write lags; it counts as one of the reads.
  mutating func laggingObjects() -> ObjectTable? {
    guard let seen = lag, seen.reads > 0 else {
      lag = nil
      return nil
    }
    lag?.reads -= 1
    return seen.objects
  }
}
