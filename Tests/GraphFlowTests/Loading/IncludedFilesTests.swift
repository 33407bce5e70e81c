import GraphAPI
import TestSupport
import Testing

@testable import GraphFlow

/// `include`: what a file takes from others, and where messages say that a mistake is.
struct IncludedFilesTests {
  private func read(
    _ files: [String: String], from path: String = "main.yaml"
  ) -> (workflow: Workflow?, diagnostics: [Diagnostic], source: SourceFile) {
    let source = SourceFile(path: "w/" + path, bytes: Array((files[path] ?? "").utf8))
      .including { path in
        files[path].map { .bytes(Array($0.utf8)) } ?? .unusable(.missing)
      }
    let (workflow, diagnostics) = Workflow.reading(source)
    return (workflow, diagnostics, source)
  }

  private static let shared = """
    graphflow: 1
    name: shared
    token: page
    version: v24.0
    inputs: {page: {type: string, default: me}, unused: string}
    permissions: [pages_show_list]
    defaults:
      retry: {max_attempts: 6, initial_delay: 2s}
      headers: {X-A: shared, X-B: shared}
      timeout: 30s
    errors: [{code: 1, category: transient}]
    requests:
      page: {get: "{input=page}"}
      other: {get: you}
    outputs: {id: "{result=page:$.id}"}
    schedule: {cron: "0 0 * * *"}
    max_writes: 9

    """

  @Test func `what a file says itself wins over what it includes`() throws {
    let main = """
      graphflow: 1
      include: [shared/page.yaml]
      version: v25.0
      permissions: [read_insights]
      defaults:
        retry: {max_attempts: 2}
        headers: {X-A: own}
      errors: [{code: 2, category: recoverable}]
      requests:
        other: {get: "{result=page:$.id}/feed"}
        last: {get: me}

      """
    let (read, diagnostics, _) = read(["main.yaml": main, "shared/page.yaml": Self.shared])

    let workflow = try #require(read, "\(diagnostics)")
    #expect(diagnostics.isEmpty)
    #expect(workflow.name == "main")
    #expect(workflow.token == "page")
    #expect(workflow.version?.description == "v25.0")
    #expect(workflow.inputs.map(\.name.text) == ["page", "unused"])
    #expect(workflow.requests.map(\.name) == ["page", "other", "last"])
    #expect(workflow.requests[1].path.text == "{result=page:$.id}/feed")
    let last = workflow.requests[2]
    #expect(last.permissions == ["read_insights", "pages_show_list"])
    #expect(last.retry?.maxAttempts == 2)
    #expect(last.retry?.initialDelay == .seconds(2))
    #expect(last.timeout == .seconds(30))
    #expect(last.headers.map { "\($0.name): \($0.value.text)" } == ["X-A: own", "X-B: shared"])
    #expect(workflow.errors.count == 2)
    #expect(workflow.outputs.map(\.name) == ["id"])
    #expect(workflow.schedule == nil)
    #expect(workflow.conduct.maxWrites == 9)
  }

  @Test func `a file that two others include is read once`() {
    let files = [
      "main.yaml": "graphflow: 1\ninclude: [a/a.yaml, b.yaml]\n",
      "a/a.yaml": "graphflow: 1\ninclude: [x/../deep/c.yaml]\nrequests: {a: {get: me}}\n",
      "b.yaml": "graphflow: 1\ninclude: [a/deep/c.yaml]\n",
      "a/deep/c.yaml":
        "graphflow: 1\nrequests: {c: {get: me}}\nerrors: [{code: 1, category: transient}]",
    ]
    let (workflow, diagnostics, source) = read(files)

    #expect(diagnostics.isEmpty, "\(diagnostics)")
    #expect(
      source.parts.map(\.path) == ["w/main.yaml", "w/a/a.yaml", "w/b.yaml", "w/a/deep/c.yaml"])
    #expect(workflow?.requests.map(\.name) == ["c", "a"])
    #expect(workflow?.errors.count == 1)
  }

  @Test func `two included files may not differ, unless the including file decides`() {
    var files = [
      "main.yaml": "graphflow: 1\ninclude: [a.yaml, b.yaml]\nrequests: {r: {get: me}}\n",
      "a.yaml": "graphflow: 1\nversion: v24.0\nrequests: {s: {get: me}}\n",
      "b.yaml": "graphflow: 1\n\nversion: v24.0\nrequests: {s: {get: you}}\n",
    ]
    let (workflow, diagnostics, _) = read(files)
    files["main.yaml"] = "graphflow: 1\ninclude: [a.yaml, b.yaml]\nrequests: {s: {get: they}}\n"
    let decided = read(files)

    #expect(workflow == nil)
    #expect(diagnostics.map(\.rule) == [RuleID.duplicateKey.rawValue])
    #expect(diagnostics.first?.message == "'s' differs from the one in w/a.yaml:3:12")
    #expect(diagnostics.first?.file == "w/b.yaml")
    #expect(diagnostics.first?.location.description == "4:12")
    #expect(decided.diagnostics.isEmpty)
    #expect(decided.workflow?.requests.map(\.path.text) == ["they"])
  }

  @Test func `a mistake in an included file has its place there, with its line`() {
    let files = [
      "main.yaml": "graphflow: 1\ninclude: [a.yaml, b.yaml]\nrequests: {r: {gte: me}}",
      "a.yaml": "\u{feff}graphflow: 1\nrequests:\n  s: {get: \"{result=t:$.id}\"}\n",
      "b.yaml": "graphflow: 1\nrequests: [\n",
    ]
    let (_, diagnostics, source) = read(files)

    let text = diagnostics.text(in: source)
    #expect(diagnostics.contains { $0.file == "w/main.yaml" && $0.location.line == 3 }, "\(text)")
    #expect(text.contains("w/a.yaml:3:21: error: no request is named 't'"), "\(text)")
    #expect(text.contains("    3 |   s: {get: \"{result=t:$.id}\"}\n"), "\(text)")
    #expect(diagnostics.contains { $0.file == "w/b.yaml" && $0.rule == "syntax" }, "\(text)")
  }

  @Test func `a request of an included file knows its line there`() throws {
    let files = ["main.yaml": "graphflow: 1\ninclude: [a.yaml]\n\n\n", "a.yaml": Self.shared]
    let workflow = try #require(read(files).workflow)

    let place = workflow.source.place(of: workflow.requests[0].location)

    #expect(place.path == "w/a.yaml")
    #expect(place.line == 13)
    #expect(workflow.source.lineText(of: workflow.requests[0].location) == "line 13 of w/a.yaml")
  }

  @Test func `the digest is that of all files`() {
    let main = "graphflow: 1\ninclude: [a.yaml]\n"
    let one = read(["main.yaml": main, "a.yaml": Self.shared])
    let two = read(["main.yaml": main, "a.yaml": Self.shared + "# changed\n"])

    #expect(one.workflow?.source.digest != nil)
    #expect(one.workflow?.source.digest != two.workflow?.source.digest)
  }

  @Test func `a fix changes the file with the mistake`() {
    let files = [
      "main.yaml": "graphflow: 1\ninclude: [a.yaml, b.yaml]\nrequests: {r: {gte: me}}",
      "a.yaml": "\u{feff}graphflow: 1\nrequests: {s: {tiemout: 3s, gte: me}}",
      "b.yaml": "graphflow: 1\nrequests: {t: {get: me}}\n",
    ]
    let source = read(files).source

    let (fixed, count) = source.fixed()
    let changes = fixed.changes(from: source)

    #expect(count == 3)
    #expect(changes.map(\.path) == ["w/main.yaml", "w/a.yaml"])
    #expect(
      changes.map { String(decoding: $0.old, as: UTF8.self) }.map { Array($0.utf8) }
        == ["main.yaml", "a.yaml"].map { Array((files[$0] ?? "").utf8) })
    #expect(
      changes.map { Array($0.new) }
        == [
          Array("graphflow: 1\ninclude: [a.yaml, b.yaml]\nrequests: {r: {get: me}}".utf8),
          Array("\u{feff}graphflow: 1\nrequests: {s: {timeout: 3s, get: me}}".utf8),
        ])
  }

  @Test func `a file includes at most ninety-nine others`() {
    func read(_ count: Int) -> [Diagnostic] {
      var files = ["main.yaml": "graphflow: 1\ninclude: [f1.yaml]\n"]
      for index in 1..<count {
        files["f\(index).yaml"] = "graphflow: 1\ninclude: [f\(index + 1).yaml]\n"
      }
      files["f\(count).yaml"] = "graphflow: 1\nrequests: {a: {get: me}}\n"
      return self.read(files).diagnostics
    }
    #expect(read(99).isEmpty)
    #expect(read(100).contains { $0.message.contains("too many files") })
  }

  @Test func `a file without requests is one for others, if nothing else is wrong`() {
    func isFragment(_ text: String) -> Bool {
      let file = read(["main.yaml": text])
      return Workflow.isFragment(file.source, file.diagnostics)
    }
    #expect(isFragment("graphflow: 1\ndefaults: {timeout: 3s}\n"))
    #expect(!isFragment("graphflow: 1\ndefaults: {tiemout: 3s}\n"))
    #expect(!isFragment("graphflow: 1\nname: nothing\n"))
    #expect(!isFragment("graphflow: 1\nrequests: {a: {get: me}}\n"))
  }
}
