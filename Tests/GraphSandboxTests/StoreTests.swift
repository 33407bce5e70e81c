import JSONPath
import Synchronization
import TestSupport
import Testing

@testable import GraphSandbox

/// A store keeps a world completely.
struct StoreTests {
  /// A store in memory, which may reject changes.
  private final class MemoryStore: WorldStore {
    struct State {
      var records: [String: [UInt8]] = [:]
      var isFailing = false
      var changes = 0
    }

    let state = Mutex(State())

    func forEachRecord(_ visit: (_ key: String, _ value: [UInt8]) throws -> Void) throws {
      for (key, value) in state.withLock({ $0.records }) { try visit(key, value) }
    }

    func change(_ records: [(key: String, value: [UInt8]?)]) -> Bool {
      state.withLock { state in
        guard !state.isFailing else { return false }
        state.changes += 1
        for (key, value) in records { state.records[key] = value }
        return true
      }
    }
  }

  private static func call(_ sandbox: inout InProcessSandbox, _ path: String) -> String {
    sandbox.send("GET", path).text
  }

  @Test func `a restored world gives the same answers`() throws {
    var sandbox = try InProcessSandbox()
    sandbox.time = 1_800_000_000
    let store = MemoryStore()
    _ = store.change(sandbox.world.allRecords())
    let post = try #require(
      sandbox.send("POST", "me/feed", [("message", "Kept — ✓")]).json["id"]?.string)
    _ = sandbox.send("POST", "\(post)/comments", [("message", "Here, too")])
    _ = sandbox.send("POST", "\(post)/likes")
    _ = sandbox.send("DELETE", "me/permissions/user_location")
    _ = sandbox.send("DELETE", "\(sandbox.page)_122000000000024", token: sandbox.pageToken)
    _ = store.change(sandbox.world.changedRecords)

    var copy = try InProcessSandbox()
    copy.time = sandbox.time
    #expect(try copy.world.restore(from: store))

    for path in [
      "me?fields=name,email,permissions,feed{message,comments,likes}", "me/accounts",
      "\(post)?fields=message,created_time,from,comments{message,from},likes.summary(true)",
      "\(sandbox.page)/feed?limit=100", "me/friends",
      "debug_token?input_token=\(sandbox.token)",
    ] { #expect(Self.call(&copy, path) == Self.call(&sandbox, path), "\(path)") }
    let next = [("message", "Next")]
    #expect(copy.send("POST", "me/feed", next).text == sandbox.send("POST", "me/feed", next).text)
  }

  @Test func `a sandbox continues with the stored world`() async throws {
    let store = MemoryStore()
    let configuration = Sandbox.Configuration.with { $0.start.store = store }
    func ask(_ method: String, _ path: String) async throws -> JSON {
      try await Sandbox(configuration).serving { sandbox in
        let separator = path.contains("?") ? "&" : "?"
        let answer = try await LoopbackClient.send(
          method, "/\(path)\(separator)access_token=\(sandbox.tokens[0].token)", to: sandbox)
        return try JSON(parsing: answer.body)
      }
    }

    let id = try #require(try await ask("POST", "me/feed?message=Kept")["id"]?.string)
    let changes = store.state.withLock { $0.changes }
    let read = try await ask("GET", id)

    #expect(read["message"] == "Kept")
    // A read changes nothing, so nothing is written.
    #expect(store.state.withLock { $0.changes } == changes)
  }

  @Test func `a restored world publishes what was scheduled`() throws {
    var sandbox = try InProcessSandbox()
    sandbox.time = 1_800_000_000
    let store = MemoryStore()
    _ = store.change(sandbox.world.allRecords())
    let post = sandbox.send(
      "POST", "\(sandbox.page)/feed",
      [("message", "Later"), ("published", "false"), ("scheduled_publish_time", "1 hour")],
      token: sandbox.pageToken)
    _ = store.change(sandbox.world.changedRecords)

    var copy = try InProcessSandbox()
    #expect(try copy.world.restore(from: store))
    copy.time = 1_800_003_599
    let before = copy.send("GET", "\(copy.page)/feed?limit=1", token: copy.pageToken)
    copy.time = 1_800_003_600
    let after = copy.send("GET", "\(copy.page)/feed?limit=1", token: copy.pageToken)

    #expect(before.json["data"]?[0]?["id"] != post.json["id"])
    #expect(after.json["data"]?[0]?["id"] == post.json["id"])
  }

  @Test func `changes that a store rejected are included again`() throws {
    let store = MemoryStore()
    var sandbox = try InProcessSandbox()
    _ = store.change(sandbox.world.allRecords())
    store.state.withLock { $0.isFailing = true }

    let first = sandbox.send("POST", "me/feed", [("message", "one")]).json["id"]?.string
    #expect(!store.change(sandbox.world.changedRecords))
    let second = sandbox.send("POST", "me/feed", [("message", "two")]).json["id"]?.string
    let keys = sandbox.world.changedRecords.map(\.key)

    #expect(keys.contains("object/\(try #require(first))"))
    #expect(keys.contains("object/\(try #require(second))"))
  }

  @Test(arguments: [
    ("world", "{}"), ("world", "nonsense"), ("object/1", "{}"), ("else", "{}"),
    ("object/1", #"{"type":"User","owner":"1","fields":{},"edges":{"feed":[1,5,"x"]}}"#),
  ])
  func `a damaged store is refused`(key: String, value: String) throws {
    let store = MemoryStore()
    var sandbox = try InProcessSandbox()
    _ = store.change(sandbox.world.allRecords())
    _ = store.change([(key, Array(value.utf8))])

    #expect(throws: SandboxFailure.self) { try sandbox.world.restore(from: store) }
  }

  @Test func `a store holds the world that commands have put in place`() throws {
    let store = MemoryStore()
    let sandbox = try PageSandbox(.standard) {
      ($0.start.store, $0.clock) = (store, { 1_800_000_000 })
    }
    let first = store.state.withLock(\.records)
    let kept = try sandbox.live.perform(.snapshot(name: nil))
    for command in [ControlCommand.reset, .restore(try Snapshot(kept))] {
      sandbox.send("POST", "me/feed", [("message", "Gone")], token: sandbox.pageToken)
      _ = try sandbox.live.perform(.trigger(.token("page", .expired)))
      #expect(store.state.withLock(\.records.count) == first.count + 1)
      _ = try sandbox.live.perform(command)
      let records = store.state.withLock(\.records)
      #expect(records.filter { $0.key != "world" } == first.filter { $0.key != "world" })
      var copy = try InProcessSandbox()
      #expect(try copy.world.restore(from: store))
      #expect(
        Snapshot(of: copy.world).json["records"]?["world"]?["grants"]
          == kept["records"]?["world"]?["grants"])
    }
  }
}
