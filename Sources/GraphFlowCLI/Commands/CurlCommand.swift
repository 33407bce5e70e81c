import ArgumentParser
import GraphAPI
import GraphFlow

/// `graphflow curl`: one request as a command line of curl.
struct CurlCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "curl", abstract: "Print one request as a curl command line.",
    discussion: """
      Sends nothing, and needs no token. The line takes the token from the variable \
      GRAPHFLOW_ACCESS_TOKEN. A value that only a run knows, such as the id in another answer, is a \
      variable as well; standard error says which ones to set.

      Example: a request of a workflow, for an issue or for a shell:

        graphflow curl workflows/post-and-verify.yaml status-post --input message="Hello"
      """)

  @Argument(help: "The workflow; - is standard input.", completion: .workflows)
  var file: String

  @Argument(help: "The request; GROUP.NAME for one in a group.", completion: .requests)
  var name: String

  @OptionGroup(title: "Inputs") var inputs: InputOptions

  @Option(help: .value("url", "The address of the Graph API: https, or http on loopback."))
  var graphURL: String?

  func run() throws {
    let workflow = try WorkflowFiles.workflow(at: file)
    let request = try workflow.requests[workflow.index(ofRequest: name, in: file)]
    let settings = try Settings(profile: nil, graphURL: graphURL)
    let values = inputs.isGiven ? try inputs.resolved(for: workflow) : nil
    let preview: RequestPreview
    do throws(Failure) {
      preview = try RequestPreview(
        of: request, in: workflow, inputs: values, run: ItemCheck.placeholderRun())
    } catch {
      throw CommandFailure(.invalid, "\(name): \(error.error.message)", hint: error.hint)
    }
    let version = preview.operation.version ?? settings.version ?? .current
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    let line = CurlLine(preview: preview, base: "\(settings.graphURL)/\(version)", folder: folder)
    try Terminal.printText(line.text + "\n")
    for unknown in preview.unknowns + [preview.token].compactMap(\.self) {
      Terminal.notify(Untrusted.shown("set \(unknown.variable) to the value of \(unknown.text)"))
    }
    if preview.token == nil, case .profile(let profile) = request.token, profile != "default" {
      Terminal.notify(
        Untrusted.shown("GRAPHFLOW_ACCESS_TOKEN has to be the token of the profile '\(profile)'"))
    }
    if settings.appSecret != nil {
      Terminal.notify("the line has no appsecret_proof, which runs with GRAPHFLOW_APP_SECRET send")
    }
  }
}
