import JSONPath
import Testing

@testable import GraphSandbox

/// Moderation of comments, posts with several photos, and what posts show of them.
struct CommentTests {
  private var sandbox: InProcessSandbox

  init() throws { sandbox = try InProcessSandbox() }

  private mutating func post(
    _ path: String, _ parameters: [(String, String)], token: String? = nil
  ) throws -> String {
    let answer = sandbox.send("POST", path, parameters, token: token ?? sandbox.pageToken)
    return try #require(answer.json["id"]?.string, "\(answer.text)")
  }

  @Test func `a page moderates the comments of others`() throws {
    var test = self
    let post = try test.post("\(test.sandbox.page)/feed", [("message", "Bread?")])
    let other = try test.post("\(post)/comments", [("message", "Yes")], token: test.sandbox.token)
    let own = try test.post("\(other)/comments", [("message", "At eight")])
    let fields = "can_hide,can_remove,can_like,is_hidden,user_likes,parent{message}"
    func read(_ id: String, token: String) -> JSON {
      test.sandbox.send("GET", "\(id)?fields=\(fields)", token: token).json
    }
    let before = read(other, token: test.sandbox.pageToken)
    let byUser = read(own, token: test.sandbox.token)
    let ofPage = read(own, token: test.sandbox.pageToken)
    _ = test.sandbox.send("POST", other, [("is_hidden", "true")], token: test.sandbox.pageToken)
    _ = test.sandbox.send("POST", "\(other)/likes", token: test.sandbox.pageToken)
    let after = read(other, token: test.sandbox.pageToken)

    #expect(before["can_hide"] == true && before["can_remove"] == true)
    #expect(before["is_hidden"] == false && before["user_likes"] == false)
    #expect(before["parent"] == nil)
    #expect(byUser["can_hide"] == false && byUser["can_remove"] == false)
    #expect(byUser["can_like"] == true)
    #expect(ofPage["can_hide"] == false && ofPage["can_remove"] == true)
    #expect(ofPage["parent"]?["message"] == "Yes")
    #expect(after["is_hidden"] == true && after["user_likes"] == true)
  }

  @Test func `a stream of comments has the replies, a page of it its links`() throws {
    var test = self
    let post = try test.post("\(test.sandbox.page)/feed", [("message", "Bread?")])
    let first = try test.post("\(post)/comments", [("message", "One")])
    let second = try test.post("\(post)/comments", [("message", "Two")])
    let reply = try test.post("\(first)/comments", [("message", "Three")])
    func ids(_ query: String) -> [String?]? {
      test.sandbox.send("GET", "\(post)/comments?\(query)").json["data"]?.array?.map {
        $0["id"]?.string
      }
    }

    #expect(ids("") == [first, second])
    #expect(ids("filter=toplevel") == [first, second])
    #expect(ids("filter=stream") == [first, second, reply])
    #expect(ids("filter=stream&order=reverse_chronological&limit=1") == [reply])
    #expect(test.sandbox.send("GET", "\(post)/comments?filter=x").error?["code"]?.integer == 100)
    #expect(
      test.sandbox.send("GET", "\(post)?fields=comments.filter(stream).summary(true)")
        .json["comments"]?["summary"]?["total_count"] == 3)
  }

  @Test func `a post with several photos shows them as attachments`() throws {
    var test = self
    func photo(_ caption: String) throws -> String {
      try test.post(
        "\(test.sandbox.page)/photos",
        [("url", "https://example.com/a.jpg"), ("published", "false"), ("caption", caption)])
    }
    let photos = try [photo("One"), photo("Two")]
    let list = "[" + photos.map { #"{"media_fbid":"\#($0)"}"# }.joined(separator: ",") + "]"
    let album = try test.post(
      "\(test.sandbox.page)/feed", [("message", "Two"), ("attached_media", list)])
    let single = try test.post(
      "\(test.sandbox.page)/feed", [("attached_media[0]", #"{"media_fbid":"\#(photos[0])"}"#)])
    let link = try test.post(
      "\(test.sandbox.page)/feed", [("link", "https://example.com/")])
    func attachment(_ id: String) -> JSON? {
      test.sandbox.send(
        "GET", "\(id)?fields=attachments{media_type,url,target{id},subattachments}"
      ).json["attachments"]?["data"]?.array?.first
    }
    let parts = attachment(album)?["subattachments"]?["data"]?.array

    #expect(attachment(album)?["media_type"] == "album")
    #expect(parts?.map { $0["target"]?["id"]?.string } == photos)
    #expect(attachment(single)?["media_type"] == "photo")
    #expect(attachment(single)?["target"]?["id"]?.string == photos[0])
    #expect(attachment(link)?["media_type"] == "link")
    #expect(attachment(link)?["url"] == "https://example.com/")
    let stranger = test.sandbox.send(
      "POST", "\(test.sandbox.page)/feed", [("attached_media", #"[{"media_fbid":"1"}]"#)],
      token: test.sandbox.pageToken)
    #expect(stranger.error?["code"]?.integer == 100)
  }

  @Test func `reactions are the likes`() throws {
    var test = self
    let post = try test.post("\(test.sandbox.page)/feed", [("message", "Bread!")])
    _ = test.sandbox.send("POST", "\(post)/likes", token: test.sandbox.pageToken)
    let fields = "reactions.summary(true){id,name},reactions.type(LOVE).summary(true).as(love)"
    let read = test.sandbox.send("GET", "\(post)?fields=\(fields)").json

    #expect(read["reactions"]?["data"]?.array?.first?["id"]?.string == test.sandbox.page)
    #expect(read["reactions"]?["summary"]?["total_count"] == 1)
    #expect(read["love"]?["summary"]?["total_count"] == 0)
    // A reaction has a type; the page that reacted has none.
    let page: JSON = ["id": .string(test.sandbox.page), "name": "Harbour Bakery", "type": "LIKE"]
    for fields in ["", "?fields=id,name,type"] {
      let list = test.sandbox.send("GET", "\(post)/reactions\(fields)").json["data"]
      #expect(list == [page], "\(fields)")
    }
  }
}
