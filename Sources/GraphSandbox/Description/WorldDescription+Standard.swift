import JSONPath

extension WorldDescription {
  /// The default world: Alex, friends, three pages, and some posts.
  public static let standard: WorldDescription = {
    var world = WorldDescription()
    world.users = [Named("alex", alex)] + friends.map { Named($0.key, User(name: $0.name)) }
    world.pages = [
      Named("bakery", bakery),
      Named("club", page("Night Sky Club", category: "Club", tasks: allTasks, posts: 3)),
      Named(
        "radio", page("Old Town Radio", category: "Radio station", tasks: ["ANALYZE"], posts: 1)),
    ]
    world.tokens = [
      Named("default", Token(.user("alex"))), Named("page", Token(.page("bakery", user: "alex"))),
    ]
    return world
  }()

  private static let friends: [(key: String, name: String)] = [
    ("blake", "Blake Rivera"), ("casey", "Casey Morgan"), ("dana", "Dana Okafor"),
    ("eli", "Eli Novak"), ("finley", "Finley Hart"), ("gray", "Gray Lindqvist"),
    ("harper", "Harper Sato"), ("indigo", "Indigo Braun"), ("jules", "Jules Moreau"),
    ("kai", "Kai Andersen"), ("lane", "Lane Costa"), ("marlow", "Marlow Chen"),
  ]

  private static let granted = [
    "public_profile", "email", "user_friends", "user_photos", "user_posts", "pages_show_list",
    "pages_read_engagement", "pages_read_user_content", "pages_manage_posts",
    "pages_manage_engagement", "pages_manage_metadata", "read_insights", "publish_video",
    "business_management", "instagram_basic", "instagram_content_publish",
    "instagram_manage_insights",
  ]

  private static let allTasks = [
    "ADVERTISE", "ANALYZE", "CREATE_CONTENT", "MESSAGING", "MODERATE", "MANAGE",
  ]

  private static var alex: User {
    var alex = User(name: "Alex Taylor")
    alex.details.fields = ["email": "alex@example.com"]
    alex.friends = friends.map(\.key)
    alex.permissions =
      granted.map { Grant($0, .granted) }
      + [Grant("user_birthday", .declined), Grant("user_location", .expired)]
    let messages = ["First light over the harbour", "Trying a new recipe", "Weekend walk"]
    alex.contents.posts = messages.enumerated().map { index, message in
      var post = Post(message: message)
      post.likes = friends.prefix(index + 1).map(\.key)
      post.comments = friends.prefix(index).map { Comment(by: $0.key, message: "Lovely!") }
      return post
    }
    alex.contents.photos = [Photo(caption: "Harbour"), Photo(caption: "Kitchen")]
    return alex
  }

  private static var bakery: Page {
    var bakery = page("Harbour Bakery", category: "Bakery", tasks: allTasks, posts: 60)
    bakery.instagram = Instagram(username: "harbour.bakery")
    bakery.instagram?.id = "17841400000000001"
    bakery.instagram?.details.fields = ["followers_count": 480]
    return bakery
  }

  private static func page(_ name: String, category: String, tasks: [String], posts: Int) -> Page {
    var page = Page(name: name)
    page.category = category
    page.details.fields = [
      "about": .string("The sandbox's \(name)"), "fan_count": 120, "followers_count": 130,
    ]
    page.roles = [Named("alex", tasks)]
    var news = Post(message: "\(name): news {n}")
    news.count = posts
    page.contents.posts = [news]
    page.contents.photos = [Photo(caption: "\(name) from outside")]
    return page
  }
}
