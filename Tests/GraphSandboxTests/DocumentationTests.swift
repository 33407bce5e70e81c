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
      "POST", "v25.0/", [("batch", String(batch)), ("include_headers", "false")])

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
}
