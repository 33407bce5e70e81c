import JSONPath
import TestSupport
import Testing

@testable import GraphFlow

@Suite
struct ReportSchemaTests {
  private static let path = SharedFiles.packageRoot(of: #filePath) + "/schemas/report.schema.json"

  private func checker() throws -> JSONSchema {
    try JSONSchema(try JSON(parsing: try contents(of: Self.path)))
  }

  /// Without events there is no run, and no report of one.
  private static let runs = SampleRuns.cases.filter { !$0.events.isEmpty }

  @Test(arguments: runs.map(\.name))
  func `the report of any part of a run is valid by the schema`(name: String) throws {
    let checker = try checker()
    let events = try #require(Self.runs.first { $0.name == name }).events
    for count in 1...events.count {
      let report = try JSON(parsing: Report(of: events.prefix(count)).json)
      #expect(checker.faults(in: report).isEmpty, "after \(count) events")
    }
  }

  @Test
  func `the schema rejects every missing, renamed or mistyped member`() throws {
    let checker = try checker()
    for run in Self.runs where ["succeeded", "failed"].contains(run.name) {
      let report = try JSON(parsing: Report(of: run.events).json)
      for change in changes(of: report, at: "$", isFree: false) {
        #expect(!checker.faults(in: change.value).isEmpty, "\(run.name): \(change.name)")
      }
    }
  }

  /// The value with one member taken out, renamed or replaced, for each of its members.
  ///
  /// Content from users and Graph is not checked: inputs, outputs, bodies, values, usage.
  private func changes(
    of value: JSON, at place: String, isFree: Bool
  ) -> [(name: String, value: JSON)] {
    guard !isFree else { return [] }
    let wrong: JSON = .array([.object(JSON.Object([("no", true)]))])
    switch value {
    case .object(let object):
      var changes: [(name: String, value: JSON)] = []
      for (name, member) in object {
        let here = "\(place).\(name)"
        var without = object
        without[name] = nil
        changes.append(("without \(here)", .object(without)))
        var renamed = without
        renamed[name + "x"] = member
        changes.append(("renamed \(here)", .object(renamed)))
        guard !["body", "actual"].contains(name) else { continue }
        var replaced = object
        replaced[name] = wrong
        changes.append(("replaced \(here)", .object(replaced)))
        let isFree = ["inputs", "outputs", "usage"].contains(name)
        for change in self.changes(of: member, at: here, isFree: isFree) {
          var outer = object
          outer[name] = change.value
          changes.append((change.name, .object(outer)))
        }
      }
      return changes
    case .array(let elements):
      return elements.enumerated().flatMap { index, element in
        changes(of: element, at: "\(place)[\(index)]", isFree: false).map { change in
          var outer = elements
          outer[index] = change.value
          return (change.name, .array(outer))
        }
      }
    default: return []
    }
  }

  @Test
  func `the enumerations of the schema are those of the code`() throws {
    let schema = try checker().root
    let request = schema["$defs"]?["request"]?["properties"]
    #expect(
      schema["$defs"]?["error"]?["required"]?.array?.count
        // `answer` is only there if Graph has given one.
        == schema["$defs"]?["error"]?["properties"]?.object?.count.advanced(by: -1))
    #expect(
      request?["skip_reason"]?["enum"] == [
        "condition", "dependency", "permission", "stopped", .null,
      ])
    #expect(schema["properties"]?["graphflow_report"]?["const"]?.integer == Report.formatVersion)
  }
}
