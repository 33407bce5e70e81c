import JSONPath
import TestSupport
import Testing

@testable import GraphSandbox

/// Facts of Graph, each in a sentence with the requests that show it.
///
/// `Tests/SANDBOX.md` has all facts that the sandbox once missed. Those that need the clock, the wire or
/// the page have tests of their own.
struct FactTests {
  struct Fact: Sendable, CustomTestStringConvertible {
    let sentence: String
    /// `POST me/feed?message=Hi`, one after the other; `{1}` is the id in the first answer.
    let requests: [String]
    let token: String
    /// What a path selects in the last answer.
    let path: String
    let selects: [JSON]
    let mark: String?
    var testDescription: String { sentence }

    init(
      _ sentence: String, _ requests: String..., token: String = "default", path: String,
      selects: [JSON], mark: String? = nil
    ) {
      self.sentence = sentence
      (self.requests, self.token) = (requests, token)
      (self.path, self.selects, self.mark) = (path, selects, mark)
    }
  }

  static let facts = [
    Fact(
      "effective_status chooses campaigns",
      #"GET act_77/campaigns?effective_status=["PAUSED"]"#, path: "$.data[*].id",
      selects: ["402"]),
    Fact(
      "effective_status in single quotes, two of them",
      "GET act_77/campaigns?effective_status=['PAUSED','ACTIVE']&limit=1&fields=name",
      path: "$.data[*].name", selects: ["Summer"]),
    Fact(
      "an unknown effective_status is an error with the known ones",
      "GET act_77/campaigns?effective_status=PAUSE", path: "$.error.code", selects: [100]),
    Fact(
      "filtering chooses campaigns by their own fields",
      #"GET act_77/campaigns?filtering=[{"field":"name","operator":"CONTAIN","value":"spr"}]"#,
      path: "$.data[*].id", selects: ["401"]),
    Fact(
      "filtering chooses ads by the fields of their campaign",
      #"GET act_77/ads?filtering=[{field:"campaign.name",operator:"IN",value:["Summer"]}]"#,
      path: "$.data[*].id", selects: ["403"]),
    Fact(
      "filtering that nothing fulfils leaves nothing",
      #"GET act_77/ads?filtering=[{field:"campaign.name",operator:"EQUAL",value:"Spring"}]"#,
      path: "$.data[*].id", selects: []),
    Fact(
      "a filter on what an object does not have is an error",
      #"GET act_77/campaigns?filtering=[{"field":"nam","operator":"EQUAL","value":"x"}]"#,
      path: "$.error.message", selects: ["(#100) Filtering field campaign.nam is invalid"]),
    Fact(
      "numbers of ads filter reports, lists by them are not served",
      #"GET act_77/ads?filtering=[{field:"ad.impressions",operator:"GREATER_THAN",value:0}]"#,
      path: "$.error.code", selects: [100], mark: "not served"),
    Fact(
      "leads are read since a time",
      #"GET 300/leads?filtering=[{field:"time_created",operator:"GREATER_THAN","#
        + #"value:1767312000}]"#, token: "page", path: "$.data[*].id", selects: ["311"]),
    Fact(
      "since chooses leads, too", "GET 300/leads?since=2026-01-02", token: "page",
      path: "$.data[*].id", selects: ["311"]),
    Fact(
      "filtering elsewhere is named as ignored", "GET me/businesses?filtering=[]",
      path: "$.data[*].id", selects: ["201"], mark: "ignored filtering"),
    Fact(
      "attachments, reactions and shares are read in one request",
      "POST me/feed?link=https://example.com/",
      "GET {1}?fields=attachments{media_type},reactions.summary(true).limit(0),shares",
      token: "page", path: "$['attachments','reactions','shares']..['media_type','total_count']",
      selects: ["link", 0]),
    Fact(
      "a business lists the pages that it owns and those of clients",
      "GET me/businesses?fields=name,owned_pages{about},client_pages{about}",
      path: "$.data[*]..['name','about']", selects: ["Bakeries", "Bread", "Cake"]),
    Fact(
      "the function of JSON-P is named as ignored", "GET me?callback=show&fields=id",
      path: "$.id", selects: ["101"], mark: "ignored callback"),
  ]

  /// What Graph serves and the sandbox does not, by the rows of the documentation.
  struct Unserved: Sendable, CustomTestStringConvertible {
    /// Words of the section "What still differs from Graph".
    let words: String
    let request: String
    let code: Int
    let token: String
    var testDescription: String { request }

    init(_ words: String, _ request: String, code: Int = 100, token: String = "default") {
      (self.words, self.request, self.code, self.token) = (words, request, code, token)
    }
  }

  static let unserved = [
    Unserved(
      "resumable uploads of Instagram", "POST ig-api-upload/v25.0/1?x=1", code: 803, token: "page"),
    Unserved(
      "resumable uploads of Instagram", "POST 103/media?upload_type=resumable&media_type=REELS"),
    Unserved("async_batch_requests", "POST act_77/async_batch_requests?adbatch=[]"),
    Unserved("custom audiences", "POST act_77/customaudiences?name=Guests"),
    Unserved("custom audiences in sessions", #"POST 405/users?payload={"schema":"EMAIL"}"#),
    Unserved("items_batch", "POST 204/items_batch?requests=[]", code: 2500),
    Unserved("targeting search", "GET search?type=adinterest&q=bread", code: 2500),
    Unserved("targeting search", "GET act_77/targetingsearch?q=bread"),
    Unserved("reach estimates", "GET act_77/reachestimate"),
    Unserved("reach estimates", "GET act_77/delivery_estimate"),
    Unserved("ad images", "POST act_77/adimages?bytes=x"),
    Unserved("copies", "POST 401/copies?deep_copy=true"),
    Unserved("previews", "GET 403/previews?ad_format=MOBILE_FEED_STANDARD"),
    Unserved("previews", "GET act_77/generatepreviews"),
    Unserved("system users", "POST 201/system_users?name=Cron"),
    Unserved("Threads", "GET me/threads"),
    Unserved("Threads", "POST v1.0/me/threads?text=Hi", code: 2500),
    Unserved("WhatsApp", "POST 1055/messages?messaging_product=whatsapp&to=1"),
    Unserved("Conversions API", "POST 404/events?data=[]"),
    Unserved("a URL as an id", "GET ?id=https://example.com/", code: 803),
    Unserved("a URL as an id", "GET ?ids=me,https://example.com/", code: 803),
    Unserved("a URL as an id", #"GET comments?ids=["https://example.com/"]"#, code: 803),
    Unserved("live videos", "POST me/live_videos?title=Hi", token: "page"),
    Unserved("oEmbed", "GET oembed_post?url=https://example.com/", code: 803),
    Unserved("oEmbed", "GET instagram_oembed?url=https://example.com/", code: 803),
    Unserved("`search`", "GET pages/search?q=bread", code: 803),
    Unserved("`search`", "GET ig_hashtag_search?q=bread", code: 803),
  ]

  /// The answer to the last of some requests.
  private static func answer(
    _ requests: [String], token: String, in sandbox: inout InProcessSandbox
  ) throws -> HTTPAnswer {
    var last: HTTPAnswer?
    var ids: [String] = []
    for text in requests {
      var text = text
      for (index, id) in ids.enumerated() { text = text.replacing("{\(index + 1)}", with: id) }
      let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
      let target = parts[1].split(
        separator: "?", maxSplits: 1, omittingEmptySubsequences: false
      ).map(String.init)
      let parameters = target.dropFirst().joined().split(separator: "&").map { part in
        let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
        return (pair[0], pair[1])
      }
      let answer = sandbox.send(parts[0], target[0], parameters, token: sandbox.tokens[token])
      ids.append(answer.json["id"]?.string ?? "")
      last = answer
    }
    return try #require(last)
  }

  @Test(arguments: facts)
  func `a fact of Graph holds`(_ fact: Fact) throws {
    var sandbox = try InProcessSandbox(FactWorld.description)

    let answer = try Self.answer(fact.requests, token: fact.token, in: &sandbox)

    #expect(try Query(fact.path).values(in: answer.json) == fact.selects, "\(answer.text)")
    #expect(answer[header: SandboxNote.header] == fact.mark)
  }

  @Test(arguments: unserved)
  func `what is not served has Graph's error, its mark and a reason`(_ row: Unserved) throws {
    var sandbox = try InProcessSandbox(FactWorld.description)
    let root = SharedFiles.packageRoot(of: "\(#filePath)")
    let page = try text(of: root + "/docs/reference/sandbox.md")
    let start = try #require(page.firstRange(of: "## What still differs from Graph"))
    let section = try #require(page[start.upperBound...].split(separator: "\n## ").first)

    let answer = try Self.answer([row.request], token: row.token, in: &sandbox)

    #expect(answer.status == 400)
    #expect(answer.error?["code"]?.integer == row.code, "\(answer.text)")
    #expect(answer.error?["type"]?.string?.hasSuffix("Exception") == true)
    #expect(answer.error?["fbtrace_id"] != nil)
    #expect(answer[header: SandboxNote.header] == "not served", "\(answer.text)")
    #expect(section.contains(row.words), "\(row.words)")
  }

  @Test func `the mark is in a batch, and not on other errors of such a request`() throws {
    var sandbox = try InProcessSandbox(FactWorld.description)
    let operations: JSON = [["relative_url": "me"], ["relative_url": "search?type=adinterest"]]

    let batch = sandbox.sendBatch(operations)
    let invalid = sandbox.send("GET", "search?type=adinterest", token: "EAAinvalid")

    #expect(batch[header: SandboxNote.header] == "1 not served")
    #expect(invalid.error?["code"] == 190)
    #expect(invalid[header: SandboxNote.header] == nil)
  }

  @Test(arguments: ["me", "102", "act_77/campaigns"])
  func `no answer has the time of a change in a header`(path: String) throws {
    var sandbox = try InProcessSandbox(FactWorld.description)

    #expect(sandbox.send("GET", path)[header: "Last-Modified"] == nil)
  }
}
