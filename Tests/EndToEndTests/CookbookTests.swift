import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The recipes of `docs/guide/cookbook.md`: each command of the page does what the page says.
struct CookbookTests {
  private static let folder = "workflows/cookbook"
  private static let world = "workflows/worlds/agency.yaml"
  private static let page =
    (try? text(of: CommandFixture.root + "/docs/guide/cookbook.md")) ?? ""

  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  /// The names of the workflow files.
  private static func files() throws -> [String] {
    let entries = try #require(opendir(CommandFixture.root + "/" + folder))
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name.hasSuffix(".yaml"), !name.hasSuffix(".test.yaml") else { continue }
      names.append(String(name.dropLast(5)))
    }
    return names.sorted()
  }

  /// The command of the page for a recipe, on a sandbox of its own.
  private static func command(for name: String) throws -> String {
    let blocks = page.split(separator: "```sh\n").dropFirst()
      .compactMap { $0.split(separator: "```").first }
      .filter { $0.hasPrefix("graphflow run \(folder)/\(name).yaml ") }
    #expect(blocks.count == 1, "\(name) has \(blocks.count) commands on the page")
    let command = try #require(blocks.first)
    #expect(command.contains("--sandbox --world \(world)"))
    return command.split(separator: "\n").joined(separator: "\n")
      .replacing("--sandbox --world \(world)", with: "")
      .replacing("\(folder)/", with: "\(CommandFixture.root)/\(folder)/")
  }

  @Test func `each file has a row, at most forty lines, and a place on the page`() throws {
    let files = try Self.files()
    #expect(files.count >= 25)
    #expect(files == Recipe.all.map(\.name).sorted())
    let named = Self.page.matches(of: /\(\.\.\/\.\.\/workflows\/cookbook\/([a-z-]+)\.yaml\)/)
    #expect(named.map { String($0.1) }.sorted() == files)
    for name in files {
      let lines = try text(of: "\(CommandFixture.root)/\(Self.folder)/\(name).yaml")
        .split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 41, "\(name) has \(lines.count - 1) lines")
    }
  }

  @Test(arguments: Recipe.all)
  func `a recipe's command leaves what the page promises`(_ recipe: Recipe) throws {
    // All that is in the world was made within the last five days.
    let start = time(nil) - 124 * 3600
    let world = try graphflow.folder.write(
      try text(of: CommandFixture.root + "/" + Self.world)
        .replacing(/(?m)^start: .*$/, with: "start: \(start)"), to: "world.yaml")
    let sandbox = try SandboxProcess(for: graphflow, ["--world", world])
    try graphflow.configure("profiles: {default: {env: TOKEN}, page: {env: PAGE_TOKEN}}\n")
    let environment = [
      "GRAPHFLOW_GRAPH_URL": sandbox.url, "TOKEN": sandbox.token, "PAGE_TOKEN": sandbox.pageToken,
    ]
    for words in recipe.before {
      let done = try graphflow.run(
        ["post"] + words + ["--profile", "page"], environment: environment)
      #expect(done.code == 0, "\(done.error)")
    }

    let outcome = try graphflow.shell(
      try Self.command(for: recipe.name) + " --report report.json", environment: environment)

    #expect(outcome.code == 0, "\(outcome.error)")
    let report = try JSON(parsing: text(of: graphflow.folder.path + "/report.json"))
    #expect(try report.one("$.run.status") == "succeeded")
    #expect(try report.all("$.requests[?@.note]").isEmpty)
    if let succeeded = recipe.succeeded {
      #expect(try report.one("$.summary.succeeded").integer == succeeded)
    }
    #expect(!recipe.facts.isEmpty)
    for fact in recipe.facts { try check(fact, report, environment) }
  }

  private func check(_ fact: Recipe.Fact, _ report: JSON, _ environment: [String: String]) throws {
    switch fact {
    case .output(let query, let values):
      let outputs = try #require(report["outputs"])
      #expect(try outputs.all(query) == values, "\(outputs)")
    case .file(let name, let lines, let part):
      let content = try text(of: graphflow.folder.path + "/" + name)
      #expect(content.split(whereSeparator: \.isNewline).count == lines, "\(content)")
      #expect(content.contains(part), "\(content)")
    case .graph(let words, let query, let values, let profile):
      let answer = try graphflow.run(
        ["get"] + words.split(separator: " ").map(String.init) + ["--profile", profile],
        environment: environment)
      let body = try JSON(parsing: answer.output)
      #expect(try body.all(query) == values, "\(answer.output)\(answer.error)")
    }
  }

  private static let readers = [
    "insights-of-posts", "hide-comments", "answer-comments", "reply-privately",
    "unanswered-comments", "comments-to-csv", "cancel-scheduled-posts", "delete-old-posts",
    "leads-since-yesterday", "instagram-hide-comments", "instagram-insights",
    "campaigns-of-all-accounts", "ads-by-day", "ads-by-age", "pause-expensive-campaigns",
    "posts-with-comments", "page-insights-nightly",
  ]

  @Test(arguments: readers)
  func `a night on which there is nothing to do is a success`(_ name: String) throws {
    let full = try text(of: CommandFixture.root + "/" + Self.world)
    let users = try #require(full.firstMatch(of: /(?ms)^users:.*?^pages:\n/)?.output)
    let world = try graphflow.folder.write(
      """
      world: 1
      \(users)
        bakery: {name: Harbour Bakery, roles: {alex: [MANAGE]}, instagram: {username: harbour}}
      tokens: {default: {user: alex}, page: {page: bakery, user: alex}}

      """, to: "world.yaml")

    let outcome = try graphflow(
      "run", "\(Self.folder)/\(name).yaml", "--sandbox", "--world", world)

    #expect(outcome.code == 0, "\(outcome.error)")
  }

  @Test func `2,000 rows on twenty pages cost one request more than on one page`() throws {
    let pages = (0..<20).map { "  p\($0): {name: Page \($0), roles: {alex: [CREATE_CONTENT]}}\n" }
    let world = try graphflow.folder.write(
      """
      world: 1
      users:
        alex:
          name: Alex
          permissions:
            granted: [pages_show_list, pages_read_engagement, pages_manage_posts]
      pages:
      \(pages.joined())
      tokens: {default: {user: alex}, page: {page: p0, user: alex}}

      """, to: "world.yaml")
    let rows = (0..<2000).map { "s\($0),Page \($0 % 20),+\($0 % 20 + 1) days,Text \($0)\n" }
    try graphflow.folder.write("sku,page,time,text\n" + rows.joined(), to: "rows.csv")
    // A check of a lost answer reads each page's list once; what the rows cost is counted here.
    func calls(_ name: String) throws -> (calls: Int?, requests: Int?) {
      let recipe = try text(of: "\(CommandFixture.root)/\(Self.folder)/\(name).yaml")
      let file = try graphflow.folder.write(
        recipe.replacing(/\n    confirm:(\n      .*)+/, with: "\n    idempotent: false"),
        to: name + ".yaml")
      let (outcome, report) = try graphflow.report(
        "run", file, "--sandbox", "--world", world, "--input", "rows=rows.csv")
      #expect(outcome.code == 0, "\(outcome.error)")
      #expect(try report.one("$.outputs.scheduled.rows").integer == 2000)
      let summary = try report.one("$.summary")
      return (summary["calls"]?.integer, summary["succeeded"]?.integer)
    }

    #expect(try calls("schedule-posts") == (40, 2000))
    #expect(try calls("schedule-on-pages") == (41, 2001))
  }

  @Test func `a token that is not good for tonight is named with what it lacks`() throws {
    let outcome = try graphflow(
      "run", "\(Self.folder)/token-for-tonight.yaml", "--sandbox", "--world",
      "workflows/worlds/troubled.yaml", "--input", "page=Clock Museum")

    #expect(outcome.code == 1)
    let error = outcome.error.replacing(/\s+/, with: " ")
    #expect(error.contains("run graphflow login --scope pages_manage_posts"))
    #expect(error.contains("the person may not publish on the page any more"))
  }
}
