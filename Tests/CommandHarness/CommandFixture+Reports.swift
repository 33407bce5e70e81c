package import JSONPath
import TestSupport
import Testing

extension CommandFixture {
  /// The report of a run as JSON, with the outcome of the command.
  package func report(
    _ arguments: String..., in place: String = CommandFixture.root,
    environment: [String: String] = [:]
  ) throws -> (outcome: Outcome, report: JSON) {
    try report(arguments: arguments, in: place, environment: environment)
  }

  package func report(
    arguments: [String], in place: String = CommandFixture.root,
    environment: [String: String] = [:]
  ) throws -> (outcome: Outcome, report: JSON) {
    let path = folder.path + "/report-\(UInt64.random(in: 0 ... .max)).json"
    let outcome = try run(arguments + ["--report", path], in: place, environment: environment)
    return (outcome, try JSON(parsing: try contents(of: path)))
  }

  /// The run's folder in the state directory; there must be exactly one.
  package func onlyRun() throws -> String {
    let runs = Set(
      folder.files().filter { $0.hasPrefix("state/runs/") }
        .compactMap { $0.split(separator: "/").dropFirst(2).first.map(String.init) })
    #expect(runs.count == 1)
    return folder.path + "/state/runs/" + (try #require(runs.first))
  }
}

extension JSON {
  /// The only value that a query selects.
  package func one(_ query: String) throws -> JSON {
    let values = try Query(query).values(in: self)
    #expect(values.count == 1, "\(query) selects \(values.count) values")
    return try #require(values.first)
  }

  /// All values that a query selects.
  package func all(_ query: String) throws -> [JSON] { try Query(query).values(in: self) }

  /// The value without the members that differ between runs or depend on the calls.
  package func withoutVolatileMembers() -> JSON {
    switch self {
    case .array(let elements): return .array(elements.map { $0.withoutVolatileMembers() })
    case .object(let object):
      let volatile = [
        "started_at", "finished_at", "duration_ms", "calls", "call", "file", "file_sha256", "path",
        "calls_lower_bound", "http_calls",
      ]
      return .object(
        JSON.Object(
          object.compactMap { name, value in
            if volatile.contains(name) { return nil }
            if name == "run" { return (name, value.withoutMember("id").withoutVolatileMembers()) }
            return (name, value.withoutVolatileMembers())
          }))
    default: return self
    }
  }

  private func withoutMember(_ name: String) -> JSON {
    guard case .object(let object) = self else { return self }
    return .object(JSON.Object(object.compactMap { $0.name == name ? nil : ($0.name, $0.value) }))
  }
}
