import ArgumentParser
import GraphFlow
import JSONPath

/// `graphflow explain`: one request, what it waits for and why, and what follows from it.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain one request: what it waits for, which call carries it, what follows.",
    discussion: """
      Shows for every dependency whether both requests may share a call. If they may not, it shows \
      why, and what to change in the file. Sends nothing, and needs no token.

      Example: why is the clean-up not in the same call as the others?

        graphflow explain workflows/cleanup.yaml remove
      """)

  @Argument(help: "The workflow; - is standard input.", completion: .workflows)
  var file: String

  @Argument(help: "The request; GROUP.NAME for one in a group.", completion: .requests)
  var name: String

  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup(title: "Packing") var packing: PackingOptions

  @Option(help: "How to print the explanation.")
  var format: OutputFormat = .text

  func run() throws {
    let workflow = try WorkflowFiles.workflow(at: file)
    let index = try workflow.index(ofRequest: name, in: file)
    let values = inputs.isGiven ? try inputs.resolved(for: workflow) : nil
    if let values { try FileCheck.refuseMissing(of: workflow, inputs: values) }
    let (items, _) = try ItemCheck.items(of: workflow, inputs: values)
    let rules = try RequestGuard.configured()
    let plan = Pipeline.plan(workflow.under(rules), items: items, limits: packing.limits())
    let explanation = Explanation(of: index, in: plan)
    switch format {
    case .text: try Terminal.printText(explanation.text)
    case .json: try Terminal.printJSON(explanation.json, pretty: true)
    }
  }
}

extension Workflow {
  /// The index of the request that a command names; another name is a usage error.
  func index(ofRequest name: String, in file: String) throws -> Int {
    if let index = index(ofRequestNamed: name) { return index }
    throw CommandFailure(
      .usage, "no request of '\(file)' is named '\(name)'",
      hint: requestName(near: name).map { "did you mean '\($0)'?" })
  }
}
