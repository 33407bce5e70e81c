import ArgumentParser
import GraphFlow
import JSONPath

/// `graphflow runs prune`: removes old runs.
struct RunsPruneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune", abstract: "Remove old runs.",
    discussion: """
      With both options a run is removed if it is older and beyond the newest. An active run always \
      stays. A run that is unfinished, holds a write in doubt, cannot be read, or has lost its \
      folder stays unless --unfinished is given. A run key is removed with its run.

      Example: show what would be removed, then remove what is older than a month:

        graphflow runs prune --older-than 30d --dry-run
        graphflow runs prune --older-than 30d
      """)

  @Option(help: .value("age", "Remove runs that were started longer ago, such as 30d, 12h or 2w."))
  var olderThan: RunAge?

  @Option(help: .value("n", "Keep the newest n runs."))
  var keep: Int?

  @Flag(help: "Also remove runs that are unfinished, in doubt, or cannot be read.")
  var unfinished = false

  @Flag(help: "Only show what would be removed.")
  var dryRun = false

  @OptionGroup(title: "Output") var state: StateOptions

  func validate() throws {
    try require(
      olderThan != nil || keep != nil,
      "no runs are chosen: give --older-than 30d, --keep 100, or both")
    try require(keep ?? 0 >= 0, "--keep is \(keep ?? 0), but must be 0 or more")
  }

  func run() throws {
    let store = try state.store()
    if !dryRun { try store.removeLeftovers() }
    let latest = olderThan.map { WallClock.now().advanced(by: .zero - $0.duration) }
    var removed = 0
    var keptCount = 0
    let runs = (try store.runs() + store.lostRuns()).sorted(by: >)
    let removal = RunRemoval(
      store: store, files: state.files, includesUnfinished: unfinished, isDryRun: dryRun)
    for id in runs.dropFirst(keep ?? 0) {
      if let latest, id.startedAt >= latest { continue }
      switch try removal.remove(id) {
      case .removed(let state):
        removed += 1
        try Terminal.printResult("\(dryRun ? "would remove" : "removed") \(id) \(state)")
      case .kept: keptCount += 1
      case .active: break
      }
    }
    if !dryRun { try store.removeLeftovers() }
    var summary = "\(removed) \(removed == 1 ? "run" : "runs") \(dryRun ? "to remove" : "removed")"
    if keptCount > 0 { summary += ", \(keptCount) kept: unfinished, in doubt, or unreadable" }
    Terminal.notify(summary)
  }
}

/// `graphflow runs rm`: removes the runs that it names.
struct RunsRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "Remove these runs.",
    discussion: """
      A run that is unfinished, holds a write in doubt, cannot be read, or has lost its folder is \
      refused unless --unfinished is given. An active run is always refused. A run key is removed \
      with its run.

      Example: remove the newest run:

        graphflow runs rm latest
      """)

  @Argument(help: .value("run", "The ids of the runs, or 'latest'."), completion: .runs)
  var names: [String]

  @Flag(help: "Also remove runs that are unfinished, in doubt, or cannot be read.")
  var unfinished = false

  @OptionGroup(title: "Output") var state: StateOptions

  func run() throws {
    let store = try state.store()
    let known = Set(try store.runs() + store.lostRuns())
    let removal = RunRemoval(store: store, files: state.files, includesUnfinished: unfinished)
    var outcome = CommandOutcome()
    for id in try names.map(store.run(named:)) {
      outcome.attempt {
        guard known.contains(id) else {
          throw CommandFailure(
            .unreadable, "there is no run \(id) in '\(store.place)'",
            hint: "graphflow runs lists them")
        }
        switch try removal.remove(id) {
        case .removed(let state): try Terminal.printResult("removed \(id) \(state)")
        case .active: throw CommandFailure(.tryAgainLater, "the run \(id) is active")
        case .kept(let state):
          throw CommandFailure(
            .tryAgainLater, "the run \(id) is kept: \(state)",
            hint: "without it a write could be lost or sent twice; to remove it nevertheless: "
              + "graphflow runs rm \(id) --unfinished")
        }
      }
    }
    try store.removeLeftovers()
    try outcome.status.throwUnlessSucceeded()
  }
}

/// An age: a whole number and a unit, `s`, `m`, `h`, `d` or `w`.
struct RunAge: ExpressibleByArgument, Sendable {
  let duration: Duration

  init?(argument: String) {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    guard let unit = argument.last.flatMap({ units[$0] }), let count = Int64(argument.dropLast()),
      (0...1_000_000_000).contains(count)
    else { return nil }
    duration = .seconds(count * unit)
  }
}

/// A time on the command line: an age, a day in UTC, or a time with its zone.
struct PastTime: ExpressibleByArgument {
  let time: Timestamp

  init?(argument: String) {
    let isDay = argument.utf8.count == "2026-11-20".utf8.count
    if let age = RunAge(argument: argument) {
      time = WallClock.now().advanced(by: .zero - age.duration)
    } else if let time = Timestamp(createdTime: .string(argument + (isDay ? "T00:00:00Z" : ""))) {
      self.time = time
    } else {
      return nil
    }
  }
}
