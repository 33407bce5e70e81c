import Testing

@testable import GraphFlow

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

#if os(Linux)
/// Tests on a file system of 3 MiB; they need permission to mount one.
@Suite(.serialized)
struct FullDiskTests {
  /// A small file system in memory that is removed with this value.
  private final class SmallDisk: Sendable {
    let scratch: ScratchFolder

    init?() throws {
      scratch = try ScratchFolder()
      guard mount("tmpfs", scratch.path, "tmpfs", 0, "size=3m,mode=700") == 0 else { return nil }
    }

    /// Fills the disk except for some bytes.
    func fill(leaving rest: Int) throws {
      var status = statvfs()
      guard statvfs(scratch.path, &status) == 0 else { return }
      let free = Int(status.f_bavail) * Int(status.f_bsize)
      try ScratchFolder.write(
        [UInt8](repeating: 1, count: max(0, free - rest)), to: scratch.path + "/filler")
    }

    deinit { umount2(scratch.path, Int32(MNT_DETACH)) }
  }

  @Test(.enabled(if: geteuid() == 0, "only root may mount a small disk"))
  func `an intent that does not fit stops the run, an outcome uses the reserved space`()
    async throws
  {
    guard let disk = try SmallDisk() else { return skip() }
    let state = StateDirectory(path: disk.scratch.path)
    let journal = try state.createJournal(for: SampleRuns.id)
    let body = String(repeating: "x", count: 300_000)
    try await journal.append([SampleRuns.start([])], durably: true)
    try disk.fill(leaving: 100_000)
    let error = await #expect(throws: JournalError.self) {
      try await journal.append(
        [SampleRuns.call(1, []), SampleRuns.ended(0, body: body)], durably: true)
    }
    #expect(error?.kind == .cannotWrite)
    #expect(error?.message == "the disk is full")
    #expect(try await journal.events().count == 1)
    let outcome = SampleRuns.ended(0, body: body)
    await #expect(throws: JournalError.self) {
      try await journal.append([outcome, SampleRuns.call(2, []), outcome], durably: true)
    }
    #expect(try await journal.events().last == outcome)
    #expect(try await journal.events().count == 2)
    try await journal.close()
    let again = try state.openJournal(SampleRuns.id)
    #expect(try await again.events().count == 2)
    try await again.close()
  }

  @Test(.enabled(if: geteuid() == 0, "only root may mount a small disk"))
  func `no run begins on a disk without room for the reserved space`() async throws {
    guard let disk = try SmallDisk() else { return skip() }
    let state = StateDirectory(path: disk.scratch.path)
    let journal = try state.createJournal(for: SampleRuns.id)
    try disk.fill(leaving: 500_000)
    let error = await #expect(throws: JournalError.self) {
      try await journal.append([SampleRuns.start([])], durably: true)
    }
    #expect(error?.kind == .cannotWrite)
    try await journal.close()
  }

  @Test(.enabled(if: geteuid() == 0, "only root may mount a small disk"))
  func `a report that does not fit leaves the old one and nothing else`() throws {
    guard let disk = try SmallDisk() else { return skip() }
    let path = disk.scratch.path + "/report.json"
    try writeAtomically([1, 2, 3], to: path)
    try disk.fill(leaving: 100_000)
    let error = #expect(throws: ReportWriteError.self) {
      try writeAtomically([UInt8](repeating: 0, count: 200_000), to: path)
    }
    #expect(error?.exitCode == 74)
    #expect(ScratchFolder.names(in: disk.scratch.path) == ["filler", "report.json"])
  }

  private func skip() {
    // A container may forbid root to mount; the other tests do not need it.
    withKnownIssue("no small disk can be mounted here") { Issue.record("skipped") }
  }
}
#endif
