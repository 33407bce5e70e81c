import JSONPath

/// The world that a sandbox starts with: Alex, friends, three pages, and some posts.
///
/// Ids and times come from counters, tokens from the seed: every start gives the same world.
struct DefaultWorld {
  private(set) var world: World
  /// Alex's token and that of the first page.
  private(set) var tokens: [(name: String, token: String)] = []
  private var tokenCount: UInt64 = 0
  private let seed: UInt64

  /// 2026-01-15T12:00:00 UTC.
  private static let start = 1_768_478_400
  private static let friends = [
    "Blake Rivera", "Casey Morgan", "Dana Okafor", "Eli Novak", "Finley Hart", "Gray Lindqvist",
    "Harper Sato", "Indigo Braun", "Jules Moreau", "Kai Andersen", "Lane Costa", "Marlow Chen",
  ]
  private static let granted = [
    "public_profile", "email", "user_friends", "user_photos", "user_posts", "pages_show_list",
    "pages_read_engagement", "pages_read_user_content", "pages_manage_posts",
    "pages_manage_engagement", "pages_manage_metadata", "read_insights", "publish_video",
    "business_management", "instagram_basic", "instagram_content_publish",
  ]
  private static let allTasks = [
    "ADVERTISE", "ANALYZE", "CREATE_CONTENT", "MESSAGING", "MODERATE", "MANAGE",
  ]

  init(seed: UInt64, appSecret: String?) {
    self.seed = seed
    world = World(seed: seed, now: Self.start)
    addApplication(secret: appSecret)
    let alex = addUser("Alex Taylor", email: "alex@example.com")
    addPermissions(of: alex)
    addFriends(of: alex)
    addPosts(of: alex, ["First light over the harbour", "Trying a new recipe", "Weekend walk"])
    addPhotos(of: alex, ["Harbour", "Kitchen"])
    addPages(of: alex)
  }

  private mutating func makeToken() -> String {
    tokenCount += 1
    return SeededText.token(seed: seed, ordinal: tokenCount)
  }

  private mutating func addApplication(secret: String?) {
    let id = world.makeID()
    world.application = id
    world.insert(
      GraphObject(
        .application,
        id: id,
        fields: ["category": "Utilities", "name": "GraphFlow Sandbox", "namespace": "graphflow"]
      )
    )
    world.proofs.appSecret = secret
    let appToken = "\(id)|\(secret ?? SeededText.traceID(seed: seed, ordinal: 0))"
    world.grants[appToken] = AccessGrant(kind: .app, profile: id)
  }

  private mutating func addUser(_ name: String, email: String? = nil) -> String {
    let id = world.makeID()
    let words = name.split(separator: " ").map(String.init)
    var fields: JSON.Object = ["name": .string(name)]
    if let first = words.first, let last = words.last {
      fields["first_name"] = .string(first)
      fields["last_name"] = .string(last)
      fields["short_name"] = .string(first)
    }
    if let email { fields["email"] = .string(email) }
    world.insert(GraphObject(.user, id: id, fields: fields))
    return id
  }

  private mutating func addPermissions(of alex: String) {
    world.permissions[alex] =
      Self.granted.map { Permission(name: $0, status: .granted) }
      + [
        Permission(name: "user_birthday", status: .declined),
        Permission(name: "user_location", status: .expired),
      ]
    let token = makeToken()
    world.grants[token] = AccessGrant(kind: .user, profile: alex, user: alex)
    tokens.append(("default", token))
  }

  private mutating func addFriends(of alex: String) {
    for name in Self.friends {
      let friend = addUser(name)
      world.objects[alex]?.edges[.friends, default: EdgeList()].append(friend)
      world.objects[friend]?.edges[.friends, default: EdgeList()].append(alex)
    }
  }

  private mutating func addPosts(of owner: String, _ messages: [String]) {
    let friends = world.objects[owner]?.edges[.friends]?.entries.map(\.id) ?? []
    for (index, message) in messages.enumerated() {
      world.now += 3_600
      let post = world.makePost(under: owner, message: message)
      world.insert(post)
      for friend in friends.prefix(index + 1) {
        world.objects[post.id]?.edges[.likes, default: EdgeList()].append(friend)
      }
      for friend in friends.prefix(index) {
        let comment = world.makeComment(on: post.id, by: friend, message: "Lovely!")
        world.insert(comment)
      }
    }
  }

  private mutating func addPhotos(of owner: String, _ captions: [String]) {
    for caption in captions {
      var photo = world.makePhoto(under: owner, caption: caption)
      photo.listings = [.init(id: owner, edge: .photos)]
      world.insert(photo)
    }
  }

  private mutating func addPages(of alex: String) {
    addPage("Harbour Bakery", category: "Bakery", tasks: Self.allTasks, of: alex, posts: 60)
    addPage("Night Sky Club", category: "Club", tasks: Self.allTasks, of: alex, posts: 3)
    addPage("Old Town Radio", category: "Radio station", tasks: ["ANALYZE"], of: alex, posts: 1)
    addInstagramAccount(of: alex)
  }

  /// The Instagram account of the first page.
  private mutating func addInstagramAccount(of alex: String) {
    guard let page = world.objects[alex]?.edges[.accounts]?.entries.first?.id else { return }
    let account = "17841400000000001"
    world.insert(
      GraphObject(
        .instagramAccount,
        id: account,
        owner: page,
        fields: ["name": "Harbour Bakery", "username": "harbour.bakery"]
      )
    )
    world.objects[page]?.fields["instagram_business_account"] = ["id": .string(account)]
  }

  private mutating func addPage(
    _ name: String,
    category: String,
    tasks: [String],
    of user: String,
    posts: Int
  ) {
    let id = world.makeID()
    world.insert(
      GraphObject(
        .page,
        id: id,
        fields: [
          "about": .string("The sandbox's \(name)"), "category": .string(category),
          "category_list": [["id": "2500", "name": .string(category)]], "fan_count": 120,
          "followers_count": 130, "is_published": true, "name": .string(name),
        ]
      )
    )
    let token = makeToken()
    world.grants[token] = AccessGrant(kind: .page, profile: id, user: user)
    world.roles[id] = [user: PageRole(token: token, tasks: tasks)]
    world.objects[user]?.edges[.accounts, default: EdgeList()].append(id)
    if tokens.count == 1 { tokens.append(("page", token)) }
    addPosts(of: id, (1...max(1, posts)).map { "\(name): news \($0)" })
    addPhotos(of: id, ["\(name) from outside"])
  }
}

extension DefaultWorld {
  /// Changes the world before it is served.
  mutating func configure(_ change: (inout World) -> Void) { change(&world) }
}
