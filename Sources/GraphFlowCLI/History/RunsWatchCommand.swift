import ArgumentParser
import GraphFlow

/// `graphflow runs watch`: the progress of a run in another process.
struct RunsWatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Show the progress of a run in another process.",
    discussion: """
      It reads the run's journal, twice a second, and changes nothing. It ends with the run. Ctrl-C \
      ends only the watching.

      Example: watch what cron has started:

        graphflow runs watch
      """)

  @Argument(help: .value("run", "The run's id, or 'latest'."), completion: .runs)
  var name = "latest"

  @Option(help: "A live block on a terminal (bar), lines (plain), or one object a line (json).")
  var progress: ProgressDisplay.Kind = .auto

  @OptionGroup(title: "Output") var state: StateOptions

  func run() throws {
    let store = try state.store()
    let id = try store.run(named: name)
    guard let display = ProgressDisplay(progress, isVerbose: false, total: nil) else { return }
    defer { display.end() }
    let reading = try store.reading(id)
    // What has happened before is not told again.
    var (events, entry) = try reading.events(after: 0)
    for event in events.dropLast() { display.replay(event) }
    events.removeFirst(max(0, events.count - 1))
    while true {
      // A process that has ended writes nothing more, but may have written since the last reading.
      let isActive = store.isActive(id)
      for event in events {
        display.record(event)
        if case .runEnded = event, !isActive { return }
      }
      (events, entry) = try reading.events(after: entry)
      if events.isEmpty, !isActive { return Terminal.notify("the run is not active") }
      if events.isEmpty { pause(milliseconds: 500) }
    }
  }

  private func pause(milliseconds: Int32) { poll(nil, 0, milliseconds) }
}
