import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What a command came to.
package struct Outcome {
  /// Standard output.
  package let output: String
  /// Standard error.
  package let error: String
  /// How it ended.
  package let end: ChildProcess.End

  package init(output: String, error: String, end: ChildProcess.End) {
    self.output = output
    self.error = error
    self.end = end
  }

  /// The exit code; -1 after a signal.
  package var code: Int32 {
    if case .exited(let code) = end { code } else { -1 }
  }
}

/// A clean place to run the command in: an own home, an own state directory, no environment.
package struct CommandFixture {
  /// The folder of this place, with `home` and `state` in it.
  package let folder: TemporaryFolder
  /// Variables that every command here gets.
  package var environment: [String: String] = [:]

  /// The package's root, whose `workflows` are run.
  package static let root = SharedFiles.packageRoot(of: #filePath)

  package init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("home")
  }

  /// Where runs are kept.
  package var state: String { folder.path + "/state" }

  /// Runs a command to its end; by default in the package's root.
  package func callAsFunction(
    _ arguments: String...,
    input: String = "",
    in place: String = CommandFixture.root,
    environment: [String: String] = [:]
  ) throws -> Outcome {
    try run(arguments, input: Array(input.utf8), in: place, environment: environment)
  }

  /// Runs a command to its end; `limit` is what a shell's `ulimit` takes, such as `-n 20`.
  package func run(
    _ arguments: [String],
    input: [UInt8] = [],
    in place: String = CommandFixture.root,
    environment: [String: String] = [:],
    limit: String? = nil
  ) throws -> Outcome {
    let process = try start(
      arguments,
      input: input,
      in: place,
      environment: environment,
      limit: limit
    )
    let end = try process.wait()
    return Outcome(
      output: String(decoding: process.standardOutput, as: UTF8.self),
      error: String(decoding: process.standardError, as: UTF8.self),
      end: end
    )
  }

  /// Starts a command.
  package func start(
    _ arguments: [String],
    input: [UInt8] = [],
    in place: String = CommandFixture.root,
    environment: [String: String] = [:],
    limit: String? = nil
  ) throws -> ChildProcess {
    let binary = try #require(
      GraphFlowBinary.path,
      "the graphflow binary is not beside the tests; set GRAPHFLOW_BINARY"
    )
    // By this one scripts/sabotage switches a bug on.
    let sabotage = getenv("GRAPHFLOW_SABOTAGE").map { String(cString: $0) } ?? ""
    let clean = [
      "HOME": folder.path + "/home", "PATH": "/usr/bin:/bin", "COLUMNS": "80",
      "GRAPHFLOW_STATE_DIR": state, "GRAPHFLOW_SABOTAGE": sabotage,
    ]
    let variables = clean.merging(self.environment) { $1 }.merging(environment) { $1 }
    let shell = limit.map { ["/bin/sh", "-c", "ulimit \($0) && exec \"$0\" \"$@\""] } ?? []
    return try ChildProcess(
      shell + [binary] + arguments,
      environment: variables.filter { !$0.value.isEmpty },
      input: input,
      folder: place
    )
  }

  /// The text with what differs from run to run replaced: the temporary folder, the package's
  /// root, run ids, times, durations, loopback ports.
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
