import ArgumentParser
import GraphFlow

/// `graphflow schema`: the published JSON Schemas.
struct SchemaCommand: ParsableCommand {
  enum Subject: String, ExpressibleByArgument, CaseIterable {
    case workflow, report, world, faults, test

    /// The file in `schemas/`, which the build puts into the command.
    var schema: [UInt8] {
      switch self {
      case .workflow: PackageResources.workflow_schema_json
      case .report: PackageResources.report_schema_json
      case .world: PackageResources.world_schema_json
      case .faults: PackageResources.faults_schema_json
      case .test: PackageResources.test_schema_json
      }
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of workflows, reports, tests, or the sandbox's files.",
    discussion: """
      With --write the schema becomes a file that editors find without network: the first line of a \
      workflow beside it is

        # yaml-language-server: $schema=./workflow.schema.json

      Example: print the schema, or write workflow.schema.json into a folder:

        graphflow schema workflow
        graphflow schema workflow --write workflows
      """)

  @Argument(help: "What the schema describes.")
  var subject: Subject

  @Argument(
    help: .value("folder", "With --write: the folder; default: the current one."),
    completion: .directory)
  var folder: String?

  @Flag(help: "Write the schema into the folder, as SUBJECT.schema.json.")
  var write = false

  @Flag(help: "With --write: overwrite a file that differs.")
  var force = false

  func validate() throws {
    try require(write || folder == nil, "a folder needs --write")
    try require(write || !force, "--force needs --write")
  }

  func run() throws {
    guard write else { return try Terminal.printResult(subject.schema) }
    let name = "\(subject.rawValue).schema.json"
    let path = folder.map { $0.hasSuffix("/") ? $0 + name : "\($0)/\(name)" } ?? name
    if FileStatus(path, ofLink: true) != nil, !force {
      guard try FileReading.bytes(of: path) == subject.schema else {
        throw CommandFailure(
          .cannotCreate, "'\(path)' exists already, differs, and is not overwritten",
          hint: "--force overwrites it")
      }
      return Terminal.notify(Untrusted.shown("\(path) is up to date"))
    }
    let file = try AtomicFile(at: path, .readable)
    try file.append(subject.schema)
    try file.finish()
    Terminal.notify(Untrusted.shown("wrote \(path)"))
  }
}
