import JSONPath
import TestSupport
import Testing

@testable import GraphSandbox

/// docs/reference/sandbox-coverage.md: what the sandbox serves of what Graph has.
struct CoverageTests {
  @Test func `the documentation lists what is served`() throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let types = CatalogTests.types.sorted()
    let rows = types.map { Self.row(of: $0) }
    let sections = try types.map { try Self.section(of: $0) }
    let text =
      """
      # What the sandbox serves

      This page is generated from the sandbox (`make record`). What Graph has comes from Meta's own SDK
      for Python, `facebook_business`.

      A field is served if a write or a [world file](sandbox.md#world-files) can set it, or the sandbox
      computes it. A list is served if a world file or a write can fill it: it is paged, and it needs the
      permission that it needs in Graph. Whatever else is here keeps Graph's shape of error, and the
      header `X-GraphFlow-Sandbox: not served`.

      | type | fields | lists and other reads | writes |
      | --- | --- | --- | --- |
      \(rows.joined(separator: "\n"))

      \(sections.joined(separator: "\n\n"))

      """
    expectGolden(text, "/\(root)/docs/reference/sandbox-coverage.md")
  }

  private static func edges(_ type: NodeType, _ method: GraphMethod) -> [FieldName] {
    Catalog.graph.names(of: type) { _ in true }
      .filter { Catalog.graph.call(method, $0, of: type) != nil }
  }

  private static func isServed(_ edge: FieldName, _ type: NodeType, _ method: GraphMethod) -> Bool {
    // `picture` is a field, too.
    method == .get
      ? Catalog.graph[edge, type].isEdge || edge.isField(of: type)
      : ServedWrite(Edge(name: edge), of: type) != nil
  }

  private static func share(_ type: NodeType, _ method: GraphMethod) -> String {
    let all = edges(type, method)
    let served = all.count { isServed($0, type, method) }
    return all.isEmpty ? "" : "\(served) of \(all.count)"
  }

  private static func row(of name: String) -> String {
    guard let type = NodeType(name) else { return "" }
    let fields = Catalog.graph.names(of: type) { $0.kind != nil }.count
    return "| [\(name)](#\(name.lowercased())) | \(fields) | \(share(type, .get)) | "
      + "\(share(type, .post)) |"
  }

  private static func section(of name: String) throws -> String {
    let type = try #require(NodeType(name))
    func names(_ method: GraphMethod, served: Bool) -> [String] {
      edges(type, method).filter { isServed($0, type, method) == served }.map(\.text)
    }
    let needed = Dictionary(grouping: names(.get, served: true)) {
      EdgeAccess($0, of: name).permissions.joined(separator: " or ")
    }.filter { !$0.key.isEmpty }
    let permissions = needed.sorted { ($0.value.count, $0.key) > ($1.value.count, $1.key) }
      .enumerated()
      .map { index, need in
        // The permission of most reads is that of the type.
        (index == 0 ? "most" : list(need.value)) + ": " + need.key
      }
    let rows = [
      ("reads", list(names(.get, served: true))),
      ("their permissions", permissions.joined(separator: "; ")),
      ("reads that are not served", list(names(.get, served: false))),
      ("writes", list(names(.post, served: true))),
      ("writes that are not served", list(names(.post, served: false))),
    ].filter { !$0.1.isEmpty }
    return "## \(name)\n\n| | |\n| --- | --- |\n"
      + rows.map { "| \($0) | \($1) |" }.joined(separator: "\n")
  }

  private static func list(_ names: [String]) -> String {
    names.map { "`\($0)`" }.joined(separator: ", ")
  }
}
