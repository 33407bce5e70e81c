import GraphFlow

/// Runs of a file whose windows have a state, night after night.
extension Story {
  /// A run that reads the windows that are still to be read.
  struct Night: Sendable {
    let workflow: Workflow
    let number: Int
    let selection: WindowSelection
  }

  /// Plays the nights of a world; the last one has no troubles at its end.
  mutating func play(_ nights: World.Nights) {
    var selected: Set<String> = []
    for (number, plan) in nights.plans.enumerated() where violations.isEmpty {
      guard let workflow = nights.workflow(retry: world.sketch) else {
        violations.append("the file of the nights is not valid")
        return
      }
      let isLast = number == nights.plans.count - 1
      let days = nights.days(to: plan, knowing: windows.statuses)
      selected.formUnion(days)
      night = Night(workflow: workflow, number: number, selection: plan.selection)
      windows.begin(night: number)
      inheritance = nil
      begin(
        checkedBy: Checker(world: nights.world(world, reading: days)), after: .seconds(24 * 3600),
        stream: 18)
      reach([.nightBegan])
      if isLast {
        play(plan.fates)
      } else {
        disturb(plan.fates)
        runProcess(.none)
      }
      count()
      check(days, of: nights)
    }
    guard violations.isEmpty else { return }
    // The last night has read everything again that is left.
    for day in nights.days(to: World.Nights.whole, knowing: windows.statuses)
    where !nights.isInLookback(day) && selected.contains(day) && checker.hasSucceeded {
      violations.append("I11: the window \(day) is lost")
    }
  }

  /// I11: a night reads its windows and no others, and a window counts as read only with its file.
  private mutating func check(_ days: Set<String>, of nights: World.Nights) {
    for arrival in server.ledger.arrivals where arrival.reference.hasPrefix("day-") {
      let day = String(arrival.reference.dropFirst(4))
      if !days.contains(day) {
        violations.append("I11: the window \(day) was read, and is not one of this night")
      }
    }
    violations += windows.violations
    if checker.hasSucceeded {
      for day in days.sorted() where windows.statuses[day] != true {
        violations.append("I11: the run has succeeded, and the window \(day) is not read")
      }
    }
    reach(windows.takeReached())
  }
}

extension World {
  /// Runs of a file with windows, one after the other.
  struct Nights: Sendable {
    /// What one night does.
    struct Plan: Sendable {
      /// The numbers of the first and the last day of a backfill; nil for the range of the file.
      let range: ClosedRange<Int>?
      let selection: WindowSelection
      let fates: [Fate]
    }

    let count: Int
    let lookback: Int
    private(set) var plans: [Plan] = []

    static let whole = Plan(range: nil, selection: WindowSelection(), fates: [])

    init?(seed: UInt64) {
      var generator = SeededGenerator(seed, stream: 17)
      guard generator.happens(100) else { return nil }
      count = generator.from(1...9)
      lookback = generator.below(4)
      for _ in 0...generator.below(4) { plans.append(plan(&generator)) }
      let last = fates(&generator)
      plans.append(Plan(range: nil, selection: WindowSelection(), fates: last))
    }

    private func fates(_ generator: inout SeededGenerator) -> [Fate] {
      // Of each window there are an answer, an outcome, a file and a bookmark.
      (0..<generator.below(5)).map { _ in Fate(&generator, steps: 6 + 3 * count) }
    }

    private func plan(_ generator: inout SeededGenerator) -> Plan {
      var (selection, range) = (WindowSelection(), ClosedRange<Int>?.none)
      if generator.happens(400) {
        let first = generator.below(count)
        let days = first...generator.from(first...count - 1)
        range = days
        selection.backfill = WindowSelection.Backfill(
          "\(Self.day(days.lowerBound))..\(Self.day(days.upperBound))")
      }
      selection.reprocessing = generator.pick([.failed, .failed, .all, .none])
      selection.isNewestFirst = generator.happens(300)
      let fates = fates(&generator)
      return Plan(range: range, selection: selection, fates: fates)
    }

    /// A day by its number, in November 2025.
    static func day(_ number: Int) -> String { "2025-11-0\(number + 1)" }

    func isInLookback(_ day: String) -> Bool {
      (max(0, count - lookback)..<count).contains { Self.day($0) == day }
    }

    /// The days that a night has to read: those of its range that are not read, or in the look-back.
    func days(to plan: Plan, knowing statuses: [String: Bool]) -> Set<String> {
      let range = plan.range ?? 0...(count - 1)
      return Set(
        range.map(Self.day).filter { day in
          guard let isRead = statuses[day], !isInLookback(day) else { return true }
          switch plan.selection.reprocessing {
          case .all: return true
          case .failed: return !isRead
          case .none: return false
          }
        })
    }

    /// The world of a night, for its checker.
    func world(_ world: World, reading days: Set<String>) -> World {
      var world = world
      world.sketch.requests = [Sketch.Request(name: "day", action: .object("object7"), group: 0)]
      world.sketch.groups = [days.sorted()]
      (world.sketch.feeder, world.sketch.failureLimits) = (nil, [])
      return world
    }

    func workflow(retry sketch: Sketch) -> Workflow? {
      let text = """
        graphflow: 1
        name: nights
        defaults:
          retry: {max_attempts: \(sketch.maxAttempts), max_elapsed: \(sketch.maxElapsed)s}
        requests:
          g0:
            for_each:
              windows: day
              since: \(Self.day(0))
              until: \(Self.day(count - 1))
              state: {lookback: \(lookback)d}
            key: "{item=$.since}"
            requests:
              day: {get: object7, params: {ref: "day-{item=$.since}"}}
        outputs:
          rows:
            each: g0.day
            columns: {day: "{item=$.since}", count: "{result=day:$.count}"}
            file: "out/{item=$.since}.csv"

        """
      let source = SourceFile(path: "nights.yaml", bytes: Array(text.utf8))
      return Pipeline.load(source, filePresence: nil).workflow
    }
  }

  /// The nights that follow the run; nil if there are none.
  var nights: Nights? { rerun == nil ? Nights(seed: seed) : nil }
}
