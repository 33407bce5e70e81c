import ArgumentParser
import GraphSandbox
import JSONPath

/// `graphflow sandbox`: serves a local Graph API until it is stopped.
struct SandboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sandbox",
    abstract: "Serve a local Graph API: users, pages, posts, photos, batches, permissions.",
    discussion: """
      Each start begins with a fresh world. The first line on standard output is 'listening on URL'; \
      a line 'token for NAME: TOKEN' for each token follows, and 'control token: TOKEN'. Standard \
      error shows each call. The address, opened in a browser, shows calls and world. Ctrl-C stops \
      the sandbox.

      Example: one terminal runs the sandbox, another one calls it:

        graphflow sandbox --port 8080
        GRAPHFLOW_ACCESS_TOKEN=… graphflow get me --graph-url http://127.0.0.1:8080

      Example: write a world of your own, and serve it:

        graphflow sandbox --print-world > world.yaml
        graphflow sandbox --world world.yaml

      Example: a test moves the clock of a sandbox:

        curl -H "Authorization: Bearer $GRAPHFLOW_CONTROL_TOKEN" -d '{"by": "1h"}' \
          http://127.0.0.1:8080/sandbox/advance
      """)

  @Option(help: .value("n", "The port; 0 picks a free one."))
  var port = 0

  @Option(help: .value("address", "The address to listen on."))
  var host = "127.0.0.1"

  @Option(help: "How to print the address and the tokens.")
  var format: OutputFormat = .text

  @Option(
    help: .value("file", "What is in the world at the start; default: Alex's world."),
    completion: .workflows)
  var world: String?

  @Option(
    help: .value(
      "file", "Keep the world in this file for the next start; its content overrides --world."),
    completion: .file())
  var store: String?

  @OptionGroup var start: SandboxStartOptions

  @OptionGroup var transport: SandboxTLSOptions

  @Flag(help: "Print the default world as a world file to start from, and serve nothing.")
  var printWorld = false

  @Option(
    help: .value("file", "Write a line of JSON to this file for each HTTP call."),
    completion: .file())
  var ledger: String?

  @Option(
    help: .value("file", "What goes wrong there (docs/reference/faults.md)."),
    completion: .workflows)
  var faults: String?

  @Option(
    help: .value("file.har", "Answer with what was recorded by run --record, instead of a world."),
    completion: .archives)
  var replay: String?

  @Flag(name: .shortAndLong, help: "Do not show the calls on standard error.")
  var quiet = false

  func validate() throws {
    try require((0...65_535).contains(port), "--port is \(port), but must be from 0 to 65535")
    let files = [
      ("world", world), ("store", store), ("snapshot", start.snapshot), ("faults", faults),
      ("forward-webhooks", start.forwardWebhooks?.description),
    ]
    for (name, value) in files {
      try require(
        replay == nil || value == nil,
        "--replay and --\(name) exclude each other: a recording has no world")
    }
  }

  func run() throws {
    guard !printWorld else { return try Terminal.printResult(Array(printedWorld.utf8)) }
    if !["127.0.0.1", "::1", "localhost"].contains(host) {
      Terminal.warn(
        "other machines may reach '\(host)', and the sandbox accepts every caller")
    }
    let authority = try transport.authority()
    var configuration = try configuration()
    configuration.authority = authority?.authority
    // Serves until a signal ends the command by cancelling the task.
    try Foreground.run { [configuration] _ in
      try await Sandbox(configuration).serving { sandbox in
        try announce(sandbox, authority)
        while true { try await Task.sleep(for: .seconds(86_400)) }
      }
    }
    .throwUnlessSucceeded()
  }

  /// The default world, with a line for editors that is valid wherever the file is saved.
  private var printedWorld: String {
    let world = String(decoding: PackageResources.default_world_yaml, as: UTF8.self)
    let lines = world.split(separator: "\n", omittingEmptySubsequences: false)
    let editors = [
      "# yaml-language-server: $schema=world.schema.json",
      "# For editors, beside this file: graphflow schema world > world.schema.json",
    ]
    return (editors + lines.dropFirst().map(String.init)).joined(separator: "\n")
  }

  private func configuration() throws -> Sandbox.Configuration {
    var configuration = Sandbox.Configuration()
    (configuration.host, configuration.port) = (host, port)
    configuration.clock = WallClock.seconds
    try start.apply(to: &configuration)
    if let store { configuration.start.store = try FileStore(path: store) }
    if let world { configuration.world = try WorldReader.world(at: world) }
    if let faults { configuration.faults = try FaultReader.plan(at: faults) }
    configuration.recording = try replay.map {
      try SandboxDocument.read($0) { try Recording(archive: $0) }
    }
    let ledger = try ledger.map { try Ledger(path: $0) }
    let printer = quiet ? nil : CallPrinter()
    guard ledger != nil || printer != nil else { return configuration }
    configuration.observer = { call in
      ledger?.append(call)
      printer?.show(call)
    }
    return configuration
  }

  private func announce(_ sandbox: RunningSandbox, _ authority: KeptAuthority?) throws {
    switch format {
    case .text:
      let tokens = sandbox.tokens.map { "token for \($0.name): \($0.token)" }
      let lines =
        ["listening on \(sandbox.url)"] + tokens + ["control token: \(sandbox.controlToken)"]
      let files = authority.map { ["certificate authority: \($0.certificatePath)"] } ?? []
      try Terminal.printTokens((lines + files).joined(separator: "\n"))
      if let authority, !quiet { Terminal.notify(authority.instructions(url: sandbox.url)) }
    case .json:
      let tokens = JSON.Object(sandbox.tokens.map { ($0.name, .string($0.token)) })
      var facts: JSON.Object = [
        "url": .string(sandbox.url), "tokens": .object(tokens),
        "control_token": .string(sandbox.controlToken),
      ]
      facts["certificate_authority"] = (authority?.certificatePath).map(JSON.string)
      try Terminal.printTokens(JSON.object(facts).serialized())
    }
  }
}
