import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// Nights in which posts appear, reads fail and runs are killed.
struct NewsNightsTests {
  /// A night's bookmark by another clock: every run starts at the same time.
  private static func shifted(_ bookmark: Bookmark, by seconds: Int) -> Bookmark {
    func text(_ time: String) -> String {
      let time = Timestamp(createdTime: .string(time))?.advanced(by: .seconds(seconds))
      return "\(time?.description.prefix(19) ?? "")Z"
    }
    let window = Bookmark.Window(
      element: bookmark.window.element, since: text(bookmark.window.since),
      until: text(bookmark.window.until))
    return Bookmark(window, isFinished: bookmark.isFinished, listed: bookmark.listed)
  }

  @Test(arguments: 1...60)
  func `each post and each comment is listed once, whatever happens`(_ seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
    let edge = seed % 2 == 0 ? "posts" : "comments"
    let text =
      seed % 2 == 0
      ? NewsTests.file() : NewsTests.file(edge, params: "order: reverse_chronological")
    let file = try workflow(text)
    var edges: NewsTests.Edges = [:]
    var (time, count) = (NewsTests.now, 0)
    /// Graph may list a post half an hour late; comments come in their order.
    func publish(_ number: Int) {
      for _ in 0..<number {
        count += 1
        let page = ["a", "b"][random(0..<2)] + "/" + edge
        let created = edge == "posts" ? time - random(0..<1800) : time
        edges[page, default: []].insert(("p\(count)", created), at: 0)
        edges[page]?.sort { $0.time > $1.time }
        time += 1
      }
    }
    var kept: [String: Bookmark] = [:]
    var listed: [String] = []
    for night in 1...10 {
      time += random(1..<20_000)
      publish(random(0..<6))
      let ahead = time - NewsTests.now
      let known = kept.values.map { Self.shifted($0, by: -ahead) }
      let failing = night < 10 && random(0..<3) == 0 ? ["a", "b"][random(0..<2)] : nil
      func simulation(after events: [RunEvent] = []) throws -> Simulation {
        var run = try Simulation(file, replaying: events, bookmarks: known)
        run.callFault = NewsTests.server(
          edges, source: #"["a", "b"]"#, failing: failing, ahead: ahead)
        return run
      }
      var runs = [try simulation()]
      if try runs[0].run(killedAtCall: random(1..<12)) == nil {
        if night < 10 { publish(random(0..<3)) }
        runs.append(try simulation(after: runs[0].events))
        _ = try runs[1].run()
      }
      let result = NewsTests.Night(runs)
      for bookmark in Set(result.bookmarks) where bookmark.isFinished {
        kept[bookmark.window.element] = Self.shifted(bookmark, by: ahead)
        listed += result.rows["out/\(bookmark.window.element)/\(NewsTests.now).jsonl"] ?? []
      }
    }
    #expect(count > 0 && listed.sorted() == edges.values.flatMap { $0.map(\.id) }.sorted())
  }
}
