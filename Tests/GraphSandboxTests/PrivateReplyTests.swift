import JSONPath
import Testing

@testable import GraphSandbox

/// Private replies to comments and to the posts of visitors.
struct PrivateReplyTests {
  private var sandbox: InProcessSandbox
  private let post: String

  /// Harbour Bakery with a post, on which others comment.
  init() throws {
    var world = WorldDescription.standard
    for name in ["pages_messaging", "instagram_manage_comments"] {
      world.users[0].value.permissions.append(.init(name, .granted))
    }
    world.pages[0].value.instagram?.media = ["Bread"]
    sandbox = try InProcessSandbox(world)
    post = try #require(
      sandbox.send("POST", "me/feed", [("message", "Open today?")], token: sandbox.pageToken)
        .json["id"]?.string)
  }

  private mutating func comment(on id: String, by author: String) -> String {
    let comment = sandbox.world.objects.makeComment(
      on: id, by: author, message: "Until when?", at: sandbox.world.now)
    sandbox.world.objects.insert(comment)
    return comment.id
  }

  private mutating func reply(
    to recipient: String, from path: String = "me", text: String = "Until six", token: String? = nil
  ) -> HTTPAnswer {
    sandbox.send(
      "POST", "\(path)/messages",
      [("recipient", recipient), ("message", #"{"text":"\#(text)"}"#)],
      token: token ?? sandbox.pageToken)
  }

  private mutating func isReplyable(_ id: String) -> JSON? {
    sandbox.send("GET", "\(id)?fields=can_reply_privately", token: sandbox.pageToken)
      .json["can_reply_privately"]
  }

  @Test mutating func `a comment is replied to once`() throws {
    let comment = comment(on: post, by: sandbox.friend)
    #expect(isReplyable(comment) == true)

    let answer = reply(to: #"{"comment_id":"\#(comment)"}"#)
    #expect(answer.status == 200, "\(answer.text)")
    #expect(answer.json["recipient_id"]?.string == sandbox.friend)
    #expect(answer.json["message_id"]?.string?.hasPrefix("m_") == true)

    let conversation = sandbox.send(
      "GET", "\(comment)?fields=private_reply_conversation", token: sandbox.pageToken
    ).json["private_reply_conversation"]?["id"]?.string
    #expect(conversation?.hasPrefix("t_") == true)
    #expect(isReplyable(comment) == false)
    let again = reply(to: #"{"comment_id":"\#(comment)"}"#)
    #expect(again.error?["message"] == "(#10900) Activity already replied to")
  }

  @Test mutating func `an answer to a comment is replied to, too`() throws {
    let first = comment(on: post, by: sandbox.friend)
    let answer = comment(on: first, by: sandbox.friend)
    #expect(reply(to: "{'comment_id':'\(answer)'}").status == 200)
    #expect(isReplyable(first) == true)
  }

  @Test mutating func `the post of a visitor is replied to`() throws {
    var visit = sandbox.world.objects.makePost(
      under: sandbox.friend, message: "Hello", at: sandbox.world.now)
    visit.listings = [.init(id: sandbox.page, edge: .feed)]
    sandbox.world.objects.insert(visit)
    #expect(isReplyable(visit.id) == true)
    #expect(reply(to: #"{"post_id":"\#(visit.id)"}"#).status == 200)
    #expect(isReplyable(visit.id) == false)
  }

  @Test mutating func `a reply comes within seven days`() throws {
    let comment = comment(on: post, by: sandbox.friend)
    sandbox.time = sandbox.world.now + 7 * 86_400 - 1
    #expect(isReplyable(comment) == true)
    sandbox.time = sandbox.world.now + 2
    #expect(isReplyable(comment) == false)
    let late = reply(to: #"{"comment_id":"\#(comment)"}"#)
    #expect(late.status == 403)
    #expect(late.error?["error_subcode"]?.integer == 2_018_278)
  }

  @Test mutating func `pages cannot be replied to`() throws {
    let own = comment(on: post, by: sandbox.page)
    #expect(isReplyable(own) == false)
    #expect(isReplyable(post) == false)
    #expect(reply(to: #"{"comment_id":"\#(own)"}"#).error?["code"]?.integer == 10_903)
  }

  @Test mutating func `permissions, tokens and targets are checked`() throws {
    let comment = comment(on: post, by: sandbox.friend)
    let recipient = #"{"comment_id":"\#(comment)"}"#
    #expect(
      reply(to: recipient, from: sandbox.page, token: sandbox.token).error?["code"]?.integer == 210)
    #expect(
      reply(to: #"{"comment_id":"\#(post)"}"#).error?["message"]
        == "(#100) Invalid comment_id parameter")
    #expect(reply(to: "6").error?["message"] == "(#100) Param recipient must be a JSON object")
    #expect(
      reply(to: recipient, text: String(repeating: "a", count: 2_001)).error?["message"]
        == "(#100) Length of param message[text] must be less than or equal to 2000")
    for path in ["me/messages", "me?fields=messages"] {
      let read = sandbox.send("GET", path, token: sandbox.pageToken)
      #expect(
        read.error?["message"]
          == "(#100) Tried accessing nonexisting field (messages) on node type (Page)")
      #expect(read[header: SandboxNote.header] == nil)
    }
    let person = reply(to: #"{"id":"1"}"#)
    #expect(person[header: SandboxNote.header] == "not served")
    sandbox.world.access.set("pages_messaging", to: .declined, for: sandbox.alex)
    #expect(isReplyable(comment) == false)
    let refused = reply(to: recipient)
    #expect(refused.status == 403)
    #expect(
      refused.error?["message"]
        == "(#230) Requires pages_messaging permission to manage the object")
  }

  @Test mutating func `a comment on Instagram is replied to by its account or its page`() throws {
    let account = "17841400000000001"
    let media = try #require(
      sandbox.send("GET", "\(account)/media").json["data"]?[0]?["id"]?.string)
    for sender in [account, "me"] {
      var comment = GraphObject(
        .instagramComment, id: sandbox.world.objects.nextID(), owner: sandbox.friend,
        fields: ["timestamp": .string(GraphTime.text(sandbox.world.now))])
      comment.listings = [.init(id: media, edge: .comments)]
      sandbox.world.objects.insert(comment)
      let recipient = #"{"comment_id":"\#(comment.id)"}"#
      #expect(reply(to: recipient, from: sender).json["recipient_id"]?.string == sandbox.friend)
      #expect(reply(to: recipient, from: sender).error?["code"]?.integer == 10_900)
    }
  }
}
