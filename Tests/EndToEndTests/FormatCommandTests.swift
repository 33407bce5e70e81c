import CommandHarness
import TestSupport
import Testing

/// `graphflow fmt`: files and exit codes; `FormattingTests` has the form.
struct FormatCommandTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private static let written = """
    graphflow: 1
    requests:
        me:   # who
            params: {fields: id}
            get: "me"

    """
  private static let form = """
    graphflow: 1
    requests:
      me:   # who
        get: me
        params: {fields: id}

    """

  @Test func `files are written in one form, and named`() throws {
    let file = try graphflow.folder.write(Self.written, to: "a.yaml")
    _ = try graphflow.folder.write("jobs: {}\n", to: "other.yaml")

    let check = try graphflow("fmt", "--check", graphflow.folder.path)
    let before = try text(of: file)
    let format = try graphflow("fmt", graphflow.folder.path)
    let again = try graphflow("fmt", "--check", graphflow.folder.path)

    #expect(check.code == 1)
    #expect(check.output == file + "\n", "\(check.error)")
    #expect(before == Self.written)
    #expect(format.code == 0)
    #expect(format.output == file + "\n")
    #expect(try text(of: file) == Self.form)
    #expect(again.code == 0 && again.output.isEmpty)
  }

  @Test func `standard input goes to standard output`() throws {
    let format = try graphflow("fmt", "-", input: Self.written)

    #expect(format.code == 0, "\(format.error)")
    #expect(format.output == Self.form)
  }

  @Test func `a file that cannot be written in the form stays as it is`() throws {
    let broken = try graphflow.folder.write("graphflow: 1\nrequests: {a: [\n", to: "a.yaml")
    let other = try graphflow.folder.write("jobs: {}\n", to: "other.yaml")

    let format = try graphflow("fmt", broken, other)

    #expect(format.code == 65)
    #expect(format.error.contains("'\(broken)' cannot be formatted"), "\(format.error)")
    #expect(format.error.contains("'\(other)' is not a file of graphflow"), "\(format.error)")
    #expect(try text(of: broken) == "graphflow: 1\nrequests: {a: [\n")
  }

  @Test func `an included file is not written into the one that includes it`() throws {
    _ = try graphflow.folder.write("graphflow: 1\nrequests: {a: {get: me}}\n", to: "shared.yaml")
    let file = try graphflow.folder.write("graphflow:   1\ninclude: [shared.yaml]\n", to: "a.yaml")

    let format = try graphflow("fmt", file)

    #expect(format.code == 0, "\(format.error)")
    #expect(try text(of: file) == "graphflow: 1\ninclude: [shared.yaml]\n")
  }
}
