import TestSupport
import Testing

@Suite struct GoldenTests {
  @Test func `a missing golden file is a failure`() {
    withKnownIssue { expectGolden("text", "/nowhere/at/all.golden") }
  }

  @Test func `a golden file with other contents is a failure`() {
    withKnownIssue { expectGolden("text", #filePath) }
  }

  @Test func `a golden file with the same contents is no failure`() throws {
    expectGolden(try text(of: #filePath), #filePath)
  }

  @Test func `a package's root is above its tests`() {
    #expect(SharedFiles.packageRoot(of: "/a/Tests/b/Tests/c/d.swift") == "/a/Tests/b")
    #expect(SharedFiles.path("nothing/of/this/name") == nil)
  }
}
