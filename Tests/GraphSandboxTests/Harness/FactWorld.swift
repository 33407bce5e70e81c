import JSONPath

@testable import GraphSandbox

/// A small world that has something of each service: a user with a business, a page with Instagram,
/// an ad account with campaigns, leads.
enum FactWorld {
  private static let permissions = [
    "ads_management", "business_management", "instagram_basic", "instagram_content_publish",
    "leads_retrieval", "pages_manage_ads", "pages_manage_engagement", "pages_manage_posts",
    "pages_messaging", "pages_read_engagement", "pages_show_list", "publish_video", "user_posts",
  ]

  /// An object at an edge.
  private static func node(
    _ type: String, _ id: String, _ fields: JSON.Object = [:],
    edges: [WorldDescription.Named<[ListedObject]>] = []
  ) -> ListedObject {
    var node = ListedObject(type)
    node.id = id
    (node.details.fields, node.details.edges) = (fields, edges)
    return node
  }

  static let description: WorldDescription = {
    var world = WorldDescription()
    var lee = WorldDescription.User(name: "Lee Harmon")
    lee.id = "101"
    lee.permissions = permissions.map { .init($0, .granted) }
    let business = node(
      "Business", "201", ["name": "Bakeries"],
      edges: [
        .init("owned_pages", [node("Page", "202", ["about": "Bread"])]),
        .init("client_pages", [node("Page", "203", ["about": "Cake"])]),
        .init("owned_product_catalogs", [node("ProductCatalog", "204", ["name": "Goods"])]),
      ])
    lee.details.edges = [.init("businesses", [business])]
    world.users = [.init("lee", lee)]

    var shop = WorldDescription.Page(name: "Shop")
    shop.id = "102"
    shop.roles = [.init("lee", ["MANAGE"])]
    let leads = ["2026-01-01", "2026-01-03"].enumerated().map { index, day in
      node("Lead", "31\(index)", ["created_time": .string("\(day)T00:00:00+0000")])
    }
    shop.details.edges = [
      .init("leadgen_forms", [node("LeadgenForm", "300", edges: [.init("leads", leads)])])
    ]
    var instagram = WorldDescription.Instagram(username: "shop")
    instagram.id = "103"
    shop.instagram = instagram
    world.pages = [.init("shop", shop)]

    var account = WorldDescription.AdAccount(name: "Shop")
    account.id = "77"
    account.users = ["lee"]
    account.details.edges = [
      .init(
        "campaigns",
        [
          node("Campaign", "401", ["name": "Spring", "effective_status": "ACTIVE"]),
          node("Campaign", "402", ["name": "Summer", "effective_status": "PAUSED"]),
        ]),
      .init("ads", [node("Ad", "403", ["campaign_id": "402"])]),
      .init("adspixels", [node("AdsPixel", "404", ["name": "Pixel"])]),
      .init("customaudiences", [node("CustomAudience", "405", ["name": "Guests"])]),
    ]
    world.adAccounts = [.init("main", account)]
    world.tokens = [
      .init("default", .init(.user("lee"))), .init("page", .init(.page("shop", user: "lee"))),
    ]
    return world
  }()
}
