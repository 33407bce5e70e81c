import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The result of a command.
package struct Outcome {
  /// Standard output.
  package let output: String
  /// Standard error.
  package let error: String
  /// How it ended.
  package let end: ChildProcess.End

  /// Waits until a process ends, and decodes its streams.
  package init(of process: ChildProcess) throws {
    end = try process.wait()
    output = String(decoding: process.standardOutput, as: UTF8.self)
    error = String(decoding: process.standardError, as: UTF8.self)
  }

  /// The exit code; -1 after a signal.
  package var code: Int32 { if case .exited(let code) = end { code } else { -1 } }
}

/// A clean environment to run the command in: its own home and state directory, no other variables.
package struct CommandFixture {
  /// The temporary folder that holds `home` and `state`.
  package let folder: TemporaryFolder
  /// Variables for every command of this fixture.
  package var environment: [String: String] = [:]

  /// The package's root, whose `workflows` are run.
  package static let root = SharedFiles.packageRoot(of: #filePath)

  package init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("home")
  }

  /// Writes the configuration.
  package func configure(_ text: String) throws {
    try folder.makeFolder("home/.config/graphflow")
    try folder.write(text, to: "home/.config/graphflow/config.yaml")
  }

  /// The state directory.
  package var state: String { folder.path + "/state" }

  /// Runs a command to completion, by default in the package's root.
  package func callAsFunction(
    _ arguments: String..., input: String = "", in place: String = CommandFixture.root,
    environment: [String: String] = [:]
  ) throws -> Outcome {
    try run(arguments, input: Array(input.utf8), in: place, environment: environment)
  }

  /// Runs a command to completion; `limit` holds arguments for `ulimit`, such as `-n 20`.
  package func run(
    _ arguments: [String], input: [UInt8] = [], in place: String = CommandFixture.root,
    environment: [String: String] = [:], limit: String? = nil
  ) throws -> Outcome {
    try Outcome(
      of: start(arguments, input: input, in: place, environment: environment, limit: limit))
  }

  /// Starts a command.
  package func start(
    _ arguments: [String], input: [UInt8] = [], in place: String = CommandFixture.root,
    environment: [String: String] = [:], limit: String? = nil, onTerminal: Bool = false
  ) throws -> ChildProcess {
    let binary = try #require(
      GraphFlowBinary.path, "the graphflow binary is not beside the tests; set GRAPHFLOW_BINARY")
    let shell = limit.map { ["/bin/sh", "-c", "ulimit \($0) && exec \"$0\" \"$@\""] } ?? []
    return try ChildProcess(
      shell + [binary] + arguments, environment: variables(environment), input: input,
      folder: place, onTerminal: onTerminal)
  }

  /// Runs commands of a shell, in which `graphflow` is the command, in the fixture's own folder.
  package func shell(_ script: String, environment: [String: String] = [:]) throws -> Outcome {
    let binary = try #require(GraphFlowBinary.path)
    return try Outcome(
      of: ChildProcess(
        ["/bin/sh", "-c", "graphflow() { '\(binary)' \"$@\"; }\n\(script)"],
        environment: variables(environment), input: [], folder: folder.path))
  }

  /// The variables of a command: those that every one gets, those of the fixture, its own.
  private func variables(_ own: [String: String]) -> [String: String] {
    // scripts/sabotage switches a known bug on with this variable.
    let sabotage = getenv("GRAPHFLOW_SABOTAGE").map { String(cString: $0) } ?? ""
    let clean = [
      "HOME": folder.path + "/home", "PATH": "/usr/bin:/bin", "COLUMNS": "80",
      "GRAPHFLOW_STATE_DIR": state, "GRAPHFLOW_SABOTAGE": sabotage,
    ]
    return clean.merging(environment) { $1 }.merging(own) { $1 }.filter { !$0.value.isEmpty }
  }

  /// The text with everything that differs between runs replaced: the temporary folder, the
  /// package's root, run ids, times, durations, loopback ports.
  package func stable(_ text: String) -> String {
    var text = text
    for (span, name) in [(folder.path, "{folder}"), (CommandFixture.root, "{root}")] {
      text = text.split(separator: span, omittingEmptySubsequences: false).joined(separator: name)
    }
    return
      text
      .replacing(/[0-9A-HJKMNP-TV-Z]{26}/, with: "{run}")
      .replacing(/\d{4}-\d\d-\d\dT[0-9:.+]+Z?/, with: "{time}")
      .replacing(/127\.0\.0\.1:\d+/, with: "127.0.0.1:{port}")
      .replacing(/\b\d+(\.\d+)? ?(ms|s)\b/, with: "{duration}")
      .replacing(/\{duration\} +/, with: "{duration} ")
  }
}
