import JSONPath
import TestSupport
import Testing

@testable import GraphSandbox

/// `Tests/DECISIONS.md` is correct; also tests of decisions that no other file covers.
struct DecisionTests {
  /// A decision and its test.
  struct Row: Sendable, CustomTestStringConvertible {
    let number: Int
    let file: String
    let test: String
    var testDescription: String { "\(number): \(test)" }
  }

  static let root = SharedFiles.packageRoot(of: #filePath)

  static let rows: [Row] = TableRow.all(of: root + "/Tests/DECISIONS.md").compactMap { row in
    guard row.cells.count == 4, let number = Int(row.cells[0]) else { return nil }
    return Row(number: number, file: row.cells[2], test: row.cells[3])
  }

  @Test func `all decisions are in the table`() {
    #expect(Set(Self.rows.map(\.number)) == Set(1...48))
  }

  @Test func `all decisions are explained on the page about the Graph API`() throws {
    let page = try text(of: Self.root + "/docs/internals/graph-api.md")
    let table = try #require(page.split(separator: "\n## Decisions\n").last)
    let numbers = table.split(separator: "\n").flatMap { line in
      let first = line.split(separator: "|").first ?? ""
      return first.split(separator: ",").compactMap { Int($0.filter { $0 != " " }) }
    }
    #expect(numbers.sorted() == Array(1...48))
  }

  @Test(arguments: rows)
  func `a test in the table exists`(_ row: Row) throws {
    let file = try text(of: Self.root + "/Tests/" + row.file)
    #expect(file.contains("func `\(row.test)`"), "\(row.file)")
  }

  @Test func `a bad token of one operation fails that operation alone`() throws {
    var sandbox = try InProcessSandbox()

    let items = try sandbox.batch([
      ["relative_url": "me"], ["relative_url": "me?access_token=bad"], ["relative_url": "me"],
    ])

    #expect(items.map(\.code) == [200, 400, 200])
    #expect(items[1].error?["code"]?.integer == 190)
  }

  @Test func `an operation's token may be in its query, its body or a field`() throws {
    var sandbox = try InProcessSandbox()
    let token = sandbox.pageToken

    let items = try sandbox.batch([
      ["relative_url": .string("me?access_token=\(token)")],
      [
        "method": "POST", "relative_url": "me/feed",
        "body": .string("message=x&access_token=\(token)"),
      ],
      ["relative_url": "me", "access_token": .string(token)],
    ])

    #expect(items[0].body?["name"] == "Harbour Bakery")
    #expect(items[1].body?["id"]?.string?.hasPrefix(sandbox.page) == true)
    #expect(items[2].body?["name"] == "Harbour Bakery")
  }

  @Test func `parameters of the body override those of the query`() throws {
    var sandbox = try InProcessSandbox()

    let items = try sandbox.batch([
      [
        "method": "POST", "relative_url": "me/feed?message=query&fields=message,link",
        "body": "message=body",
      ]
    ])

    #expect(items[0].body?["message"] == "body")
  }

  static let transient: [(fault: GraphFault, isTransient: JSON?)] = [
    (.tooMuchData, true), (.aborted, true), (GraphFault("x", code: 2), true),
    (.duplicatePost, false), (.tokenRequired, nil), (.throttled(.app), nil),
    (.permissionsError, nil), (.devicePending, nil),
  ]

  @Test(arguments: transient.indices)
  func `is_transient is set on codes 1, 2 and 960 and on duplicates`(_ index: Int) throws {
    let (fault, isTransient) = Self.transient[index]

    let answer = Answer(fault, version: "v25.0", usage: UsageHeaders.none, traceID: "A")

    let error = try JSON(parsing: answer.body)["error"]
    #expect(error?["is_transient"] == isTransient)
  }

  @Test func `trace ids have eleven characters and come from seed and counter`() throws {
    func traces(_ seed: UInt64) throws -> [String] {
      var sandbox = try InProcessSandbox(seed: seed)
      return (1...3).compactMap { _ in
        sandbox.send("GET", "nothing").error?["fbtrace_id"]?.string
      }
    }

    let first = try traces(1)

    #expect(first.map(\.utf8.count) == [11, 11, 11])
    #expect(Set(first).count == 3)
    #expect(try traces(1) == first)
    #expect(try traces(2) != first)
  }

  @Test func `an entity tag is the SHA-1 of the body in quotes`() throws {
    var sandbox = try InProcessSandbox()

    let answer = sandbox.send("GET", "me")

    #expect(answer[header: "ETag"] == EntityTag(of: answer.body).text)
    // The example of FIPS 180-4.
    #expect(EntityTag(of: Array("abc".utf8)).text == "\"a9993e364706816aba3e25717850c26c9cd0d89d\"")
  }

  @Test func `a call's content type is JSON, an item's is JavaScript`() throws {
    var sandbox = try InProcessSandbox()

    let batch = sandbox.sendBatch([["relative_url": "me"]])
    let item = try #require(batch.json.array?.first)

    #expect(batch[header: "Content-Type"] == "application/json; charset=UTF-8")
    #expect(Item(json: item).header("Content-Type") == "text/javascript; charset=UTF-8")
  }
}
