import ArgumentParser
import GraphAPI
import GraphFlow

/// `graphflow plan`: shows the calls that a run would make, and why.
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Show the batches a workflow packs into, and why; sends nothing, needs no token.",
    discussion: """
      Shows a run in which every request succeeds: its calls (HTTP requests), its rounds (calls that \
      can be active at the same time), and a lower bound for both, whatever the packing.

      Example: is the read-back in the same call as the post?

        graphflow plan workflows/post-and-verify.yaml

      Example: a drawing; a plan to review, which later runs only if nothing has changed:

        graphflow plan --format svg workflows/page-post.yaml > plan.svg
        graphflow plan --output plan.json workflows/page-post.yaml
        graphflow run --plan plan.json workflows/page-post.yaml
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, dot, mermaid, svg
  }

  @Argument(help: "The workflow; - is standard input.", completion: .workflows)
  var file: String

  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup(title: "Inputs") var selection: SelectionOption
  @OptionGroup(title: "Packing") var packing: PackingOptions

  @OptionGroup var unsafeWrites: UnsafeWritesOption

  @Option(help: "How to print the plan.")
  var format: Format = .text

  @Option(
    name: .shortAndLong,
    help: .value(
      "file.json",
      "Also write the plan to this file, for run --plan; needs the inputs that a run needs."),
    completion: .json)
  var output: String?

  func validate() throws {
    guard let output, !output.hasSuffix(".json") else { return }
    throw ValidationError(
      "--output writes JSON, so the name must end in .json; drawings go to standard output")
  }

  func run() throws {
    let workflow = try WorkflowFiles.workflow(at: file, part: selection.part)
    try RequestGuard.configured().check(workflow)
    let limits = packing.limits(unsafeWrites: unsafeWrites.maximum)
    // A plan needs no values, but given ones must be valid, as for a run.
    let isGiven = inputs.isGiven || output != nil
    let values = isGiven ? try inputs.resolved(for: workflow) : nil
    let printing = try PlanPrinting(workflow, inputs: values, limits: limits)
    if let output { try printing.write(to: output) }
    try printing.print(as: format)
  }
}
