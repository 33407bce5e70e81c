import TestSupport
import Testing

@testable import GraphFlow

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Journals of releases stay readable: each release keeps one with every kind of event, as data.
@Suite
struct ReleasedJournalTests {
  private static let folder =
    SharedFiles.packageRoot(of: #filePath) + "/Tests/GraphFlowTests/Golden/journals"
  static let versions = ScratchFolder.names(in: folder)

  private let scratch: ScratchFolder
  private let state: StateDirectory

  init() throws {
    scratch = try ScratchFolder()
    state = StateDirectory(path: scratch.path)
  }

  private var mark: String { "\(scratch.path)/intents/\(SampleRuns.id)" }

  @Test(arguments: versions)
  func `a journal that a release wrote is whole, read and continued`(version: String) async throws {
    let release = "\(Self.folder)/\(version)"
    try await state.createJournal(for: SampleRuns.id).close()
    try ScratchFolder.write(
      contents(of: release + "/journal.sqlite"), to: state.journalPath(SampleRuns.id))
    try ScratchFolder.write(contents(of: release + "/mark"), to: mark)

    #expect(try state.evidenceUnlessPruned(of: SampleRuns.id)?.verdict == .whole)
    let journal = try state.openJournal(SampleRuns.id)
    let events = try await journal.events()
    let lines = events.map { event in
      let text = String(decoding: event.json, as: UTF8.self)
      return "\(event.kind) \(text) \(event.body?.count ?? 0)\n"
    }
    expectGolden(lines.joined(), release + "/events.txt")
    let next = RunEvent.runResumed(Timestamp(milliseconds: 1))
    try await journal.append([next], durably: true)
    #expect(try await journal.events() == events + [next])
    try await journal.close()
    #expect(try state.evidenceUnlessPruned(of: SampleRuns.id)?.verdict == .whole)
  }

  /// `make record` writes it once for a new version; it is never written again.
  @Test func `this version has kept a journal`() async throws {
    guard !Self.versions.contains(toolVersion) else { return }
    Issue.record("Golden/journals has none of \(toolVersion); make record writes it")
    guard getenv("GRAPHFLOW_RECORD") != nil else { return }
    let journal = try state.createJournal(for: SampleRuns.id)
    try await journal.append(SampleRuns.failed, durably: true)
    try await journal.append(HostileEvents.all, durably: true)
    try await journal.close()
    let release = "\(Self.folder)/\(toolVersion)"
    mkdir(release, 0o755)
    try ScratchFolder.write(
      contents(of: state.journalPath(SampleRuns.id)), to: release + "/journal.sqlite")
    try ScratchFolder.write(contents(of: mark), to: release + "/mark")
  }
}
