import JSONPath
import Testing

@testable import GraphSandbox

/// Asynchronous reports of ads insights.
struct ReportRunTests {
  private static let now = 1_773_824_400
  private var sandbox: InProcessSandbox

  init() throws {
    var world = WorldDescription(start: Self.now)
    var lee = WorldDescription.User(name: "Lee Harmon")
    lee.permissions = [.init("ads_read", .granted)]
    world.users = [.init("lee", lee), .init("max", .init(name: "Max Moor"))]
    var adSet = WorldDescription.AdSet(name: "Town")
    adSet.ads = (1...4).map { .init(name: "Ad \($0)") }
    var campaign = WorldDescription.Campaign(name: "Spring")
    campaign.adSets = [adSet]
    var account = WorldDescription.AdAccount(name: "Shop")
    account.id = "77"
    account.users = ["lee"]
    account.campaigns = [campaign]
    world.adAccounts = [.init("main", account)]
    world.tokens = [
      .init("default", .init(.user("lee"))), .init("max", .init(.user("max"))),
      .init("page", .init(.user("lee"))),
    ]
    sandbox = try InProcessSandbox(world)
    sandbox.time = Self.now
  }

  private mutating func start(_ parameters: (String, String)...) throws -> String {
    let answer = sandbox.send("POST", "act_77/insights", parameters)
    #expect(answer.json.object?.map(\.name) == ["report_run_id"], "\(answer.text)")
    return try #require(answer.json["report_run_id"]?.string)
  }

  private mutating func state(_ run: String, after seconds: Int) -> String {
    sandbox.time = Self.now + seconds
    let json = sandbox.send("GET", run).json
    let percent = json["async_percent_completion"]?.integer ?? -1
    return "\(json["async_status"]?.string ?? "") \(percent) \(json["is_running"]?.bool ?? false)"
  }

  @Test mutating func `a run proceeds by the world's clock`() throws {
    let run = try start(("level", "ad"), ("date_preset", "last_7d"))

    #expect(state(run, after: 0) == "Job Not Started 0 true")
    #expect(state(run, after: 1) == "Job Running 50 true")
    // As in Graph, everything may be done while the run has not ended.
    #expect(state(run, after: 2) == "Job Running 100 true")
    #expect(state(run, after: 3) == "Job Completed 100 false")
    let done = sandbox.send("GET", run).json
    #expect(
      done.object?.map(\.name) == [
        "id", "account_id", "time_ref", "time_completed", "async_status",
        "async_percent_completion", "is_running", "is_bookmarked", "date_start", "date_stop",
      ])
    #expect(done["id"]?.string == run && done["account_id"] == "77")
    #expect(done["time_ref"]?.integer == Self.now)
    #expect(done["time_completed"]?.integer == Self.now + 3)
    #expect(done["date_start"] == "2026-03-11" && done["date_stop"] == "2026-03-17")
  }

  @Test mutating func `its rows are those of the same request, in pages`() throws {
    let query = "level=ad&date_preset=last_7d&time_increment=1&fields=ad_name,spend&breakdowns=age"
    let run = try start(
      ("level", "ad"), ("date_preset", "last_7d"), ("time_increment", "1"),
      ("fields", "ad_name,spend"), ("breakdowns", "age"))
    let expected = sandbox.send("GET", "act_77/insights?\(query)&limit=5000").json["data"]
    // A day later, "the last seven days" are others, but not those of the run.
    sandbox.time = Self.now + 86_400

    let all = sandbox.send("GET", "\(run)/insights?limit=5000").json["data"]
    let first = sandbox.send("GET", "\(run)/insights?limit=50").json
    let next = try #require(first["paging"]?["next"]?.string)
    let second = sandbox.send(
      "GET", String(next.split(separator: "/", maxSplits: 3).last ?? "")
    ).json["data"]?.array
    let other = sandbox.send("GET", "\(run)/insights?fields=clicks&limit=1").json["data"]?[0]

    #expect(all?.array?.isEmpty == false)
    #expect(all == expected)
    #expect(next.contains("/\(run)/insights?"))
    let pages = (first["data"]?.array ?? []) + (second ?? [])
    #expect(pages.count == 100)
    #expect(pages == all?.array.map { Array($0.prefix(100)) })
    #expect(other?["clicks"] != nil && other?["spend"] == nil)
  }

  @Test mutating func `rows cannot be read before the run has completed`() throws {
    let run = try start()
    for seconds in 0...2 {
      sandbox.time = Self.now + seconds
      let early = sandbox.send("GET", "\(run)/insights")
      #expect(early.status == 400)
      #expect(early.error?["code"]?.integer == 2_601)
      #expect(early.error?["error_subcode"]?.integer == 1_815_107)
      #expect(early.error?["is_transient"] == true)
      #expect(early.error?["message"] == "Error accessing adreport job.")
    }
    sandbox.time = Self.now + 3
    #expect(sandbox.send("GET", "\(run)/insights").status == 200)
  }

  @Test mutating func `a run that would be too large fails and says why`() throws {
    let ranges = (0..<3_000).map { _ in "{since:'2023-06-01',until:'2026-03-01'}" }
    let run = try start(
      ("time_ranges", "[\(ranges.joined(separator: ","))]"), ("breakdowns", "age"))

    #expect(state(run, after: 1) == "Job Running 0 true")
    #expect(state(run, after: 601) == "Job Failed 0 false")
    let failed = sandbox.send("GET", run).json
    #expect(failed["error_code"]?.integer == 100)
    #expect(failed["error_subcode"]?.integer == 1_487_534)
    #expect(failed["error_message"]?.string?.contains("reduce the amount of data") == true)
    #expect(failed["error_user_title"] != nil && failed["error_user_msg"] != nil)
    #expect(sandbox.send("GET", "\(run)/insights").error?["code"]?.integer == 2_601)
  }

  @Test mutating func `a run is kept for 30 days`() throws {
    let run = try start()

    #expect(state(run, after: 30 * 86_400 - 1) == "Job Completed 100 false")
    sandbox.time = Self.now + 30 * 86_400
    for path in [run, "\(run)/insights"] {
      let gone = sandbox.send("GET", path)
      #expect(gone.error?["code"]?.integer == 100)
      #expect(gone.error?["error_subcode"]?.integer == 33)
    }
  }

  @Test mutating func `a wrong request starts nothing`() throws {
    let unknown = sandbox.send("POST", "act_77/insights", [("fields", "imprssions")])
    let preset = sandbox.send("POST", "act_77/insights", [("date_preset", "never")])

    #expect(unknown.error?["message"]?.string?.contains("imprssions is not valid") == true)
    #expect(preset.error?["code"]?.integer == 100)
  }

  @Test mutating func `a run belongs to the users of its account`() throws {
    let run = try start()
    sandbox.time = Self.now + 10
    let other = try #require(sandbox.tokens["max"])

    #expect(sandbox.send("POST", "act_77/insights", token: other).status == 403)
    #expect(sandbox.send("GET", run, token: other).status == 403)
    #expect(sandbox.send("GET", "\(run)/insights", token: other).status == 403)
    #expect(sandbox.send("DELETE", run).status == 400)
    #expect(sandbox.send("POST", run, [("name", "x")]).status == 400)
    #expect(sandbox.send("POST", "\(run)/insights").status == 400)
  }

  @Test mutating func `a batch starts a run and names it in a reference`() throws {
    let items = try sandbox.batch([
      [
        "method": "POST", "relative_url": "act_77/insights", "body": "level=campaign",
        "name": "start",
      ],
      ["method": "GET", "relative_url": "{result=start:$.report_run_id}?fields=async_status"],
    ])

    #expect(items.last?.code == 200)
    #expect(items.last?.body?["async_status"] == "Job Not Started")
  }
}
