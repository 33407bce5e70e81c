import JSONPath
import Testing

@testable import GraphFlow

@Suite
struct ItemKeysTests {
  private func keys(
    _ requests: String, inputs: String = "", given: [String: String]? = nil
  ) throws
    -> ItemKeys
  {
    let workflow = try workflow("graphflow: 1\n\(inputs)requests:\n\(requests)")
    let values = given.map { given in
      InputValues.resolving(
        workflow, flags: given.map { (name: $0.key, value: $0.value) }, file: nil, environment: [:]
      ).values
    }
    return ItemKeys(
      of: workflow, inputs: values ?? nil,
      run: RunIdentity(id: SampleRuns.id, startedAt: SampleRuns.timestamp(0)))
  }

  @Test(arguments: [
    ("[a, 7, {b: 1}]", ItemKeys.Items.values(["a", 7, ["b": 1]])),
    ("{file: rows.csv}", .file(path: "rows.csv")),
    ("{file: \"{input=name}.csv\"}", .file(path: "n.csv")),
    ("\"{input=ids}\"", .unknown),
    ("\"{result=a:$.data[*]}\"", .unknown),

  ])
  func `items are known unless they depend on an answer or a missing input`(
    source: String, items: ItemKeys.Items
  ) throws {
    let keys = try keys(
      "  a: {get: me}\n  g: {for_each: \(source), get: me}\n",
      inputs: "inputs: {name: {type: string, default: n}, ids: list}\n")

    #expect(try keys.items(of: 0) == items)
    #expect(!keys.hasKeys(0))
    #expect(try keys.key(of: "x", at: 3, in: 0) == "3")
  }

  @Test func `an input that is given is known`() throws {
    let keys = try keys(
      "  g: {for_each: \"{input=ids}\", get: me}\n", inputs: "inputs: {ids: list}\n",
      given: ["ids": "[1, 2]"])

    #expect(try keys.items(of: 0) == .values([1, 2]))
  }

  @Test(
    arguments: [
      ("key: \"{item=$.sku}\"", ["sku"]),
      ("key: \"{item=$.shop}/{item=$.sku | 1}\"", ["shop", "sku"]),
      ("key: \"{index}\"", []), ("key: \"{item=$.a.b}\"", ["a"]), ("batch: auto", []),
      ("key: \"{item=$}\"", nil), ("key: \"{item=$[0]}\"", nil),
      ("key: \"{item=$.sku}\", token: \"{item=$.token}\"", nil),
    ] as [(String, Set<String>?)])
  func `the columns that keys are made of are known`(
    _ members: String, _ columns: Set<String>?
  ) throws {
    let keys = try keys("  g: {for_each: {file: rows.csv}, get: me, \(members)}\n")

    #expect(keys.columns(of: 0) == columns)
  }

  @Test(arguments: [
    ("{item=$.sku}", "a-1"), ("{item=$.shop}/{item=$.sku}", "9/a-1"), ("{index}", "4"),
    ("{run=id}-{index}", "\(SampleRuns.id)-4"),
  ])
  func `a key is its template applied to the item`(template: String, key: String) throws {
    let keys = try keys("  g: {for_each: [1], key: \"\(template)\", get: me}\n")

    #expect(keys.hasKeys(0))
    #expect(keys.isKnown(keyOf: 0))
    #expect(try keys.key(of: ["sku": "a-1", "shop": 9], at: 4, in: 0) == key)
  }

  @Test func `an item without a match for the key has no key`() throws {
    let keys = try keys("  g: {for_each: [1], key: \"{item=$.sku}\", get: me}\n")

    #expect(throws: ItemsUnreadable(message: "{item=$.sku} selects nothing")) {
      try keys.key(of: ["id": "a"], at: 0, in: 0)
    }
  }
}
