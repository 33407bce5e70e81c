import CommandHarness
import TestSupport
import Testing

/// The lessons in `workflows/faults`: each prints what `docs/reference/faults.md` shows.
struct FaultGalleryTests {
  /// A lesson of the page.
  struct Lesson: Sendable, CustomTestStringConvertible {
    let name: String
    let output: String
    let code: Int32
    var testDescription: String { name }
  }

  /// The sections of the page that run a command.
  static let lessons: [Lesson] = {
    guard let page = try? text(of: CommandFixture.root + "/docs/reference/faults.md") else {
      return []
    }
    return page.split(separator: "\n### ").compactMap { section in
      guard
        let name = section.firstMatch(of: /faults\/([a-z-]+)\.faults\.yaml --progress none/),
        let end = section.firstMatch(of: /```\n([^`]*)```\n\nExit code (\d+)\./)
      else { return nil }
      return Lesson(name: String(name.1), output: String(end.1), code: Int32(end.2) ?? -1)
    }
  }()

  /// The text without what differs between runs: times, trace ids, column widths, the report.
  private static func stable(_ text: String, _ graphflow: CommandFixture) -> String {
    graphflow.stable(text)
      .replacing(/trace [A-Za-z0-9]+/, with: "trace {trace}")
      .split(separator: "\n")
      .filter { !$0.hasPrefix("report ") }
      .joined(separator: " ")
      .replacing(/\s+/, with: " ")
      .replacing(/[A-Z][a-z]+day, \d\d-[A-Z][a-z]+-\d\d \S+ P[DS]T/, with: "{time}")
  }

  @Test(arguments: lessons)
  func `a lesson prints what the page shows`(_ lesson: Lesson) throws {
    let graphflow = try CommandFixture()
    let path = "workflows/faults/\(lesson.name)"
    let outcome = try graphflow(
      "run", path + ".yaml", "--sandbox", "--faults", path + ".faults.yaml", "--progress", "none")
    #expect(outcome.code == lesson.code)
    let expected = Self.stable(lesson.output, graphflow)
    #expect(Self.stable(outcome.error, graphflow) == expected, "\(outcome.error)")
  }

  @Test func `every file of the folder belongs to a lesson on the page`() throws {
    let graphflow = try CommandFixture()
    let outcome = try graphflow("validate", "--strict", "workflows/faults")
    #expect(outcome.code == 0, "\(outcome.output)")
    #expect(outcome.error == "\(Self.lessons.count * 2) files are valid\n")
    for lesson in Self.lessons {
      let path = CommandFixture.root + "/workflows/faults/" + lesson.name
      #expect(try !contents(of: path + ".yaml").isEmpty)
      #expect(try !contents(of: path + ".faults.yaml").isEmpty)
    }
    #expect(Set(Self.lessons.map(\.name)).count == Self.lessons.count)
  }
}
