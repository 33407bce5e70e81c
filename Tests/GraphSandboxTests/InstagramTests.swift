import JSONPath
import Testing

@testable import GraphSandbox

/// Publishing on Instagram beyond one image: carousels, reels, stories, limits, comments.
struct InstagramTests {
  private var sandbox: InProcessSandbox
  private let account = "17841400000000001"

  init() throws {
    var world = WorldDescription.standard
    world.users[0].value.permissions.append(.init("instagram_manage_comments", .granted))
    sandbox = try InProcessSandbox(world)
    sandbox.time = 1_770_000_000
  }

  private mutating func make(_ edge: String, _ parameters: [(String, String)]) throws -> String {
    let answer = sandbox.send("POST", "\(account)/\(edge)", parameters)
    return try #require(answer.json["id"]?.string, "\(answer.text)")
  }

  private mutating func publish(_ parameters: [(String, String)]) throws -> String {
    let container = try make("media", parameters)
    sandbox.time? += 2
    return try make("media_publish", [("creation_id", container)])
  }

  @Test func `a carousel shows its children, each once`() throws {
    var test = self
    let item = [("is_carousel_item", "true")]
    let children = try [
      test.make("media", item + [("image_url", "https://example.com/1.jpg")]),
      test.make(
        "media", item + [("media_type", "VIDEO"), ("video_url", "https://example.com/2.mp4")]),
    ]
    let media = try test.publish(
      [
        ("media_type", "CAROUSEL"), ("children", children.joined(separator: ",")),
        ("caption", "Two"),
      ])
    let read = test.sandbox.send(
      "GET",
      "\(media)?fields=media_type,media_product_type,caption,username,permalink,shortcode,owner{id},"
        + "children{media_type,media_url}"
    ).json
    let list = test.sandbox.send("GET", "\(test.account)/media").json["data"]?.array

    #expect(read["media_type"] == "CAROUSEL_ALBUM")
    #expect(read["caption"] == "Two")
    #expect(read["username"] == "harbour.bakery")
    #expect(read["owner"]?["id"]?.string == test.account)
    #expect(
      read["permalink"]?.string == "https://www.instagram.com/p/\(read["shortcode"]?.string ?? "")/"
    )
    #expect(read["children"]?["data"]?.array?.map { $0["media_type"] } == ["IMAGE", "VIDEO"])
    #expect(list?.count == 1)
  }

  @Test(arguments: [
    ([("media_type", "CAROUSEL"), ("children", "1")], 100, 2_207_028),
    ([("media_type", "CAROUSEL"), ("children", "1,2")], 100, nil),
    ([("media_type", "POSTER"), ("image_url", "https://example.com/1.jpg")], 100, nil),
    ([("media_type", "REELS"), ("image_url", "https://example.com/1.jpg")], 100, nil),
    ([("image_url", "ftp://example.com/1.jpg")], 9_004, 2_207_052),
  ])
  func `containers that Instagram refuses`(
    parameters: [(String, String)], code: Int, subcode: Int?
  ) throws {
    var test = self
    let error = test.sandbox.send("POST", "\(test.account)/media", parameters).error

    #expect(error?["code"]?.integer == code)
    #expect(error?["error_subcode"]?.integer == subcode)
  }

  @Test func `reels and stories have their product types, and stories a list of their own`() throws
  {
    var test = self
    let reel = try test.publish(
      [("media_type", "REELS"), ("video_url", "https://example.com/1.mp4"), ("alt_text", "Bread")])
    let story = try test.publish(
      [("media_type", "STORIES"), ("image_url", "https://example.com/2.jpg")])
    let read = test.sandbox.send("GET", "\(reel)?fields=media_product_type,media_url,alt_text").json
    let stories = test.sandbox.send("GET", "\(test.account)/stories").json["data"]?.array
    let media = test.sandbox.send("GET", "\(test.account)/media").json["data"]?.array

    #expect(read["media_product_type"] == "REELS")
    #expect(read["media_url"] == "https://example.com/1.mp4")
    #expect(read["alt_text"] == "Bread")
    #expect(stories?.map { $0["id"]?.string } == [story])
    #expect(media?.map { $0["id"]?.string } == [reel])
  }

  @Test func `a hundred media in 24 hours are the limit, and a container expires`() throws {
    var test = self
    func usage() -> Int? {
      test.sandbox.send("GET", "\(test.account)/content_publishing_limit?fields=quota_usage,config")
        .json["data"]?.array?.first?["quota_usage"]?.integer
    }
    #expect(usage() == 0)
    for number in 0..<100 {
      _ = try test.publish([("image_url", "https://example.com/\(number).jpg")])
    }
    #expect(usage() == 100)
    let container = try test.make("media", [("image_url", "https://example.com/x.jpg")])
    test.sandbox.time? += 2
    let publication = [("creation_id", container)]
    let refused = test.sandbox.send("POST", "\(test.account)/media_publish", publication).error
    test.sandbox.time? += 86_400
    let status = test.sandbox.send("GET", "\(container)?fields=status_code").json["status_code"]
    let expired = test.sandbox.send("POST", "\(test.account)/media_publish", publication).error

    #expect(refused?["code"]?.integer == 9)
    #expect(refused?["error_subcode"]?.integer == 2_207_042)
    #expect(status == "EXPIRED")
    #expect(expired?["error_subcode"]?.integer == 2_207_020)
    #expect(usage() == 0)
  }

  @Test func `comments are written, answered, hidden and deleted`() throws {
    var test = self
    let media = try test.publish([("image_url", "https://example.com/1.jpg")])
    func post(_ path: String, _ parameters: [(String, String)]) throws -> String {
      let answer = test.sandbox.send("POST", path, parameters)
      return try #require(answer.json["id"]?.string, "\(answer.text)")
    }
    let comment = try post("\(media)/comments", [("message", "Where?")])
    let reply = try post("\(comment)/replies", [("message", "Here")])
    let hidden = test.sandbox.send("POST", reply, [("hide", "true")])
    let read = test.sandbox.send(
      "GET", "\(media)?fields=comments_count,comments{text,username,replies{text,hidden,parent_id}}"
    ).json
    let first = read["comments"]?["data"]?.array?.first
    let answer = first?["replies"]?["data"]?.array?.first

    #expect(hidden.json["success"] == true, "\(hidden.text)")
    #expect(read["comments_count"] == 1)
    #expect(first?["text"] == "Where?")
    #expect(first?["username"] == "harbour.bakery")
    #expect(answer?["hidden"] == true)
    #expect(answer?["parent_id"]?.string == comment)
    #expect(test.sandbox.send("DELETE", comment).json["success"] == true)
    #expect(test.sandbox.send("GET", "\(media)?fields=comments_count").json["comments_count"] == 0)
  }
}
