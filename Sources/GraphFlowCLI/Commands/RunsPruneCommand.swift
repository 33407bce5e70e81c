import ArgumentParser
import GraphFlow

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
    let directory = StateDirectory(state)
    if !dryRun { try directory.removeLeftovers() }
    let latest = olderThan.map { WallClock.now().advanced(by: .zero - $0.duration) }
    var removed = 0
    var keptCount = 0
    let lost = try directory.lostRuns()
    let runs = (try directory.runs() + lost).sorted(by: >)
    for id in runs.dropFirst(keep ?? 0) {
      if let latest, id.startedAt >= latest { continue }
      let (state, isWorthKeeping) = inspect(at: id, in: directory)
      guard unfinished || !isWorthKeeping && !lost.contains(id) else {
        keptCount += 1
        continue
      }
      guard try remove(id, from: directory) else { continue }
      removed += 1
      try Terminal.printResult("\(dryRun ? "would remove" : "removed") \(id) \(state)")
    }
    if !dryRun { try directory.removeLeftovers() }
    var summary = "\(removed) \(removed == 1 ? "run" : "runs") \(dryRun ? "to remove" : "removed")"
    if keptCount > 0 { summary += ", \(keptCount) kept: unfinished, in doubt, or unreadable" }
    Terminal.notify(summary)
  }

  /// What a run is and how it ended, and whether removing it could lose a result or cause a write to
  /// be sent twice.
  private func inspect(
    at id: RunID, in directory: StateDirectory
  ) -> (state: String, isWorthKeeping: Bool) {
    do {
      let found = try FoundRun(id, in: directory)
      if case .damaged? = found { return ("unreadable", true) }
      guard case .known(let record)? = found else {
        // It can be read, but was killed before it started.
        _ = try RunRecord(id, in: directory)
        return (RunStatus.unfinished.rawValue, false)
      }
      return (
        "\(Untrusted.shown(record.start.workflow)) \(record.status.rawValue)", record.isWorthKeeping
      )
    } catch {
      return ("unreadable", true)
    }
  }

  /// Removes a run unless a process works on it; returns whether it did, or would.
  private func remove(_ id: RunID, from directory: StateDirectory) throws -> Bool {
    // Held until the run is gone, so that no process resumes it. A run without a folder has no lock.
    let lock = try directory.lock(id)
    defer { withExtendedLifetime(lock) {} }
    switch lock {
    case .some: break
    case .none: guard directory.isLost(id) else { return false }
    }
    if !dryRun { try directory.remove(id) }
    return true
  }
}

/// An age: a whole number and a unit, `s`, `m`, `h`, `d` or `w`.
struct RunAge: ExpressibleByArgument {
  let duration: Duration

  init?(argument: String) {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    guard let unit = argument.last.flatMap({ units[$0] }), let count = Int64(argument.dropLast()),
      (0...1_000_000_000).contains(count)
    else { return nil }
    duration = .seconds(count * unit)
  }
}
