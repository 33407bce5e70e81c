import ArgumentParser
import GraphFlow
import JSONPath

/// `graphflow init`: writes a workflow, from a template or from a request in another notation.
struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Write a first workflow file.",
    discussion: """
      Without an option it is a small workflow that runs on the sandbox. Templates come with their \
      sample data. A command line of curl, an HTTP archive of a browser or an address becomes a \
      workflow with the same requests; tokens are left out. A file that exists is never \
      overwritten, and if a file cannot be written, none is.

      Example: the templates, and one of them:

        graphflow init --list
        graphflow init my-posts --template publish-from-csv
        graphflow run my-posts.yaml --sandbox
        graphflow schema workflow --write          for editors

      Example: a line from the Graph API Explorer:

        graphflow init --from-curl 'curl -X GET "https://graph.facebook.com/v25.0/me?fields=id"'
      """)

  @Argument(
    help: """
      The workflow's name; the file is NAME.yaml in the current folder. Default: the template's \
      name, or the name of the first request.
      """)
  var name: String?

  @Option(help: .value("template", "Write this template; --list shows them all."))
  var template: WorkflowTemplate?

  @Flag(help: "List the templates, and write nothing.")
  var list = false

  @Option(help: "With --list: a table (text) or a list of objects (json).")
  var format: OutputFormat?

  @Option(
    name: .customLong("from-curl"), parsing: .unconditional,
    help: .value("line", "Write the request of a curl command line; - reads standard input."))
  var curl: String?

  @Option(
    name: .customLong("from-har"),
    help: .value("file", "Write the requests of an HTTP archive; - reads standard input."),
    completion: .file())
  var archive: String?

  @Option(
    name: .customLong("from-explorer"),
    help: .value("url", "Write the request of an address of the Graph API Explorer, or of Graph."))
  var address: String?

  func validate() throws {
    let given = [template != nil, list, curl != nil, archive != nil, address != nil]
    try require(
      given.count { $0 } <= 1,
      "only one of --template, --list, --from-curl, --from-har and --from-explorer can be given")
    try require(list || format == nil, "--format needs --list")
    try require(!list || name == nil, "--list writes no file; --template T writes template T")
    guard let name else { return }
    guard !name.isEmpty, !name.hasPrefix("-"), !name.hasPrefix("."),
      name.unicodeScalars.allSatisfy({ scalar in
        scalar.isASCII
          && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            || "-_.".unicodeScalars.contains(scalar))
      })
    else { throw ValidationError("'\(name)' is not a name: use letters, digits, '-', '_' and '.'") }
  }

  func run() throws {
    if list { return try printList() }
    try write()
    Terminal.notify("for editors: graphflow schema workflow --write")
  }

  private func write() throws {
    guard let (imported, text) = try imported() else { return try write(template ?? .first) }
    let path = path(for: imported.name)
    try NewFile.writeAll([NewFile(path: path, bytes: Array(text.utf8))])
    let count = imported.count
    Terminal.notify("wrote \(path): \(count) request\(count == 1 ? "" : "s")")
    for note in imported.allNotes { Terminal.notify(Untrusted.shown(note)) }
    for file in imported.files where FileStatus(file) == nil {
      Terminal.notify(
        Untrusted.shown("put '\(file)' beside the workflow: files are sent from its folder"))
    }
    if imported.hasSecrets {
      Terminal.notify(
        "the token was left out: `graphflow login` stores one, or set GRAPHFLOW_ACCESS_TOKEN")
    }
    let inputs = imported.inputNames.map { " --input \($0)=…" }.joined()
    let url = imported.graphURL.map { " --graph-url \($0)" } ?? ""
    Terminal.notify("try: graphflow plan \(path)\nthen: graphflow run \(path)\(url)\(inputs)")
  }

  /// The requests in another notation, and their file; nil if none are given.
  private func imported() throws -> (ImportedWorkflow, text: String)? {
    do {
      let imported: ImportedWorkflow
      if let curl {
        let line = curl == "-" ? try FileReading.bytes(of: curl) : Array(curl.utf8)
        imported = try .curl(String(decoding: line, as: UTF8.self))
      } else if let archive {
        imported = try .archive(try FileReading.bytes(of: archive))
      } else if let address {
        imported = try .address(address)
      } else {
        return nil
      }
      return (imported, try imported.text(schema: WorkflowTemplate.schema))
    } catch let failure as ImportFailure {
      throw CommandFailure(.invalid, failure.message, hint: failure.hint)
    }
  }

  private func path(for name: String) -> String {
    let name = self.name ?? name
    return name.hasSuffix(".yaml") || name.hasSuffix(".yml") ? name : name + ".yaml"
  }

  private func write(_ template: WorkflowTemplate) throws {
    let path = path(for: template.name)
    let workflow = NewFile(path: path, bytes: Array(template.text(at: path).utf8))
    try NewFile.writeAll([workflow] + template.files)
    let names = ([path] + template.files.map(\.path)).joined(separator: ", ")
    Terminal.notify("wrote \(names)")
    if let command = template.command(at: path) { Terminal.notify("try: \(command)") }
  }

  private func printList() throws {
    let templates = WorkflowTemplate.all
    guard format != .json else {
      return try Terminal.printJSON(
        list: templates.map { template in
          [
            "name": .string(template.name), "description": .string(template.description),
            "files": .array(template.files.map { .string($0.path) }),
          ]
        })
    }
    let width = templates.map(\.name.count).max() ?? 0
    for template in templates {
      let files = template.files.map(\.path).joined(separator: ", ")
      try Terminal.printText(
        template.name.padded(to: width) + "  " + template.description
          + (files.isEmpty ? "" : " (\(files))") + "\n")
    }
  }
}
