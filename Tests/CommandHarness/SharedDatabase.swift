import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An empty database of its own on the server of the tests (`scripts/with-postgres`).
package final class SharedDatabase {
  private static let server = getenv("GRAPHFLOW_TEST_POSTGRES").map { String(cString: $0) }

  package static let isAvailable = server != nil

  /// Its address.
  package let url: String
  private let name: String

  package init() throws {
    let server = try #require(SharedDatabase.server)
    name = "command_\(getpid())_\(UInt32.random(in: 0...UInt32.max))"
    url = String(server[..<(server.lastIndex(of: "/") ?? server.endIndex)]) + "/\(name)"
    _ = try SharedDatabase.tool("createdb", "--maintenance-db", server, name)
  }

  deinit {
    guard let server = SharedDatabase.server else { return }
    _ = try? SharedDatabase.tool("dropdb", "--force", "--maintenance-db", server, name)
  }

  /// What another client does to the database; its output.
  @discardableResult package func sql(_ statement: String) throws -> String {
    try SharedDatabase.tool("psql", "-qtAX", "-v", "ON_ERROR_STOP=1", "-c", statement, url)
  }

  /// All rows, as text.
  package func dump() throws -> String { try SharedDatabase.tool("pg_dump", "--inserts", url) }

  /// Runs a program of PostgreSQL.
  private static func tool(_ words: String...) throws -> String {
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    let process = try ChildProcess(
      ["/usr/bin/env"] + words, environment: ["PATH": path, "LC_ALL": "C"], input: [], folder: "/")
    let outcome = try Outcome(of: process)
    try #require(outcome.code == 0, "\(words): \(outcome.error)")
    return outcome.output
  }
}
