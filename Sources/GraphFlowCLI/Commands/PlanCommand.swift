import ArgumentParser
import GraphFlow
import JSONPath

/// `graphflow plan`: shows the calls that a run would make, and why.
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Show the batches a workflow packs into, and why; sends nothing, needs no token.",
    discussion: """
      The plan is the course of a run in which every request succeeds: calls (HTTP requests), \
      rounds (calls that can be under way together), and the fewest that any packing could do with.

      Example: does the read-back travel in the same call as the post?

        graphflow plan workflows/post-and-verify.yaml
      """
  )

  /// How the plan is printed.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
  }

  @Argument(help: "The workflow; - is standard input.")
  var file: String

  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup(title: "Packing") var packing: PackingOptions

  @Option(help: "How to print the plan.")
  var format: Format = .text

  func run() throws {
    let workflow = try WorkflowFiles.workflow(at: file)
    // A plan needs no values, but those that are given must be right, as for a run.
    let values = inputs.isGiven ? try inputs.resolved(for: workflow) : nil
    let items = try ItemCheck.items(of: workflow, inputs: values)
    let plan = Plan(for: workflow, items: items, limits: packing.limits)
    switch format {
    case .text: try Terminal.printResult(Array(Untrusted.shown(try text(of: plan)).utf8))
    case .json: try Terminal.printResult(plan.json.serialized(pretty: true))
    }
  }

  private func text(of plan: Plan) throws -> String {
    let version = try Configuration.load().version
    return version.map { plan.text(defaultVersion: $0) } ?? plan.text()
  }
}
