import Dispatch
import GraphFlow
import Synchronization

/// Shows a run's progress on standard error: lines at once, and on a terminal a block below them.
///
/// The block is drawn by a thread of its own, at most ten times a second. Without events only its
/// times change, so it is drawn once a second then.
/// A slow terminal does not delay the run, and one that is gone is not written to again.
final class ProgressDisplay: Sendable {
  /// How progress is shown.
  enum Kind: String, CaseIterable {
    case auto, bar, plain, json, none
  }

  private struct State {
    var lines: ProgressLines
    var isStarted = false
    var isEnded = false
    /// Whether there were events since the block was drawn.
    var hasNews = false
    /// When the block was drawn, in seconds since 1970.
    var drawnAt: Int64 = 0

    /// The block, if it may have changed.
    mutating func block(at now: Timestamp) -> [String]? {
      let second = now.milliseconds / 1000
      guard hasNews || second != drawnAt else { return nil }
      (hasNews, drawnAt) = (false, second)
      return lines.run.block(Terminal.progressStyle, at: now)
    }
  }

  private let state: Mutex<State>
  private let hasBlock: Bool
  private let isJSON: Bool
  private let isVerbose: Bool
  private let queue = DispatchQueue(label: "graphflow.progress")

  /// Makes a display; nil if none is wanted.
  init?(_ kind: Kind, isVerbose: Bool, total: WatchedRun.Total?) {
    guard kind != .none else { return nil }
    (isJSON, self.isVerbose) = (kind == .json, isVerbose)
    let isWanted = kind == .bar || kind == .auto && Environment.value("CI") == nil && !isVerbose
    hasBlock = isWanted && Terminal.takesBlock
    let format: ProgressLines.Format =
      isJSON ? .json : hasBlock ? .aboveBlock : isVerbose ? .verbose : .plain
    state = Mutex(State(lines: ProgressLines(format, total: total)))
  }

  /// Adds an event of an earlier session, which is not shown again.
  func replay(_ event: RunEvent) { state.withLock { $0.lines.replay(event) } }

  func record(_ event: RunEvent) {
    // Half of all events, and neither the figures nor the lines of requests have them.
    if case .attemptEnded = event, !isVerbose { return }
    let (lines, isFirst) = state.withLock { state in
      defer { (state.isStarted, state.hasNews) = (true, true) }
      return (state.lines.lines(for: event, at: WallClock.now()), !state.isStarted)
    }
    for line in lines { show(line) }
    if isFirst { scheduleTick() }
  }

  /// Removes the block; nothing is shown after that.
  func end() {
    state.withLock { $0.isEnded = true }
    queue.sync {}
    _ = Terminal.draw(block: [])
  }

  private func show(_ line: String) {
    if isJSON { Terminal.notify(object: line) } else { Terminal.notify(line) }
  }

  private func scheduleTick() {
    let interval = DispatchTimeInterval.milliseconds(hasBlock ? 100 : 1000)
    queue.asyncAfter(deadline: .now() + interval) { [weak self] in
      guard let self, tick() else { return }
      scheduleTick()
    }
  }

  /// Draws the block, or prints a reminder; false if nothing is to be shown any more.
  private func tick() -> Bool {
    let (isEnded, line, block) = state.withLock { state -> (Bool, String?, [String]?) in
      guard !state.isEnded else { return (true, nil, nil) }
      let now = WallClock.now()
      let line = state.lines.reminder(at: now)
      return (false, line, hasBlock ? state.block(at: now) : nil)
    }
    if let line { show(line) }
    return !isEnded && block.map(Terminal.draw) ?? true
  }
}
