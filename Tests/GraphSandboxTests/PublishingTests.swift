import JSONPath
import Testing

@testable import GraphSandbox

struct PublishingTests {
  @Test func `a post is read back and is first in its feed`() throws {
    var sandbox = try InProcessSandbox()

    let post = sandbox.send("POST", "me/feed", [("message", "Hello")])

    let id = try #require(post.json["id"]?.string)
    #expect(id.hasPrefix("\(sandbox.alex)_"))
    #expect(sandbox.send("GET", id).json["message"] == "Hello")
    #expect(sandbox.send("GET", "me/feed?limit=1").json["data"]?[0]?["id"] == .string(id))
  }

  @Test func `posting on a user's timeline is marked as invented, on a page it is not`() throws {
    var sandbox = try InProcessSandbox()

    let user = sandbox.send("POST", "me/feed", [("message", "Hello")])
    let page = sandbox.send(
      "POST", "\(sandbox.page)/feed", [("message", "Hello")], token: sandbox.pageToken)

    #expect(user[header: "X-GraphFlow-Sandbox"] == "invented")
    #expect(page.status == 200)
    #expect(page[header: "X-GraphFlow-Sandbox"] == nil)
  }

  @Test func `the same text twice in a row on one feed is a duplicate`() throws {
    var sandbox = try InProcessSandbox()
    func post(_ text: String, token: String? = nil) -> HTTPAnswer {
      sandbox.send("POST", "me/feed", [("message", text)], token: token)
    }

    let first = post("Hello")
    let second = post("Hello")
    let elsewhere = post("Hello", token: sandbox.pageToken)
    let between = post("Something else")
    let later = post("Hello")

    #expect(first.status == 200)
    #expect(second.status == 400)
    #expect(second.error?["code"] == 506)
    #expect(second.error?["error_subcode"] == 1_455_006)
    #expect(second.error?["type"] == "FacebookApiException")
    #expect(second.error?["is_transient"] == false)
    #expect(second.error?["error_user_title"] == "Duplicate Status Update")
    #expect([elsewhere, between, later].map(\.status) == [200, 200, 200])
  }

  @Test func `a deleted post can be posted again`() throws {
    var sandbox = try InProcessSandbox()
    let id = try #require(
      sandbox.send("POST", "me/feed", [("message", "Hello")]).json["id"]?.string)

    _ = sandbox.send("DELETE", id)

    #expect(sandbox.send("POST", "me/feed", [("message", "Hello")]).status == 200)
  }

  @Test func `an empty post is refused and an overlong one too`() throws {
    var sandbox = try InProcessSandbox()
    let long = String(repeating: "x", count: 63_207)

    let empty = sandbox.send("POST", "me/feed")
    let overlong = sandbox.send("POST", "me/feed", [("message", long)])

    #expect(empty.error?["code"] == 197)
    #expect(overlong.error?["code"] == 100)
  }

  @Test func `after deletion an object does not exist`() throws {
    var sandbox = try InProcessSandbox()
    let post = try #require(sandbox.send("GET", "me/feed?limit=1").json["data"]?[0])
    let id = try #require(post["id"]?.string)
    let comments = sandbox.send("GET", "\(id)/comments")
    let comment = try #require(comments.json["data"]?[0]?["id"]?.string)

    let deleted = sandbox.send("DELETE", id)
    let read = sandbox.send("GET", id)
    let readComment = sandbox.send("GET", comment)
    let again = sandbox.send("DELETE", id)

    #expect(deleted.text == #"{"success":true}"#)
    for answer in [read, readComment, again] {
      #expect(answer.status == 400)
      #expect(answer.error?["code"] == 100)
      #expect(answer.error?["error_subcode"] == 33)
      #expect(answer.error?["type"] == "GraphMethodException")
    }
    #expect(again.error?["message"]?.string?.hasPrefix("Unsupported delete request.") == true)
  }

  @Test func `comments and likes are added, counted and removed`() throws {
    var sandbox = try InProcessSandbox()
    let post = try #require(
      sandbox.send("POST", "me/feed", [("message", "Hello")]).json["id"]?.string)

    let comment = sandbox.send("POST", "\(post)/comments", [("message", "Nice")])
    let likes = ["POST", "POST"].map { sandbox.send($0, "\(post)/likes").text }
    let id = try #require(comment.json["id"]?.string)
    _ = sandbox.send("POST", "\(id)/likes")
    let read = sandbox.send(
      "GET", "\(post)?fields=comments{message,like_count,from},likes.summary(1)")
    let unliked = sandbox.send("DELETE", "\(post)/likes")

    let number = try #require(post.split(separator: "_").last)
    #expect(id.hasPrefix("\(number)_"))
    #expect(likes == [#"{"success":true}"#, #"{"success":true}"#])
    #expect(read.json["comments"]?["data"]?[0]?["message"] == "Nice")
    #expect(read.json["comments"]?["data"]?[0]?["like_count"] == 1)
    #expect(read.json["likes"]?["summary"]?["total_count"] == 1)
    #expect(read.json["likes"]?["data"]?[0]?["name"] == "Alex Taylor")
    #expect(unliked.text == #"{"success":true}"#)
    #expect(sandbox.send("GET", "\(post)/likes").text == #"{"data":[]}"#)
    #expect(sandbox.send("POST", "\(post)/comments").error?["code"] == 100)
  }

  @Test func `an update changes the text and the time`() throws {
    var sandbox = try InProcessSandbox()
    let post = try #require(
      sandbox.send("POST", "me/feed", [("message", "Hello")]).json["id"]?.string)

    let update = sandbox.send("POST", post, [("message", "Hello again")])

    #expect(update.text == #"{"success":true}"#)
    let read = sandbox.send("GET", "\(post)?fields=message,created_time,updated_time")
    #expect(read.json["message"] == "Hello again")
    #expect(read.json["created_time"] == "2026-01-18T07:00:01+0000")
    #expect(read.json["updated_time"] == "2026-01-18T07:00:02+0000")
  }

  @Test func `a photo is uploaded from an address`() throws {
    var sandbox = try InProcessSandbox()

    let photo = sandbox.send(
      "POST", "me/photos", [("url", "https://example.com/a.png"), ("caption", "A view")])
    let hidden = sandbox.send(
      "POST", "me/photos", [("url", "https://example.com/a.png"), ("published", "false")])
    let none = sandbox.send("POST", "me/photos")
    let wrong = sandbox.send("POST", "me/photos", [("url", "file:///a.png")])

    let id = try #require(photo.json["id"]?.string)
    let post = try #require(photo.json["post_id"]?.string)
    #expect(sandbox.send("GET", "\(id)?fields=name").json["name"] == "A view")
    #expect(sandbox.send("GET", "\(post)?fields=object_id").json["object_id"] == .string(id))
    #expect(sandbox.send("GET", "me/photos?limit=1").json["data"]?[0]?["id"] == .string(id))
    #expect(hidden.json.object?.names == ["id"])
    #expect(none.error?["code"] == 324)
    #expect(wrong.error?["code"] == 100)
  }

  @Test func `albums are created and filled`() throws {
    var sandbox = try InProcessSandbox()

    let album = sandbox.send("POST", "me/albums", [("name", "Summer")])
    let id = try #require(album.json["id"]?.string)
    let photo = sandbox.send("POST", "\(id)/photos", [("url", "https://example.com/a.png")])

    #expect(photo.status == 200)
    #expect(sandbox.send("GET", "\(id)?fields=count").json["count"] == 1)
    #expect(sandbox.send("GET", "me/albums").json["data"]?[0]?["name"] == "Summer")
    #expect(sandbox.send("POST", "me/albums").error?["code"] == 100)
  }

  static let unsupported: [(method: String, path: String, code: Int)] = [
    ("POST", "me/friends", 100), ("POST", "me", 100), ("DELETE", "me", 100),
    ("DELETE", "me/feed", 100), ("POST", "", 100), ("DELETE", "", 100), ("PATCH", "me", 100),
    ("POST", "fql", 2500), ("DELETE", "method/x", 2500), ("POST", "me/bogus", 2500),
    ("POST", "me/feed/x", 2500), ("DELETE", "me/permissions/email/x", 2500),
  ]

  @Test(arguments: unsupported)
  func `an unsupported operation is refused`(method: String, path: String, code: Int) throws {
    var sandbox = try InProcessSandbox()

    let answer = sandbox.send(method, path, [("message", "x")])

    #expect(answer.status == 400)
    #expect(answer.error?["code"]?.integer == code)
  }
}
