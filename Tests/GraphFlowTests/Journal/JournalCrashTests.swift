import TestSupport
import Testing

@testable import GraphFlow

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite
struct JournalCrashTests {
  /// The events of the child's n-th append.
  static func events(_ number: Int) -> [RunEvent] {
    (0..<3).map { SampleRuns.attempt(number, $0 + 1) }
  }

  @Test(arguments: [1, 3, 9, 20, 40])
  func `kill -9 loses no append and leaves no partial one`(milliseconds: Int) async throws {
    let scratch = try ScratchFolder()
    let path = scratch.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, milliseconds] in
      let journal = try StateDirectory(path: path).createJournal(for: SampleRuns.id)
      let progress = open(path + "/progress", O_CREAT | O_RDWR, 0o600)
      Task.detached {
        usleep(UInt32(milliseconds) * 1000)
        kill(getpid(), SIGKILL)
      }
      for number in 0..<1_000_000 {
        try await journal.append(JournalCrashTests.events(number), durably: number % 2 == 0)
        var count = Int64(number + 1)
        pwrite(progress, &count, 8, 0)
      }
    }
    let reported = (try? contents(of: path + "/progress")) ?? []
    let count = reported.reversed().reduce(0) { $0 << 8 | Int($1) }
    let journal = try StateDirectory(path: path).openJournal(SampleRuns.id)
    let events = try await journal.events()
    #expect(events.count / 3 == count || events.count / 3 == count + 1)
    #expect(events == (0..<events.count / 3).flatMap { JournalCrashTests.events($0) })
    try await journal.append(JournalCrashTests.events(0), durably: true)
    try await journal.close()
  }
}
