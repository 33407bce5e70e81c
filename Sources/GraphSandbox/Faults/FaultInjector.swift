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
    /// Of its switch.
    let name: String
    let rule: FaultRule
    var isOn = true
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
      Tally(
        name: "file-\(index + 1)", rule: rule,
        generatorState: seed &+ UInt64(index) &* 0xD1B5_4A32_D192_ED03)
    }
  }

  /// Whether no fault can happen.
  var isEmpty: Bool { !tallies.contains(where: \.isOn) }

  /// Starts a call and returns its faults; `time` is in seconds.
  mutating func startCall(_ operations: [FaultSubject], at time: Int) -> CallEffects {
    now = time
    if start == nil { start = time }
    partial = nil
    var effects = CallEffects()
    for index in tallies.indices where tallies[index].isOn {
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
      guard tallies[index].isOn, case .operation(let fault) = tallies[index].rule.effect,
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

// MARK: - Switches

extension FaultInjector {
  /// The rules with their names, in their order, and whether they are on.
  var switches: [(name: String, rule: FaultRule, isOn: Bool)] {
    tallies.map { ($0.name, $0.rule, $0.isOn) }
  }

  /// Adds a rule that is on, in place of one with the same name.
  mutating func add(_ rule: FaultRule, named name: String) {
    let tally = Tally(name: name, rule: rule, generatorState: 0)
    if let index = tallies.firstIndex(where: { $0.name == name }) {
      tallies[index] = tally
    } else {
      tallies.append(tally)
    }
  }

  /// Switches a rule; what it has counted stays.
  ///
  /// - Returns: whether there is one with this name.
  mutating func setSwitch(_ name: String, isOn: Bool) -> Bool {
    guard let index = tallies.firstIndex(where: { $0.name == name }) else { return false }
    tallies[index].isOn = isOn
    return true
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

  /// The named faults, then the others in their order, each with whether it is on.
  var listed: [(name: String, summary: String, isOn: Bool)] {
    let switches = injector.switches
    let named = NamedFault.all.map { fault in
      guard let found = switches.first(where: { $0.name == fault.name }), found.isOn else {
        return (fault.name, fault.summary, false)
      }
      let isLimited = found.rule.condition != FaultCondition(method: fault.method)
      return (fault.name, isLimited ? found.rule.summary : fault.summary, true)
    }
    let names = Set(NamedFault.all.map(\.name))
    return named
      + switches.filter { !names.contains($0.name) }
      .map { ($0.name, $0.rule.summary, $0.isOn) }
  }
}
