import ArgumentParser

/// `graphflow schema`: the published JSON Schemas.
struct SchemaCommand: ParsableCommand {
  enum Subject: String, ExpressibleByArgument, CaseIterable {
    case workflow, report, world, faults

    /// The file in `schemas/`, which the build puts into the command.
    var schema: [UInt8] {
      switch self {
      case .workflow: PackageResources.workflow_schema_json
      case .report: PackageResources.report_schema_json
      case .world: PackageResources.world_schema_json
      case .faults: PackageResources.faults_schema_json
      }
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of workflows, reports, or the sandbox's files.",
    discussion: """
      Example: let an editor that loads no URLs check workflow files:

        graphflow schema workflow > workflow.schema.json
      """)

  @Argument(help: "What the schema describes.")
  var subject: Subject

  func run() throws { try Terminal.printResult(subject.schema) }
}
