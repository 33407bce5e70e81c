import JSONPath
import Testing

@testable import GraphSandbox

/// The application as an object, what a user likes, and what Graph says of its types.
struct ApplicationTests {
  @Test func `metadata shows the fields and the edges of a type`() throws {
    var sandbox = try InProcessSandbox()
    let answer = sandbox.send("GET", "me?metadata=1&fields=name").json
    #expect(answer["name"] == "Alex Taylor")
    let metadata = try #require(answer["metadata"])
    #expect(metadata["type"] == "user")
    #expect(
      metadata["fields"]?.array?.contains(["name": "birthday", "type": "string"]) == true)
    let link = try #require(metadata["connections"]?["accounts"]?.string)
    #expect(
      link
        == "https://graph.facebook.com/v25.0/\(sandbox.alex)/accounts?access_token=\(sandbox.token)"
    )
    let path = String(link.dropFirst("https://graph.facebook.com/".count))
    #expect(sandbox.send(HTTPCall(method: "GET", target: "/" + path)).status == 200)
    #expect(sandbox.send("GET", "me?metadata=0").json["metadata"] == nil)
    let pages = sandbox.send("GET", "?ids=me,\(sandbox.page)&metadata=true").json
    #expect(pages[sandbox.page]?["metadata"]?["type"] == "page")
  }

  @Test func `the application changes its own fields`() throws {
    var sandbox = try InProcessSandbox()
    let refused = sandbox.send("POST", "app", [("contact_email", "a@example.com")])
    #expect(
      refused.error?["message"] == "(#15) This method must be called with an app access_token.")
    let (token, restrictions) = (sandbox.applicationToken, #"{"age_distr":"13+"}"#)
    let changed = sandbox.send(
      "POST", "app", [("restrictions", restrictions), ("contact_email", "a@example.com")],
      token: token)
    #expect(changed.text == #"{"success":true}"#)
    let read = sandbox.send("GET", "app?fields=restrictions,contact_email", token: token).json
    #expect(read["restrictions"] == ["age_distr": "13+"])
    #expect(read["contact_email"] == "a@example.com")
  }

  @Test func `the application's types of events need its token`() throws {
    var sandbox = try InProcessSandbox()
    #expect(sandbox.send("GET", "app/app_event_types").error?["code"]?.integer == 15)
    let answer = sandbox.send("GET", "app/app_event_types", token: sandbox.applicationToken)
    #expect(answer.text == #"{"data":[]}"#)
  }

  @Test func `the pages that a user likes need user_likes`() throws {
    var world = WorldDescription.standard
    world.users[0].value.likes = ["bakery", "club"]
    var sandbox = try InProcessSandbox(world)
    #expect(
      sandbox.send("GET", "me/likes").error?["message"]
        == "(#299) Requires extended permission: user_likes")
    sandbox.world.access.set("user_likes", to: .granted, for: sandbox.alex)
    let likes = sandbox.send("GET", "me/likes?fields=name,category").json["data"]?.array ?? []
    #expect(likes.map { $0["name"] } == ["Harbour Bakery", "Night Sky Club"])
  }

  @Test func `pictures of users need no token`() throws {
    var sandbox = try InProcessSandbox()
    func get(_ path: String) -> HTTPAnswer {
      sandbox.send(HTTPCall(method: "GET", target: path))
    }
    #expect(get("/\(sandbox.friend)/picture").status == 302)
    #expect(
      get("/\(sandbox.friend)/picture?redirect=false").json["data"]?["is_silhouette"] == false)
    #expect(get("/\(sandbox.page)/picture").error?["code"]?.integer == 104)
    #expect(get("/me/picture").error?["code"]?.integer == 2_500)
    #expect(get("/\(sandbox.friend)").error?["code"]?.integer == 104)
  }
}
