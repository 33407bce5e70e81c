import CommandHarness
import JSONPath
import TestSupport
import Testing

@testable import GraphFlowCLI

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The rows of outputs, as files.
struct RowsTests {
  private static let audit = "workflows/post-audit.yaml"

  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private func path(_ name: String) -> String { graphflow.folder.path + "/" + name }

  private func file(_ rows: String = "") throws -> String {
    try graphflow.folder.write(
      """
      graphflow: 1
      name: texts
      requests:
        read:
          for_each:
            - {text: "=1+1", n: 1.50, list: [a, null]}
            - {text: "say \\"hi\\", then\\nleave", n: null, list: {}}
            - {text: "ü", n: -2, list: false}
          get: me
      outputs:
        texts:
          each: read
          columns: {"te,xt": "{item=$.text}", n: "{item=$.n}", list: "{item=$.list}"}
        other: {each: read, columns: {i: "{index}"}}

      """, to: "texts.yaml")
  }

  @Test func `the audit of posts is one CSV file`() throws {
    let outcome = try graphflow(
      "run", Self.audit, "--sandbox", "--rows", "posts=\(path("posts.csv"))")

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output == "{\"posts\":{\"rows\":3}}\n")
    #expect(outcome.error.hasSuffix("\nposts: 3 rows in \(path("posts.csv"))\n"))
    let lines = try text(of: path("posts.csv")).split(separator: "\r\n")
    #expect(lines.first == "id,created,message,likes,comments")
    #expect(lines.count == 4)
    #expect(lines.dropFirst().contains { $0.hasSuffix(",Weekend walk,3,2") }, "\(lines)")
  }

  @Test func `without the option the rows are beside the report`() throws {
    let (outcome, report) = try graphflow.report("run", Self.audit, "--sandbox")

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try report.one("$.outputs.posts.rows").integer == 3)
    let line = try #require(outcome.error.split(separator: "\n").last)
    let file = try #require(line.split(separator: " ").last.map(String.init))
    #expect(file.hasPrefix(graphflow.state + "/runs/") && file.hasSuffix("/rows-posts.jsonl"))
    let rows = try text(of: file).split(separator: "\n").map { try JSON(parsing: String($0)) }
    #expect(rows.count == 3)
    #expect(rows.allSatisfy { $0["likes"]?.number != nil })
  }

  @Test(arguments: ["", "omit_response: true"])
  func `rows of many pages are the same as those of one`(_ keys: String) throws {
    func contents(limit: Int) throws -> [String: String] {
      let folder = "pages-\(limit)"
      let flow = try graphflow.folder.write(
        """
        graphflow: 1
        name: pages
        requests:
          feed:
            for_each: [x, y]
            key: "{item}"
            get: me/feed
            params: {fields: "id,message", limit: \(limit)}
            paginate: true
            \(keys)
        outputs:
          all: {each: feed, rows: "{result=feed:$.data[*]}", columns: &columns {of: "{item}", id: "{row=$.id}", text: "{row=$.message}"}}
          own: {each: feed, rows: "{result=feed:$.data[*]}", columns: *columns, file: "own/{item}.csv"}

        """, to: "\(folder).yaml")
      let outcome = try graphflow(
        "run", flow, "--sandbox", "--quiet", "--rows", "own=\(path(folder))/", "--rows",
        "all=\(path(folder + ".csv"))", "--rows", "all=\(path(folder + ".jsonl"))", "--rows",
        "all=\(path(folder + ".json"))")
      #expect(outcome.code == 0, "\(outcome.error)")
      let names = [".csv", ".jsonl", ".json", "/own/x.csv", "/own/y.csv"]
      return try Dictionary(
        uniqueKeysWithValues: names.map { ($0, try text(of: path(folder + $0))) })
    }

    let (many, one) = (try contents(limit: 1), try contents(limit: 100))
    #expect(many == one && many["/own/x.csv"]?.split(separator: "\r\n").count == 4)
    #expect(many[".csv"]?.split(separator: "\r\n").count == 7)
  }

  @Test func `rows that wait are kept on the disk until their turn`() throws {
    func rows(_ range: ClosedRange<Int>) -> [JSON] { range.map { ["n": .number(JSON.Number($0))] } }
    func taken(_ spool: RowSpool, _ item: Int) throws -> [JSON] {
      var rows: [JSON] = []
      try spool.take(RowSpool.Owner(output: 0, item: item)) { rows.append($0) }
      return rows
    }
    var outcome = CommandOutcome()
    let spool = RowSpool(at: path("held.jsonl"))
    spool.append(rows(1...3), of: RowSpool.Owner(output: 0, item: 7), &outcome)
    spool.append(rows(4...5), of: RowSpool.Owner(output: 0, item: 2), &outcome)
    spool.append(rows(6...6), of: RowSpool.Owner(output: 0, item: 7), &outcome)
    #expect(!graphflow.folder.files().contains { $0.hasSuffix("held.jsonl") })
    #expect(try taken(spool, 7) == rows(1...3) + rows(6...6))
    #expect(try taken(spool, 7).isEmpty)
    spool.drop(RowSpool.Owner(output: 0, item: 2))
    #expect(try taken(spool, 2).isEmpty && outcome.status == .succeeded)
    spool.append(rows(8...9), of: RowSpool.Owner(output: 0, item: 2), &outcome)
    #expect(try taken(spool, 2) == rows(8...9))

    let broken = RowSpool(at: path("missing/held.jsonl"))
    broken.append(rows(1...1), of: RowSpool.Owner(output: 0, item: 1), &outcome)
    broken.append(rows(2...2), of: RowSpool.Owner(output: 0, item: 1), &outcome)
    #expect(outcome.status == .cannotCreate)
    #expect(throws: CommandFailure.self) { try taken(broken, 1) }
  }

  @Test func `each ending is a format, and several may be written at once`() throws {
    let outcome = try graphflow(
      "run", try file(), "--sandbox", "--quiet", "--rows", "texts=\(path("a.csv"))", "--rows",
      "texts=\(path("a.jsonl"))", "--rows", "texts=\(path("{name}.json"))")

    #expect(outcome.code == 0 && outcome.output + outcome.error == "", "\(outcome.error)")
    #expect(
      try text(of: path("a.csv"))
        == "\"te,xt\",n,list\r\n'=1+1,1.50,\"[\"\"a\"\",null]\"\r\n"
        + "\"say \"\"hi\"\", then\nleave\",,{}\r\nü,-2,false\r\n")
    let rows = [
      #"{"te,xt":"=1+1","n":1.50,"list":["a",null]}"#,
      #"{"te,xt":"say \"hi\", then\nleave","n":null,"list":{}}"#,
      #"{"te,xt":"ü","n":-2,"list":false}"#,
    ]
    #expect(try text(of: path("a.jsonl")) == rows.map { $0 + "\n" }.joined())
    #expect(
      try text(of: path("texts.json")) == "[\n" + rows.joined(separator: ",\n") + "\n]\n")
  }

  @Test func `no rows are a file, too`() throws {
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      requests: {read: {for_each: [], get: me}}
      outputs: {none: {each: read, columns: {a: "{item}", b: "{index}"}}}

      """, to: "none.yaml")

    let outcome = try graphflow(
      "run", file, "--sandbox", "--rows", "none=\(path("n.csv"))", "--rows",
      "none=\(path("n.json"))", "--rows", "none=\(path("n.jsonl"))")

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try text(of: path("n.csv")) == "a,b\r\n")
    #expect(try JSON(parsing: text(of: path("n.json"))) == [])
    #expect(try text(of: path("n.jsonl")) == "")
  }

  @Test func `if a row is missing, the old file stays and the command says why`() throws {
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      requests: {read: {for_each: [me, me/nothing, me], get: "{item}"}}
      outputs: {rows: {each: read, columns: {id: "{result=read:$.id}"}}}

      """, to: "gap.yaml")
    try graphflow.folder.write("old", to: "rows.csv")

    let outcome = try graphflow(
      "run", file, "--sandbox", "--quiet", "--rows", "rows=\(path("rows.csv"))")

    #expect(outcome.code == 1)
    #expect(outcome.output == "")
    #expect(
      outcome.error.hasSuffix(
        "\nthe rows of 'rows' are incomplete, so \(path("rows.csv")) is not written; "
          + "run the workflow again\n"), "\(outcome.error)")
    #expect(try text(of: path("rows.csv")) == "old")
  }

  @Test func `a killed run is completed by resume`() throws {
    let sandbox = try SandboxProcess(for: graphflow)
    let items = (0..<300).map { "{\"n\":\($0)}\n" }
    try graphflow.folder.write(items.joined(), to: "items.jsonl")
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        read: {for_each: {file: items.jsonl}, get: me, params: {fields: id}}
      outputs: {rows: {each: read, columns: {n: "{item=$.n}", id: "{result=read:$.id}"}}}

      """, to: "killed.yaml")
    let option = ["--rows", "rows=\(path("rows.jsonl"))"]
    let run = try graphflow.start(
      ["run", file, "--verbose", "--batch-size", "4", "--concurrency", "2"] + option,
      environment: sandbox.environment)
    try run.read { process in
      String(decoding: process.standardError, as: UTF8.self).contains("\ncall 30:")
    }
    run.signal(SIGKILL)
    _ = try run.wait()
    #expect(throws: (any Error).self) { try text(of: path("rows.jsonl")) }

    let outcome = try graphflow.run(
      ["resume", "latest"] + option, environment: sandbox.environment)

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.error.hasSuffix("\nrows: 300 rows in \(path("rows.jsonl"))\n"))
    let rows = try text(of: path("rows.jsonl")).split(separator: "\n")
    #expect(
      try rows.map { try JSON(parsing: String($0))["n"]?.number?.integer } == Array(0..<300))
    #expect(rows.allSatisfy { $0.contains("\"id\":\"") })
  }

  @Test func `a wrong option is refused before anything is sent`() throws {
    let file = try file()
    let cases: [(rows: [String], code: Int32, message: String)] = [
      (["text=a.csv"], 64, "no output named 'text' has rows\n  did you mean 'texts'?"),
      (["nothing=a.csv"], 64, "outputs with rows: texts, other"),
      (["texts=a.txt"], 64, "'a.txt' does not end in .csv, .jsonl or .json"),
      (["texts"], 64, "The value 'texts' is invalid"),
      (["texts=a.csv", "other=a.csv"], 64, "the rows of two outputs would be in a.csv"),
      (["texts=\(path("none"))/a.csv"], 73, "there is no folder '\(path("none"))'"),
    ]
    for (rows, code, message) in cases {
      let outcome = try graphflow.run(
        ["run", file, "--sandbox"] + rows.flatMap { ["--rows", $0] }, in: graphflow.folder.path)
      #expect(outcome.code == code && outcome.error.contains(message), "\(outcome.error)")
      #expect(!outcome.error.contains("call 1"))
    }
    let two = try graphflow(
      "run", file, Self.audit, "--sandbox", "--rows", "posts=\(path("posts.csv"))")
    #expect(two.code == 64 && two.error.contains("--rows need {name}"), "\(two.error)")
  }
}
