import GraphAPI
import Synchronization
import Testing

@testable import GraphFlow

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The file of quota snapshots.
struct QuotaFileTests {
  private static let now = Timestamp(milliseconds: 1_763_629_200_000)

  private final class Warnings: Sendable {
    private let texts = Mutex<[String]>([])
    func add(_ text: String) { texts.withLock { $0.append(text) } }
    var all: [String] { texts.withLock { $0 } }
  }

  private static func file(_ scratch: ScratchFolder, _ warnings: Warnings) -> QuotaFile {
    QuotaFile(in: StateDirectory(path: scratch.path + "/state")) { warnings.add($0) }
  }

  private static func key(_ text: String) throws -> Fingerprint {
    Fingerprint(of: try #require(AccessToken(text)), at: .standard)
  }

  private static func changes(_ key: Fingerprint, count: Int = 50) -> QuotaSnapshot {
    var record = QuotaRecord()
    record.history = OperationHistory(counts: [now.milliseconds / 60_000: count])
    (record.usage, record.readAt, record.cost) = (12.5, now, 0.25)
    (record.capacity, record.capacityFoundAt) = (4800, now)
    (record.silentUntil, record.silentSince) = (now.advanced(by: .seconds(60)), now)
    (record.refusals, record.changedAt) = (2, now)
    var snapshot = QuotaSnapshot()
    snapshot.records[key] = record
    snapshot.links[key] = [key]
    return snapshot
  }

  @Test func `one process reads what another writes, and counts add up`() async throws {
    let scratch = try ScratchFolder()
    let warnings = Warnings()
    let key = try Self.key("EAAsecret")
    let changes = Self.changes(key)
    #expect(await Self.file(scratch, warnings).exchange(changes, at: Self.now) == changes)
    #expect(await Self.file(scratch, warnings).exchange(QuotaSnapshot(), at: Self.now) == changes)
    let third = await Self.file(scratch, warnings).exchange(changes, at: Self.now)
    #expect(third?.records[key]?.history.count(at: Self.now) == 100)
    #expect(warnings.all.isEmpty)
  }

  @Test func `only the owner can access the file, and it holds no token`() async throws {
    let scratch = try ScratchFolder()
    let mask = umask(0)
    defer { umask(mask) }
    let key = try Self.key("EAAsecret")
    _ = await Self.file(scratch, Warnings()).exchange(Self.changes(key), at: Self.now)
    var status = stat()
    #expect(stat(scratch.path + "/state/quota.json", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(stat(scratch.path + "/state/quota.lock", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    let text = String(decoding: Self.changes(key).json, as: UTF8.self)
    #expect(!text.contains("EAA") && text.contains(key.text))
  }

  @Test(arguments: [
    ("", "not JSON"), ("{", "not JSON"), ("[]", "not JSON"), ("{}", "no version"),
    (#"{"graphflow_quota":2}"#, "version 2"), ("\u{0}\u{1}", "not JSON"),
  ])
  func `an invalid file is ignored with a warning`(_ text: String, _ problem: String) async throws {
    let scratch = try ScratchFolder()
    let warnings = Warnings()
    let key = try Self.key("a")
    #expect(mkdir(scratch.path + "/state", 0o700) == 0)
    try ScratchFolder.write(Array(text.utf8), to: scratch.path + "/state/quota.json")
    let snapshot = await Self.file(scratch, warnings).exchange(Self.changes(key), at: Self.now)
    #expect(snapshot == Self.changes(key))
    #expect(warnings.all.count == 1 && warnings.all[0].contains(problem))
  }

  @Test(arguments: [
    #"{"graphflow_quota":1,"limits":7,"tokens":[]}"#,
    #"{"graphflow_quota":1,"limits":{"x":{}},"tokens":{"y":1}}"#,
    #"{"graphflow_quota":1,"limits":{"00112233445566778899aabbccddeeff":{"usage":-1,"read_at":1e99,"refusals":99999999999999999999,"minutes":[[1],[-1,2],["a",3],[9223372036854775807,1],[5,-7]]}}}"#,
  ])
  func `unusual values do not trap`(_ text: String) throws {
    let snapshot = try QuotaSnapshot(json: Array(text.utf8))
    for record in snapshot.records.values {
      var gauge = QuotaGauge()
      gauge.merge(record.current(at: Self.now), jitter: 0.5)
      gauge.settle(0, .answered, at: Self.now)
      #expect(gauge.allowance(at: Self.now, .init(), isSmall: true) != .afterAnswer)
    }
  }

  @Test func `old records and records of a wrong clock are dropped`() throws {
    let key = try Self.key("a")
    let record = try #require(Self.changes(key).records[key])
    for days in [-3, 3] {
      let then = Self.now.advanced(by: .seconds(days * 86_400))
      let current = record.current(at: then)
      #expect(current.usage == nil && current.capacity == nil && current.refusals == 0)
      #expect(current.silentUntil.map { $0 > then } != true)
      #expect(!record.isWorthKeeping(at: then))
    }
  }
}
