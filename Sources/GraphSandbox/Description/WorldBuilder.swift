import JSONPath

/// Builds a world from its description.
///
/// Ids and times come from counters, tokens from the seed: the same description gives the same
/// world. Ids go first to the application, then to all users, to what they have published, and then
/// to each page and what it has published.
struct WorldBuilder {
  var world: World
  private let description: WorldDescription
  /// The ids of users and pages, by their keys.
  private(set) var ids: [String: String] = [:]
  /// When the first call may come, in seconds since 1970; nil: once all objects are made.
  private let opening: Int?

  init(_ description: WorldDescription, seed: UInt64, opensAt opening: Int? = nil) {
    self.description = description
    self.opening = opening
    world = World(seed: seed, now: description.start)
    world.objects.reservedIDs = Set(description.givenIDs)
    if description.objectCount > 1_000 {
      world.objects.reserveCapacity(description.objectCount)
    }
    addApplication()
    for user in description.users { addUser(user.value, key: user.key) }
    for user in description.users { addFriends(user.value, key: user.key) }
    for user in description.users { addTokens(ofUser: user.key) }
    for user in description.users { add(user.value.contents, under: user.key) }
    for page in description.pages { addPage(page.value, key: page.key) }
    for user in description.users { addLikes(user.value, key: user.key) }
    for account in description.adAccounts { add(account.value) }
    addOtherTokens()
    world.meter.limits = description.limits
    world.behaviors = description.behaviors
  }

  /// The time of the first call; ads are dated back from here.
  var present: Int { opening ?? world.now }

  private mutating func addApplication() {
    let application = description.application
    let id = application.id ?? world.objects.nextID()
    world.access.application = id
    world.logins.clientToken = application.clientToken
    world.access.proofs = ProofCheck(
      appSecret: application.secret, isRequired: application.requiresProof)
    world.objects.insert(
      GraphObject(
        .application, id: id,
        fields: [
          "category": "Utilities", "name": .string(application.name), "namespace": "graphflow",
        ]))
    let version = VersionTable(standard: description.behaviors.defaultVersion).standard
    WebhookSubscription.set(
      application.subscriptions.compactMap {
        try? WebhookSubscription($0.parameters, version: version)
      },
      of: id, in: &world.objects)
    world.access.grants[world.access.applicationToken] = AccessGrant(kind: .app, profile: id)
  }

  private mutating func addUser(_ user: WorldDescription.User, key: String) {
    let id = user.id ?? world.objects.nextID()
    let words = user.name.split(separator: " ").map(String.init)
    var fields: JSON.Object = ["name": .string(user.name)]
    if let first = words.first, let last = words.last {
      fields["first_name"] = .string(first)
      fields["last_name"] = .string(last)
      fields["short_name"] = .string(first)
    }
    world.objects.insert(GraphObject(.user, id: id, fields: fields))
    add(user.details, to: id)
    ids[key] = id
    world.access.permissions[id] = user.permissions
  }

  private mutating func addFriends(_ user: WorldDescription.User, key: String) {
    guard let id = ids[key] else { return }
    for friend in user.friends.compactMap({ ids[$0] }) where friend != id {
      world.objects.appendOnce(friend, to: .friends, of: id)
      world.objects.appendOnce(id, to: .friends, of: friend)
    }
  }

  private mutating func addLikes(_ user: WorldDescription.User, key: String) {
    guard let id = ids[key] else { return }
    for page in user.likes.compactMap({ ids[$0] }) {
      world.objects.appendOnce(page, to: .likes, of: id)
    }
  }

  private mutating func addPage(_ page: WorldDescription.Page, key: String) {
    let id = page.id ?? world.objects.nextID()
    ids[key] = id
    let fields: JSON.Object = [
      "category": .string(page.category),
      "category_list": [["id": "2500", "name": .string(page.category)]],
      "is_published": true, "name": .string(page.name),
    ]
    world.objects.insert(GraphObject(.page, id: id, fields: fields))
    for role in page.roles {
      guard let user = ids[role.key] else { continue }
      let token = world.access.generator.nextToken()
      world.access.grants[token] = AccessGrant(kind: .page, profile: id, user: user)
      world.access.roles[id, default: [:]][user] = PageRole(token: token, tasks: role.value)
      world.objects.append(id, to: .accounts, of: user)
    }
    add(page.contents, under: key)
    if !page.subscribedFields.isEmpty {
      world.objects[id]?.fields[WebhookField.ofPage] = .array(
        page.subscribedFields.map { .string($0) })
    }
    if let instagram = page.instagram { add(instagram, of: id, page) }
    add(page.details, to: id)
  }

  private mutating func add(
    _ instagram: WorldDescription.Instagram, of page: String, _ description: WorldDescription.Page
  ) {
    let id = instagram.id ?? world.objects.nextID()
    world.objects.insert(
      GraphObject(
        .instagramAccount, id: id, owner: page,
        fields: [
          "name": .string(instagram.name ?? description.name),
          "username": .string(instagram.username),
        ]))
    world.objects[page]?.fields["instagram_business_account"] = ["id": .string(id)]
    for caption in instagram.media {
      world.objects.insert(
        world.objects.makeMedia(of: id, ["caption": .string(caption)], at: world.now))
    }
    add(instagram.details, to: id)
  }
}

// MARK: - Tokens

extension WorldBuilder {
  private mutating func addTokens(ofUser key: String) {
    guard let id = ids[key] else { return }
    for token in description.tokens where token.value.owner == .user(key) {
      let kind: AccessGrant.Kind = token.value.isSystemUser ? .systemUser : .user
      add(token, world.access.generator.nextToken(), AccessGrant(kind: kind, profile: id, user: id))
    }
  }

  /// Adds the tokens of pages and of the application; a role's first one is that of `me/accounts`.
  private mutating func addOtherTokens() {
    var shown: Set<String> = []
    for token in description.tokens {
      switch token.value.owner {
      case .user: break
      case .application:
        add(
          token, world.access.applicationToken,
          AccessGrant(kind: .app, profile: world.access.application))
      case .page(let page, let user):
        guard let page = ids[page], let user = ids[user] else { continue }
        let role = world.access.roles[page]?[user]?.token
        let isFirst = role.map { shown.insert($0).inserted } ?? false
        let text = isFirst ? role : nil
        add(
          token, text ?? world.access.generator.nextToken(),
          AccessGrant(kind: .page, profile: page, user: user))
      }
    }
    let order = Dictionary(
      zip(description.tokens.map(\.key), 0...), uniquingKeysWith: { first, _ in first })
    world.access.namedTokens.sort { order[$0.name] ?? 0 < order[$1.name] ?? 0 }
  }

  private mutating func add(
    _ token: WorldDescription.Named<WorldDescription.Token>, _ text: String, _ grant: AccessGrant
  ) {
    var grant = grant
    grant.state = token.value.state
    grant.expires = token.value.expires
    if token.value.state == .expired {
      // An hour before the world's start, unless the file sets an earlier time.
      grant.state = .valid
      grant.expires = min(token.value.expires ?? .max, description.start - 3_600)
    }
    world.access.grants[text] = grant
    if token.key == "default" || world.access.standardUser == nil, let user = grant.user {
      world.access.standardUser = user
    }
    world.access.namedTokens.append((token.key, text))
  }
}

// MARK: - Contents

extension WorldBuilder {
  private mutating func add(_ contents: WorldDescription.Contents, under key: String) {
    guard let owner = ids[key] else { return }
    for post in contents.posts { add(post, under: owner) }
    for photo in contents.photos { add(photo, under: owner, in: owner) }
    for album in contents.albums {
      let object = world.objects.makeAlbum(under: owner, name: album.name, at: world.now)
      world.objects.insert(object)
      for photo in album.photos { add(photo, under: owner, in: object.id) }
      add(album.details, to: object.id)
    }
  }

  private mutating func add(_ post: WorldDescription.Post, under owner: String) {
    let parts = post.message.split(separator: "{n}", omittingEmptySubsequences: false)
    let likes = post.likes.compactMap { ids[$0] }
    for number in 0..<max(0, min(post.count, WorldDescription.Post.maximumCount)) {
      world.now += post.interval
      let object = world.objects.makePost(
        under: owner,
        message: parts.count > 1 ? parts.joined(separator: String(number + 1)) : post.message,
        link: post.link ?? "", isPublished: post.isPublished, at: world.now)
      world.objects.insert(object)
      like(object.id, by: likes)
      add(post.comments, below: object.id)
      add(post.details, to: object.id)
    }
  }

  /// Adds the likes of profiles to an object, each once.
  private mutating func like(_ object: String, by profiles: [String]) {
    var seen: Set<String> = []
    for profile in profiles where seen.insert(profile).inserted {
      world.objects.append(profile, to: .likes, of: object)
    }
  }

  private mutating func add(_ photo: WorldDescription.Photo, under owner: String, in list: String) {
    var object = world.objects.makePhoto(under: owner, caption: photo.caption, at: world.now)
    object.listings = [.init(id: list, edge: .photos)]
    world.objects.insert(object)
    like(object.id, by: photo.likes.compactMap { ids[$0] })
    add(photo.comments, below: object.id)
    add(photo.details, to: object.id)
  }

  private mutating func add(_ comments: [WorldDescription.Comment], below object: String) {
    for comment in comments {
      guard let author = ids[comment.author] else { continue }
      let made = world.objects.makeComment(
        on: object, by: author, message: comment.message, at: world.now)
      world.objects.insert(made)
      like(made.id, by: comment.likes.compactMap { ids[$0] })
      add(comment.details, to: made.id)
    }
  }
}

extension WorldDescription {
  /// The ids that the description sets; no other object may get one.
  fileprivate var givenIDs: [String] {
    var ids = [application.id] + users.map(\.value.id)
    for page in pages { ids += [page.value.id, page.value.instagram?.id] }
    return ids.compactMap(\.self) + details.flatMap(\.ids)
  }

  /// What is described by Graph's names, at any depth except below other details.
  private var details: [ObjectDetails] {
    let contents = users.map(\.value.contents) + pages.map(\.value.contents)
    let photos = contents.flatMap { $0.photos + $0.albums.flatMap(\.photos) }
    let posts = contents.flatMap(\.posts)
    let comments = posts.flatMap(\.comments) + photos.flatMap(\.comments)
    let accounts = adAccounts.map(\.value)
    let adSets = accounts.flatMap(\.campaigns).flatMap(\.adSets)
    var details = users.map(\.value.details) + pages.map(\.value.details)
    details += pages.compactMap(\.value.instagram?.details) + posts.map(\.details)
    details += photos.map(\.details) + comments.map(\.details)
    details += contents.flatMap(\.albums).map(\.details) + accounts.map(\.details)
    details += accounts.flatMap(\.campaigns).map(\.details) + adSets.map(\.details)
    return details + adSets.flatMap(\.ads).map(\.details)
  }

  /// The approximate number of objects.
  fileprivate var objectCount: Int {
    let contents = users.map(\.value.contents) + pages.map(\.value.contents)
    let posts = contents.flatMap(\.posts).map { $0.count * (1 + $0.comments.count) }
    return users.count + pages.count + posts.reduce(0, +)
  }
}
