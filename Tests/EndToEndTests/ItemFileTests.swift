import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Files of items are validated before anything is sent.
struct ItemFileTests {
  /// A file, and its diagnostic.
  struct Fault: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let message: String
    var testDescription: String { "\(name): \(message)" }
  }

  static let faults = [
    Fault(
      name: "rows.csv", text: "id,text\na,1\nb\n",
      message: "3: this row has one field, but the header has 2"),
    Fault(
      name: "rows.csv", text: "id,text\na,1\n\"b,2\n",
      message: "3: the quote that begins here is never closed"),
    Fault(
      name: "rows.csv", text: "id,text\na,1\nb,\"two\nlines\"\nc,3\nb,4\n",
      message: "6: duplicate key 'b', first on line 3"),
    Fault(
      name: "rows.csv",
      text: "\u{FEFF}id,text\r\n" + (1...5).map { "\($0),\"two\r\n\"\"lines\"\"\"\r\n" }.joined()
        + "6,x\r\n7,x,y\r\n8,x", message: "13: this row has 3 fields, but the header has 2"),
    Fault(
      name: "rows.jsonl", text: "{\"id\": \"a\"}\n\n{\"id\": \"a\"}\n",
      message: "3: duplicate key 'a', first on line 1"),
    Fault(
      name: "rows.jsonl", text: "{\"id\": \"a\"}\n{\"key\": \"b\"}\n",
      message: "2: this item has no key: {item=$.id} selects nothing"),
    Fault(
      name: "rows.jsonl", text: "{\"id\": \"a\"}\n{\"key\": \"b\"}\n{\n",
      message: "2: this item has no key: {item=$.id} selects nothing"),
    Fault(
      name: "rows.json", text: "[\n{\"id\": \"a\"},\n{\"id\": \"a\"}]",
      message: "3: duplicate key 'a', first on line 2"),
    Fault(
      name: "rows.csv", text: "id,text\na,1\n,2\n",
      message: "3: this item has no key: {item=$.id} is empty"),
    Fault(name: "rows.json", text: "{}", message: "1: a JSON file of items must be one list: […]"),
  ]

  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  @discardableResult
  private func workflow(over file: String, key: String = "{item=$.id}") throws -> String {
    try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        read:
          for_each: {file: \(file)}
          key: "\(key)"
          get: me

      """, to: "items.yaml")
  }

  private func run() throws -> Outcome {
    try graphflow("run", "items.yaml", "--sandbox", in: graphflow.folder.path)
  }

  @Test(arguments: faults)
  func `an error is shown with its line and nothing is sent`(_ fault: Fault) throws {
    try graphflow.folder.write(fault.text, to: fault.name)
    try workflow(over: fault.name)

    let outcome = try run()

    #expect(outcome.error == "error: \(fault.name):\(fault.message)\n")
    #expect(outcome.code == 65)
    #expect(!graphflow.folder.files().contains { $0.hasPrefix("state") })
    for command in [["plan"], ["run", "--dry-run", "--sandbox"]] {
      let other = try graphflow.run(command + ["items.yaml"], in: graphflow.folder.path)
      #expect(other.error == outcome.error)
      #expect(other.code == 65)
    }
  }

  @Test func `every file is read, and the first error of each is reported`() throws {
    try graphflow.folder.write("id\n\"a\n", to: "a.csv")
    try graphflow.folder.write("nothing\n{\n", to: "b.jsonl")
    try graphflow.folder.write(
      """
      graphflow: 1
      inputs: {name: {type: string, default: b}, ids: {type: list, default: [1, 2, 1]}}
      requests:
        one: {for_each: {file: a.csv}, get: me}
        two: {for_each: {file: "{input=name}.jsonl"}, get: me}
        three: {for_each: "{input=ids}", key: "{item=$}", get: me}

      """, to: "items.yaml")

    let outcome = try run()

    let lines = outcome.error.split(separator: "\n")
    try #require(lines.count == 3, "\(outcome.error)")
    #expect(lines.first == "error: a.csv:2: the quote that begins here is never closed")
    #expect(lines.dropFirst().first?.hasPrefix("error: b.jsonl:1: ") == true)
    #expect(
      lines.last
        == "error: items.yaml:6: the items of 'three': items 1 and 3 have the same key, '1'")
    #expect(outcome.code == 65)
  }

  @Test func `only files inside the folder are read`() throws {
    try graphflow.folder.makeFolder("inside/folder.csv")
    try graphflow.folder.write("id\na\n", to: "outside.csv")
    #expect(symlink("../outside.csv", graphflow.folder.path + "/inside/link.csv") == 0)
    #expect(mkfifo(graphflow.folder.path + "/inside/pipe.csv", 0o600) == 0)
    for (file, message) in [
      ("missing.csv", "there is no file 'missing.csv' [missing-file]"),
      ("folder.csv", "'folder.csv' cannot be read as a file: Is a directory [missing-file]"),
      ("pipe.csv", "'pipe.csv' cannot be read as a file: It is a named pipe [missing-file]"),
      ("link.csv", "a link on this path leaves the workflow's folder [file-outside]"),
    ] {
      try graphflow.folder.write(
        "graphflow: 1\nrequests: {a: {for_each: {file: \(file)}, get: me}}\n",
        to: "inside/items.yaml")
      let outcome = try graphflow("run", graphflow.folder.path + "/inside/items.yaml", "--sandbox")
      #expect(outcome.code == 65, "\(outcome.error)")
      #expect(outcome.error.contains(message), "\(outcome.error)")
    }
  }

  @Test func `the plan counts the items of lists, inputs and files`() throws {
    try graphflow.folder.write("id\na\nb\n", to: "rows.csv")
    try graphflow.folder.write(
      """
      graphflow: 1
      inputs: {ids: list}
      requests:
        listed: {for_each: [x, y], key: "{item=$}", get: me}
        given: {for_each: "{input=ids}", get: me}
        filed: {for_each: {file: rows.csv}, key: "{item=$.id}", get: me}
        first: {get: me/feed}
        found: {for_each: "{result=first:$.data[*]}", get: me}

      """, to: "items.yaml")

    func keys(_ flags: String...) throws -> [JSON] {
      let plan = try graphflow.run(
        ["plan", "--format", "json", "items.yaml"] + flags, in: graphflow.folder.path)
      #expect(plan.code == 0, "\(plan.error)")
      return try JSON(parsing: plan.output).all("$.batches[*].operations[?@.item].item.key")
    }

    #expect(Set(try keys()) == ["x", "y", "a", "b"])
    #expect(Set(try keys("--input", "ids=[7,8,9]")) == ["x", "y", "a", "b", "0", "1", "2"])
  }
}
