import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// The columns of a file of items: their types, and those that a file does not have.
struct ColumnTests {
  private func flow(columns: String, request: String = "get: me") throws -> Workflow {
    try workflow(
      """
      graphflow: 1
      requests:
        a:
          for_each: {file: rows.csv\(columns.isEmpty ? "" : ", columns: {\(columns)}")}
          \(request)
      outputs: {rows: {each: a, columns: {x: "{item=$.shown}"}}}

      """)
  }

  @Test(arguments: [
    ("integer", "12", "12"), ("integer", "1.5", nil), ("integer", "x", nil),
    ("number", "1.50", "1.50"),
    ("boolean", "true", "true"), ("boolean", "yes", nil), ("list", "[1, 2]", "[1,2]"),
    ("integer", "", "null"), ("string", "", "\"\""), ("string", "12", "\"12\""),
  ])
  func `text becomes a value of its column's type`(
    _ type: String, _ text: String, _ json: String?
  ) throws {
    let columns = try flow(columns: "n: \(type)").groups[0].columns
    let item: JSON = ["n": .string(text), "other": "7"]
    guard let json else {
      #expect(throws: ItemsUnreadable.self) { try columns.typed(item) }
      return
    }
    let typed = try columns.typed(item)
    #expect(typed["n"]?.serialized() == json)
    #expect(typed["other"] == "7")
  }

  @Test func `a run compares and sends values of the types`() throws {
    let flow = try flow(
      columns: "n: integer",
      request: "when: \"{item=$.n} > 9\"\n    post: x\n    params: {deep: {n: \"{item=$.n}\"}}")
    var run = try Simulation(flow)
    run.items = [0: [["n": "10", "shown": "a"], ["n": "9", "shown": "b"]]]
    _ = try run.run()
    #expect(
      run.calls.flatMap(\.operations).flatMap(\.parameters).map(\.value) == [#"{"n":10}"#])
  }

  @Test(arguments: [
    ("get: \"{item=$.txt}\"", true, ["txt", "shown"]),
    ("get: \"{item=$.txt}\"", false, ["txt"]),
    ("get: \"{item=$.text}\"\n    when: \"{item=$.extra}\"", true, ["extra", "shown"]),
    ("get: \"{item=$.text}\"\n    when: \"{item=$.extra}\"", false, []),
    ("get: \"{item=$.extra | none}\"", true, ["shown"]),
    ("get: me\n    params: {a: [\"{item}\", \"{index}\", \"{item=$[*]}\"]}", false, []),
    ("get: me\n    key: \"{item=$.ky}\"", false, ["ky"]),
    ("get: me\n    params: {a: \"{item=$.x}{item=$.x}\"}", false, ["x"]),
    ("get: \"{item=$.rows[?@.id == {item=$.ref}].x}\"", false, ["ref", "rows"]),
  ])
  func `what the first item does not have is found`(
    _ request: String, _ isTable: Bool, _ names: [String]
  ) throws {
    let flow = try flow(columns: "", request: request)
    let missing = MissingColumn.all(of: 0, in: flow, without: ["text": "a"], isTable: isTable)
    #expect(Set(missing.map(\.name)) == Set(names))
    #expect(missing.count == names.count)
    #expect(MissingColumn.all(of: 0, in: flow, without: "text", isTable: isTable).isEmpty)
  }

  @Test func `the nearest column is suggested`() throws {
    let flow = try flow(columns: "mesage: string", request: "get: \"{item=$.zzz}\"")
    let missing = MissingColumn.all(
      of: 0, in: flow, without: ["message": "a", "shown": "b"], isTable: true)
    #expect(missing.map(\.hint) == ["did you mean 'message'?", "there are: message, shown"])
    #expect(missing.map(\.location.line) == [4, 5])
  }
}
