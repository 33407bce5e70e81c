import ArgumentParser
import GraphFlow

/// The option for one part of a job.
struct ShardOption: ParsableArguments {
  /// The value of `--shard`; `1/1` is a run of everything.
  struct Choice: ExpressibleByArgument, CustomStringConvertible {
    let shard: Shard?

    init?(argument: String) {
      shard = Shard(rawValue: argument)
      if shard == nil, argument != "1/1" { return nil }
    }

    var description: String { shard?.description ?? "1/1" }
  }

  @Option(
    name: .customLong("shard"),
    help: .value(
      "i/n", "Run one part of a job that n processes share; i counts from 1.",
      discussion: """
        Needs --run-key, which names the job. Each part takes the items of groups whose keys have its \
        number. What runs once has parts of its own: prologue/n runs the requests outside groups that \
        a group needs, before the others; epilogue/n runs the rest, after them.
        """))
  var choice: Choice?

  var shard: Shard? { choice?.shard }

  /// Refuses a workflow that cannot be divided.
  func check(_ workflow: Workflow) throws {
    guard let shard, let obstacle = JobParts(of: workflow).obstacle else { return }
    throw CommandFailure(
      .invalid, "'\(workflow.source.path)' cannot run as --shard \(shard): \(obstacle)",
      hint: "run it without --shard")
  }
}
