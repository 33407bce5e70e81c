import ArgumentParser

/// `graphflow schema`: the published JSON Schemas.
struct SchemaCommand: ParsableCommand {
  /// What there is a schema of.
  enum Subject: String, ExpressibleByArgument, CaseIterable {
    case workflow
    case report
    case world
    case faults
  }

  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of workflows, reports, or the sandbox's files.",
    discussion: """
      Example: let an editor that knows no URL check workflow files:

        graphflow schema workflow > workflow.schema.json
      """
  )

  @Argument(help: "Whose schema.")
  var subject: Subject

  func run() throws {
    switch subject {
    case .workflow: try Terminal.printResult(Array(WorkflowSchema.text.utf8))
    case .faults: try Terminal.printResult(Array(FaultsSchema.text.utf8))
    case .report: try Terminal.printResult(Array(ReportSchema.text.utf8))
    case .world: try Terminal.printResult(Array(WorldSchema.text.utf8))
    }
  }
}
