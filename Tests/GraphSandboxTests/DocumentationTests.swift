import JSONPath
import TestSupport
import Testing

@testable import GraphSandbox

struct DocumentationTests {
  private static let page =
    SharedFiles.packageRoot(of: "\(#filePath)") + "/docs/reference/sandbox.md"

  /// The text of the first code block of a language.
  private func block(_ language: String, of page: String) throws -> Substring {
    let start = try #require(page.firstRange(of: "```\(language)\n"))
    let end = try #require(page[start.upperBound...].firstRange(of: "\n```"))
    return page[start.upperBound..<end.lowerBound]
  }

  @Test func `the example in the documentation has the documented answer`() throws {
    let page = try text(of: Self.page)
    let command = try block("sh", of: page)
    let start = try #require(command.firstRange(of: "'batch="))
    let batch = command[start.upperBound...].prefix { $0 != "'" }
    var sandbox = try InProcessSandbox()

    let answer = sandbox.send(
      "POST", "v25.0/", [("batch", String(batch)), ("include_headers", "false")],
      token: sandbox.pageToken)

    #expect(answer.text == String(try block("json", of: page)))
  }

  @Test func `the documentation names all pages of the world`() throws {
    let page = try text(of: Self.page)
    let sandbox = try InProcessSandbox()

    let profiles = sandbox.world.objects.values.filter {
      [.page, .application].contains($0.type) || $0.id == sandbox.alex
    }

    #expect(profiles.count == 5)
    for profile in profiles {
      let name = try #require(profile.name)
      #expect(page.contains("| \(name) |"), "\(name)")
    }
  }

  @Test func `the documentation lists the switches of faults and the events`() throws {
    let page = try text(of: Self.page)
    for fault in NamedFault.all {
      #expect(page.contains("| `\(fault.name)` | \(fault.summary) |"), "\(fault.name)")
    }
    for event in WorldEvent.names { #expect(page.contains("`\(event)`"), "\(event)") }
  }

  @Test func `each kind of fault in the documentation of faults has a switch`() throws {
    let page = try text(of: Self.page.replacing("sandbox.md", with: "faults.md"))
    let tables = try #require(page.firstRange(of: "### What happens to an operation"))
    let end = try #require(page.firstRange(of: "## Lessons"))
    let rows = page[tables.lowerBound..<end.lowerBound].matches(of: /\n\| `([a-z_]+): (.*) \|/)
    let names = rows.flatMap { row in
      [String(row.1)] + row.2.matches(of: /^[^|]*`([a-z_]+): …`/).map { String($0.1) }
    }
    #expect(Set(names).count > 14)
    for name in names {
      #expect(NamedFault.named(name) != nil, "\(name)")
    }
  }

  @Test func `the example of the control interface has the documented answer`() async throws {
    let page = try text(of: Self.page)
    let control = page[try #require(page.firstRange(of: "## Control")).lowerBound...]
    let body = try #require(control.firstMatch(of: /-d '([^']+)'/)).1
    let answer = String(try block("json", of: String(control)))
    try await Sandbox(
      .with { ($0.start.time, $0.clock) = (1_767_225_600, { 5 }) }
    ).serving { sandbox in
      let sent = try await LoopbackClient.send(
        "POST", "/sandbox/advance", headers: ["Authorization: Bearer \(sandbox.controlToken)"],
        body: Array(body.utf8), to: sandbox)
      #expect(sent.body == answer + "\n")
    }
  }
}
