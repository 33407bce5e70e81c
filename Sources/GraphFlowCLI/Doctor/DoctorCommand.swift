import ArgumentParser
import GraphFlow

/// `graphflow doctor`: says whether runs can work here, and what to do if not.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check token, permissions, network and machine.",
    discussion: """
      Each check is a line: ok, warning, failed or skipped, and below it what to do. Nothing is \
      written, here or at Graph: one call for each token reads what it allows. With a workflow, its \
      profiles, permissions and version are checked. Exit codes: 0 nothing has failed, 69 Graph \
      cannot be reached, 73 runs cannot be kept, 75 Graph refuses calls now, 77 a token or a \
      permission is missing, 78 the configuration is wrong.

      Example: is this machine ready for the nightly job?

        graphflow doctor workflows/page-post.yaml
        graphflow doctor --format json | graphflow query '$.checks[?@.level == "failed"]'
      """)

  @Argument(help: .value("file", "A workflow, whose profiles and permissions are checked."))
  var file: String?

  @OptionGroup(title: "Graph API") var graph: GraphOptions
  @OptionGroup(title: "Output") var state: StateOptions

  @Option(help: "How to print the result.")
  var format: OutputFormat = .text

  func run() throws {
    let workflow = try file.map { try WorkflowFiles.workflow(at: $0) }
    let machine = [
      Finding.ok("graphflow", toolVersion), .state(state.files), .runs(in: state),
    ]
    let target: GraphTarget
    do {
      target = try GraphTarget(graph, printer: nil)
    } catch var failure as CommandFailure where failure.status == .misconfigured {
      let path = Configuration.path ?? "the configuration"
      if failure.message.isEmpty { failure.message = "\(path) has the mistakes shown above" }
      let others = Doctor.checks.map { Finding.skipped($0, "the configuration is wrong") }
      return try finish(machine + [.failed("configuration", failure)] + others)
        .throwUnlessSucceeded()
    }
    try target.run { settings, _ in
      let doctor = Doctor(workflow: workflow, settings: settings, recorders: target.recorders)
      let configuration = Finding.configuration(isRead: !settings.isSandbox)
      return try finish(machine + [configuration] + (try await doctor.findings()))
    }
  }

  private func finish(_ findings: [Finding]) throws -> ExitStatus {
    switch format {
    case .text: try Terminal.printResult(findings.text(hasColor: Terminal.hasColor(STDOUT_FILENO)))
    case .json: try Terminal.printJSON(findings.json, pretty: true)
    }
    return findings.status
  }
}
