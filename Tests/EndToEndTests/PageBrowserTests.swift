import CommandHarness
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The sandbox's page in a real browser; skipped without Chromium or Python.
struct PageBrowserTests {
  static let hasBrowser =
    access("/usr/bin/chromium", X_OK) == 0 && access("/usr/bin/python3", X_OK) == 0

  @Test(.enabled(if: hasBrowser, "needs Debian's chromium and python3: make try-page"))
  func `a person grants permissions and approves devices on the page`() throws {
    let graphflow = try CommandFixture()
    let binary = try #require(GraphFlowBinary.path)
    let process = try ChildProcess(
      ["/usr/bin/python3", CommandFixture.root + "/scripts/try-page"],
      environment: ["PATH": "/usr/bin:/bin", "GRAPHFLOW_BINARY": binary], input: [],
      folder: graphflow.folder.path)
    try process.read(for: 500) { _ in false }
    let end = try process.wait()
    let printed = String(decoding: process.standardOutput + process.standardError, as: UTF8.self)

    #expect(end == .exited(0), "\(printed)")
  }
}
