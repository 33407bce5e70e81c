import ArgumentParser

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The options for seeing the writes of a run before any of them is sent.
struct PreviewOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Run what only reads, show the writes that follow, and ask before they are sent.",
      discussion: """
        Exactly these are sent then: a write whose values have changed since is refused. Without a \
        terminal and without --yes nothing is sent, and the exit code is 75.
        """))
  var preview = false

  @Flag(help: "With --preview: send the writes without asking.")
  var yes = false

  func validate() throws { try require(preview || !yes, "--yes needs --preview") }

  /// How a preview is answered.
  enum Answer: Sendable {
    case ask, yes
  }

  /// Nil without a preview.
  var answer: Answer? { preview ? (yes ? .yes : .ask) : nil }
}

extension PreviewOptions.Answer {
  /// Refuses to send writes that nobody has approved.
  func check(_ count: Int) throws {
    if case .yes = self { return }
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      throw CommandFailure(
        .tryAgainLater, "there is no terminal to ask whether to send this; no write was sent",
        hint: "--yes sends it without asking")
    }
    Terminal.notify("send \(count == 1 ? "this write" : "these \(count) writes")? Type yes:")
    // A signal cancels the task, and must not wait for the end of a line.
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    while poll(&input, 1, 100) <= 0 { try Task.checkCancellation() }
    guard readLine() == "yes" else {
      throw CommandFailure(.tryAgainLater, "the answer is not yes; no write was sent")
    }
  }
}
