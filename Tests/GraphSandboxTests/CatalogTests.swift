import JSONPath
import TestSupport
import Testing

@testable import GraphSandbox

/// What Graph has, and what the sandbox serves of it.
struct CatalogTests {
  /// The types of Meta's SDK that the sandbox serves.
  static let types = [
    "Ad", "AdAccount", "AdCreative", "AdSet", "Album", "Application", "Campaign", "Comment",
    "IGMedia", "IGUser", "Page", "Photo", "Post", "User", "Video",
  ]

  private static let permissions = [
    "ads_management", "ads_read", "business_management", "email", "instagram_basic",
    "instagram_manage_comments", "leads_retrieval", "pages_manage_metadata", "pages_messaging",
    "pages_read_engagement", "pages_read_user_content", "pages_show_list", "user_events",
    "user_friends", "user_likes", "user_photos", "user_posts", "user_videos",
  ]

  /// A world with an object of each type, each with the same details, of which the ids are known.
  private static func world(
    _ permissions: [String], _ details: (String) -> ObjectDetails
  ) throws -> (sandbox: InProcessSandbox, ids: [String: String]) {
    var ids: [String: String] = [
      "AdAccount": "act_77", "User": "101", "Page": "102", "IGUser": "103",
    ]
    func node(_ type: String, _ id: String) -> WorldDescription.Named<[ListedObject]> {
      var node = ListedObject(type)
      node.id = id
      node.details = details(type)
      ids[type] = id
      let edges = [
        "Post": "tagged", "Video": "videos", "Application": "subscribed_apps", "IGMedia": "stories",
        "Campaign": "campaigns", "AdSet": "adsets", "Ad": "ads", "AdCreative": "adcreatives",
        "Photo": "photos", "Album": "albums", "Comment": "comments",
      ]
      return .init(edges[type] ?? "", [node])
    }
    var user = WorldDescription.User(name: "Lee Harmon")
    user.id = "101"
    user.permissions = permissions.map { .init($0, .granted) }
    user.details = details("User")
    var page = WorldDescription.Page(name: "Shop")
    page.id = "102"
    page.roles = [.init("lee", ["MANAGE"])]
    page.details = details("Page")
    page.details.edges += [
      node("Post", "104"), node("Photo", "105"), node("Album", "106"), node("Video", "107"),
      node("Application", "108"),
    ]
    var instagram = WorldDescription.Instagram(username: "shop")
    instagram.id = "103"
    instagram.details = details("IGUser")
    instagram.details.edges.append(node("IGMedia", "109"))
    page.instagram = instagram
    var account = WorldDescription.AdAccount(name: "Shop")
    account.id = "77"
    account.users = ["lee"]
    account.details = details("AdAccount")
    account.details.edges += [
      node("Campaign", "110"), node("AdSet", "111"), node("Ad", "112"), node("AdCreative", "113"),
    ]
    page.details.edges[page.details.edges.count - 5].value[0].details.edges.append(
      node("Comment", "114"))
    var world = WorldDescription()
    world.users = [.init("lee", user)]
    world.pages = [.init("shop", page)]
    world.adAccounts = [.init("main", account)]
    world.tokens = [
      .init("default", .init(.user("lee"))), .init("page", .init(.page("shop", user: "lee"))),
    ]
    return (try InProcessSandbox(world), ids)
  }

  private static func value(_ kind: String, isFirst: Bool) -> JSON {
    switch kind {
    case "bool": .bool(isFirst)
    case "list": [isFirst ? "one" : "two"]
    case "number": isFirst ? 1 : 2
    case "object": ["name": isFirst ? "one" : "two"]
    case "time": isFirst ? "2026-01-01T00:00:00+0000" : "2026-02-01T00:00:00+0000"
    default: isFirst ? "one" : "two"
    }
  }

  @Test func `two values of most fields that Graph has can be read`() throws {
    func fields(_ type: String, isFirst: Bool) -> JSON.Object {
      JSON.Object(
        GraphVocabulary.fieldNames(of: type).map { name in
          (name, Self.value(GraphVocabulary.kind(of: name, type) ?? "", isFirst: isFirst))
        })
    }
    var read: [String: [[String: JSON]]] = [:]
    for isFirst in [true, false] {
      var (sandbox, ids) = try Self.world(Self.permissions) { type in
        var details = ObjectDetails()
        details.fields = fields(type, isFirst: isFirst)
        return details
      }
      for type in Self.types {
        let names = GraphVocabulary.fieldNames(of: type)
        let id = try #require(ids[type])
        let answer = sandbox.send("GET", "\(id)?fields=\(names.joined(separator: ","))")
        #expect(answer.status == 200, "\(type): \(answer.text.prefix(300))")
        read[type, default: []].append(
          Dictionary(
            (answer.json.object ?? [:]).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }))
      }
    }
    var count = 0
    for type in Self.types {
      let values = try #require(read[type])
      for name in GraphVocabulary.fieldNames(of: type) {
        let (first, second) = (values[0][name], values[1][name])
        #expect(first != nil && first != second, "\(type).\(name)")
        count += first != nil && first != second ? 1 : 0
      }
    }
    #expect(count >= 900)
  }

  static let edges = types.flatMap { type in
    GraphVocabulary.edgeNames(of: type).map { (type, $0) }
  }

  @Test func `edges list, page and obey permissions`() throws {
    let details = { (type: String) in
      var details = ObjectDetails()
      details.edges = GraphVocabulary.edgeNames(of: type).map { edge in
        var node = ListedObject(GraphVocabulary.type(at: edge, of: type) ?? "")
        node.count = 3
        return .init(edge, [node])
      }
      return details
    }
    var (sandbox, ids) = try Self.world(Self.permissions, details)
    var (forbidden, _) = try Self.world(["pages_show_list"], details)
    var count = 0
    for (type, edge) in Self.edges {
      let id = try #require(ids[type])
      let first = sandbox.send("GET", "\(id)/\(edge)?limit=2").json
      let after = first["paging"]?["cursors"]?["after"]?.string ?? ""
      let second = sandbox.send("GET", "\(id)/\(edge)?limit=2&after=\(after)").json
      let shown = (first["data"]?.array ?? []) + (second["data"]?.array ?? [])
      #expect(first["data"]?.array?.count == 2, "\(type)/\(edge): \(first.serialized())")
      #expect(Set(shown.compactMap { $0["id"]?.string }).count >= 3, "\(type)/\(edge)")
      let access = EdgeAccess(edge, of: type)
      if access.permissions.isEmpty || access.permissions.contains("pages_show_list") {
        count += 1
        continue
      }
      let refused = forbidden.send("GET", "\(id)/\(edge)").error?["code"]?.integer
      #expect([10, 200, 299].contains(refused), "\(type)/\(edge): \(refused ?? 0)")
      count += 1
    }
    #expect(count >= 160)
  }

  @Test func `what Graph has and the sandbox does not serve is marked, typing errors are not`()
    throws
  {
    var sandbox = try InProcessSandbox()
    let marked = [
      "\(sandbox.page)/ratings": "not served", "ig_hashtag_search?q=x": "not served",
      "me?fields=ids_for_apps": "not served",
    ]
    for (target, note) in marked {
      let answer = sandbox.send("GET", target)
      #expect(answer.status == 400, "\(target)")
      #expect(answer[header: "X-GraphFlow-Sandbox"] == note, "\(target): \(answer.text)")
    }
    for target in ["\(sandbox.page)/insigts", "me?fields=nam", "alex", "me/media"] {
      let answer = sandbox.send("GET", target)
      #expect(answer.status == 400, "\(target)")
      #expect(answer[header: "X-GraphFlow-Sandbox"] == nil, "\(target)")
    }
  }

  @Test func `parameters that Graph knows and the sandbox ignores are named`() throws {
    var sandbox = try InProcessSandbox()
    let post = sandbox.send(
      "POST", "\(sandbox.page)/feed",
      [("message", "Hi"), ("place", "123"), ("nonsense", "1"), ("published", "true")],
      token: sandbox.pageToken)
    let list = sandbox.send("GET", "\(sandbox.page)/feed?with=location&limit=1&colour=red")
    let plain = sandbox.send("GET", "\(sandbox.page)/feed?limit=1&since=yesterday&summary=true&=1")

    #expect(post[header: "X-GraphFlow-Sandbox"] == "ignored place")
    #expect(list[header: "X-GraphFlow-Sandbox"] == "ignored with")
    #expect(plain[header: "X-GraphFlow-Sandbox"] == nil)
  }

  @Test func `a parameter that is a field of the object is stored in its kind`() throws {
    var sandbox = try InProcessSandbox()
    let token = sandbox.pageToken
    let post = sandbox.send(
      "POST", "\(sandbox.page)/feed",
      [("message", "Hi"), ("targeting", #"{"geo_locations":{"countries":["GB"]}}"#)], token: token)
    let id = try #require(post.json["id"]?.string)
    let comment = sandbox.send("POST", "\(id)/comments", [("message", "Spam")], token: token)
    let commentID = try #require(comment.json["id"]?.string)
    let hidden = sandbox.send("POST", commentID, [("is_hidden", "true")], token: token)
    let page = sandbox.send(
      "POST", sandbox.page, [("about", "Bread"), ("hours", #"{"mon_1_open":"08:00"}"#)],
      token: token)
    let wrong = sandbox.send(
      "POST", "\(sandbox.page)/feed", [("message", "Ho"), ("height", "tall")], token: token)

    #expect(
      sandbox.send("GET", "\(id)?fields=targeting", token: token).json["targeting"]?[
        "geo_locations"]?["countries"] == ["GB"])
    #expect(hidden.status == 200 && page.status == 200)
    #expect(sandbox.send("GET", "\(commentID)?fields=is_hidden").json["is_hidden"] == true)
    #expect(
      sandbox.send("GET", "\(sandbox.page)?fields=about,hours").text.contains(
        #""about":"Bread","hours":{"mon_1_open":"08:00"}"#))
    #expect(wrong.error?["message"] == "(#100) Param height must be a number")
  }
}
