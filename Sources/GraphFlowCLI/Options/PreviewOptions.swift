import ArgumentParser

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
    switch try Terminal.confirms("send \(count == 1 ? "this write" : "these \(count) writes")?") {
    case nil:
      throw CommandFailure(
        .tryAgainLater, "there is no terminal to ask whether to send this; no write was sent",
        hint: "--yes sends it without asking")
    case false?: throw CommandFailure(.tryAgainLater, "the answer is not yes; no write was sent")
    case true?: break
    }
  }
}
