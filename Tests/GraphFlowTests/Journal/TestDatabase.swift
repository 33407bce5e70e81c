import TestSupport
import Testing

@testable import GraphFlow

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An empty database of its own on the server of the tests (`scripts/with-postgres`).
final class TestDatabase: Sendable {
  /// The address of the server; nil without one.
  static let server = getenv("GRAPHFLOW_TEST_POSTGRES").map { String(cString: $0) }

  static let isAvailable = server != nil

  let address: PostgreSQLAddress
  /// The same as text.
  let text: String
  private let name: String

  /// Creates a database, with the tables; its leases outlast a busy machine.
  init(lease: String = "1 minute") throws {
    name = "test_\(getpid())_\(UInt32.random(in: 0...UInt32.max))"
    try TestDatabase.execute("CREATE DATABASE \(name) TEMPLATE template0")
    let server = try #require(TestDatabase.server)
    text = String(server[..<(server.lastIndex(of: "/") ?? server.endIndex)]) + "/\(name)"
    address = try TestDatabase.address(text)
    _ = try PostgreSQLStore.migrate(address)
    try execute("UPDATE graphflow.settings SET lease = '\(lease)'")
  }

  deinit { try? TestDatabase.execute("DROP DATABASE \(name) WITH (FORCE)") }

  /// What another client does to the database.
  @discardableResult func execute(_ sql: String) throws -> [PostgreSQLConnection.Row] {
    try PostgreSQLConnection(address, within: .seconds(10)).execute(sql).rows
  }

  private static func execute(_ sql: String) throws {
    let connection = try PostgreSQLConnection(address(#require(server)), within: .seconds(10))
    try connection.command(sql, within: .seconds(60))
  }

  private static func address(_ text: String) throws -> PostgreSQLAddress {
    try PostgreSQLAddress(text, environment: ["HOME": "/nonexistent"])
  }
}

extension Trait where Self == ConditionTrait {
  /// Says so where there is no server.
  static var needsPostgreSQL: Self {
    .enabled(if: TestDatabase.isAvailable, "scripts/with-postgres starts a PostgreSQL server")
  }
}
