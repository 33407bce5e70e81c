import JSONPath
import TestSupport
import Testing

/// A `graphflow sandbox` in its own process, with its ledger.
package final class SandboxProcess {
  /// An operation as the sandbox executed it.
  package struct Operation {
    package let name: String?
    package let method: String
    package let relativeURL: String
    package let resolvedURL: String
    package let code: Int?
    /// Whether it took effect, whatever its answer reports.
    package let isApplied: Bool
    /// The injected fault.
    package let fault: String?
  }

  /// An HTTP call as the sandbox saw it.
  package struct Call {
    package let isBatch: Bool
    package let status: Int?
    /// The injected fault of the whole call.
    package let fault: String?
    package let operations: [Operation]
  }

  /// Its address.
  package let url: String
  /// The user's token.
  package let token: String
  /// The token of one of the user's Pages.
  package let pageToken: String
  private let process: ChildProcess
  private let ledger: String

  /// Starts a sandbox with additional flags.
  package init(for graphflow: CommandFixture, _ flags: [String] = []) throws {
    ledger = graphflow.folder.path + "/ledger.jsonl"
    process = try graphflow.start(
      ["sandbox", "--format", "json", "--ledger", ledger, "--quiet"] + flags)
    try process.read(for: 20) { $0.standardOutput.contains(UInt8(ascii: "\n")) }
    let facts = try JSON(parsing: process.standardOutput)
    url = try #require(facts["url"]?.string)
    token = try #require(facts["tokens"]?["default"]?.string)
    pageToken = try #require(facts["tokens"]?["page"]?.string)
  }

  /// All of standard error; stops the sandbox.
  package var standardError: [UInt8] {
    process.signal(15)
    _ = try? process.wait()
    return process.standardError
  }

  /// The variables that make a command use this sandbox, as the Page.
  package var environment: [String: String] { environment(with: pageToken) }

  /// The variables that make a command use this sandbox with one of its tokens, whatever profile a
  /// workflow names.
  package func environment(with token: String) -> [String: String] {
    [
      "GRAPHFLOW_GRAPH_URL": url, "GRAPHFLOW_ACCESS_TOKEN": token, "GRAPHFLOW_PROFILE": "default",
    ]
  }

  /// The calls so far, without those that read permissions.
  package func calls() throws -> [Call] {
    try text(of: ledger).split(separator: "\n").map { line in
      let call = try JSON(parsing: String(line))
      return Call(
        isBatch: call["batch"]?.bool ?? false, status: call["status"]?.integer,
        fault: call["fault"]?.string,
        operations: (call["operations"]?.array ?? []).map { operation in
          Operation(
            name: operation["name"]?.string, method: operation["method"]?.string ?? "",
            relativeURL: operation["relative_url"]?.string ?? "",
            resolvedURL: operation["resolved_url"]?.string ?? "", code: operation["code"]?.integer,
            isApplied: operation["applied"]?.bool ?? false, fault: operation["fault"]?.string)
        })
    }
    .filter { call in
      // A page's token has no list of permissions: `debug_token` is asked then.
      !call.operations.contains {
        $0.resolvedURL.contains("me/permissions") || $0.resolvedURL.hasPrefix("debug_token")
      }
    }
  }
}
