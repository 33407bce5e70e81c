import JSONPath
import TestSupport
import Testing

@testable import GraphSandbox

/// Graph's answers as Koala's and RestFB's authors recorded them, compared to the sandbox's.
@Suite(
  .enabled(
    if: SharedFiles.path("fixtures/koala/mock_facebook_responses.yml") != nil,
    "the shared fixtures are absent"))
struct RecordingTests {
  static let served = RecordedExchange.all.filter { !RecordedDifferences.isChanged($0) }

  @Test(arguments: served)
  func `answers agree with the recording`(_ exchange: RecordedExchange) throws {
    var replay = try RecordedReplay()
    let answer = replay.answer(to: exchange)
    #expect(answer.status == exchange.status, "\(answer.text)")
    if exchange.body.isEmpty { return }
    // One recording misses a quote, another holds a Ruby expression.
    let recorded = try JSON(parsing: Self.fixed(exchange.body))
    if let items = recorded.array, exchange.arguments.hasPrefix("batch=") {
      let answers = try #require(answer.json.array)
      #expect(answers.count == items.count || items.last == .null)
      for (item, answer) in zip(items, answers) { compare(item, Item(json: answer)) }
    } else {
      compare(recorded, answer.json, at: "$")
    }
  }

  private static func fixed(_ text: String) -> String {
    text.replacing("400, body\"", with: "400, \"body\"").replacing("<%= APP_ID %>", with: "1")
  }

  private func compare(_ recorded: JSON, _ answer: Item) {
    #expect(recorded.isNull == answer.isNull)
    guard !recorded.isNull else { return }
    // One recorded error has only a placeholder.
    if recorded["code"] == 400, recorded["body"]?.string?.contains("AnError") == true {
      if answer.code == 400 { #expect(answer.error?["message"]?.string?.isEmpty == false) }
      return
    }
    #expect(recorded["code"]?.integer == answer.code)
    guard let text = recorded["body"]?.string, let body = try? JSON(parsing: text) else { return }
    compare(body, answer.body ?? .null, at: "$")
  }

  /// Checks that all recorded values are present and of the same kind.
  private func compare(_ recorded: JSON, _ answer: JSON, at place: String) {
    switch recorded {
    case .object(let members):
      if let message = recorded["error"]?["message"]?.string {
        #expect(answer["error"]?["message"]?.string == message)
        return
      }
      // Since v2.1 a like answers with success and not with an id.
      if members.names == ["id"], answer["success"] == true { return }
      for (name, value) in members.members where name != "properties" {
        // The recording has names as keys; this world has ids.
        let own = answer[name] ?? (Self.isProfile(name) ? answer.object?.members.first?.value : nil)
        guard let own else {
          #expect(Self.optional.contains(name), "\(place).\(name) is missing: \(answer)")
          continue
        }
        compare(value, own, at: "\(place).\(name)")
      }
    case .array(let elements):
      #expect(answer.array != nil, "\(place) is not a list: \(answer)")
      if let first = elements.first, let own = answer.array?.first {
        compare(first, own, at: "\(place)[0]")
      }
    case .bool: #expect(answer.bool != nil || answer["success"] == true, "\(place): \(answer)")
    // Recorded numbers and texts replace each other, and parts that were removed.
    case .string, .number, .null: break
    }
  }

  private static func isProfile(_ name: String) -> Bool {
    ["facebook", "barackobama"].contains(name)
  }

  /// Links, which only some pages have, and fields that the default world does not have.
  private static let optional: Set<String> = [
    "paging", "previous", "next", "updated_time", "issued_at", "metadata", "user_id",
  ]

  @Test func `the documentation lists exactly the requests that Graph has changed`() throws {
    let page = try text(of: SharedFiles.packageRoot(of: #filePath) + "/docs/reference/sandbox.md")
    let section = try #require(page.split(separator: "\n## ").first { $0.hasPrefix("Recorded") })
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("- ") }.map { $0.dropFirst(2) }
    #expect(rows.map(String.init) == RecordedDifferences.rows.map(\.title))
    for row in RecordedDifferences.rows {
      #expect(RecordedExchange.all.contains(where: row.matches), "\(row.title)")
    }
    let counts = section.firstMatch(of: /(\d+) of Koala's (\d+)/)
    #expect(counts.flatMap { Int($0.1) } == Self.served.count)
    #expect(counts.flatMap { Int($0.2) } == RecordedExchange.all.count)
  }

  @Test(arguments: [
    ("batch-simple.json", ["me", "122000000000003"]),
    ("batch-first-error.json", ["2", "me"]), ("batch-second-error.json", ["me", "2"]),
  ])
  func `RestFB's batches have the items, headers and texts of the recording`(
    _ file: String, _ paths: [String]
  ) throws {
    let path = try #require(SharedFiles.path("fixtures/restfb/\(file)"))
    let recorded = try #require(JSON(parsing: contents(of: path)).array)
    var sandbox = try InProcessSandbox()
    let items = try sandbox.batch(.array(paths.map { ["relative_url": .string($0)] }))
    #expect(items.count == recorded.count)
    for (old, new) in zip(recorded.map(Item.init(json:)), items) {
      #expect(old.code == new.code)
      #expect(old.error?["message"] == new.error?["message"])
      #expect(old.error?["type"] == new.error?["type"])
      #expect(old.error?["code"] == new.error?["code"])
      let names = { (item: Item) in
        Set((item.json["headers"]?.array ?? []).compactMap { $0["name"]?.string })
      }
      #expect(names(old).isSubset(of: names(new)), "\(names(old).subtracting(names(new)))")
      for name in ["Content-Type", "Expires", "Cache-Control", "Pragma", "WWW-Authenticate"] {
        #expect(old.header(name) == new.header(name))
      }
      #expect((old.header("ETag")?.count ?? 0) == (new.header("ETag")?.count ?? 0))
    }
  }
}
