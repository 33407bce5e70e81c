import GraphFlow
import GraphSandbox
import JSONPath

/// Users and pages.
extension WorldReader {
  static let userKeys: [Key<WorldDescription.User>] = detailed(
    [
      Key("name", \.name) { $0.filledText($1, $2) },
      Key("id", \.id) { $0.id($1, $2) },
      Key("friends", \.friends) { $0.profiles($1, $2, of: "a friend", among: .user) },
      Key("likes", \.likes) { $0.profiles($1, $2, of: "a page", among: .page) },
      Key("permissions", \.permissions) { $0.permissions($1, $2) },
      Key("posts", \.contents.posts) { $0.list($1, $2) { $0.post($1) } },
      Key("photos", \.contents.photos) { $0.list($1, $2) { $0.photo($1) } },
      Key("albums", \.contents.albums) { $0.list($1, $2) { $0.album($1) } },
    ], of: "User")

  static let pageKeys: [Key<WorldDescription.Page>] = detailed(
    [
      Key("name", \.name) { $0.filledText($1, $2) },
      Key("id", \.id) { $0.id($1, $2) },
      Key("category", \.category) { $0.filledText($1, $2) },
      Key("roles", \.roles) { $0.roles($1, $2) },
      Key("posts", \.contents.posts) { $0.list($1, $2) { $0.post($1) } },
      Key("photos", \.contents.photos) { $0.list($1, $2) { $0.photo($1) } },
      Key("albums", \.contents.albums) { $0.list($1, $2) { $0.album($1) } },
      Key("instagram", \.instagram) { $0.instagram($1, $2) },
      Key("subscribed_fields", \.subscribedFields) { $0.webhookFields($1, $2) },
    ], of: "Page")

  private mutating func permissions(
    _ node: YAMLNode, _ subject: Subject
  ) -> [WorldDescription.Grant] {
    let statuses = WorldDescription.Grant.Status.allCases
    let members = members(of: node, subject, known: statuses.map(\.rawValue))
    var seen: Set<String> = []
    return statuses.flatMap { status -> [WorldDescription.Grant] in
      guard let node = members?[status.rawValue] else { return [] }
      return list(node, Subject(key: status.rawValue)) { reader, node in
        guard let name = reader.filledText(node, "a permission") else { return nil }
        if seen.insert(name).inserted { return .init(name, status) }
        reader.report(
          .invalidValue, "duplicate permission '\(name.prefix(40))'", at: node.location)
        return nil
      }
    }
  }

  private mutating func webhookFields(_ node: YAMLNode, _ subject: Subject) -> [String] {
    let names = texts(node, subject, of: "a field")
    if let problem = WorldDescription.Subscription.problem(ofPageFields: names) {
      report(.invalidValue, "Graph would refuse it: \(problem)", at: node.location)
    }
    return names
  }

  private mutating func roles(
    _ node: YAMLNode, _ subject: Subject
  ) -> [WorldDescription.Named<[String]>] {
    (entries(of: node, subject) ?? []).compactMap { entry in
      let key = profile(entry.key, at: entry.keyLocation, among: .user)
      let tasks = texts(entry.value, Subject("the tasks of", entry.key), of: "a task")
      return key.map { .init($0, tasks) }
    }
  }

  private static let instagramKeys: [Key<WorldDescription.Instagram>] = detailed(
    [
      Key("username", \.username) { $0.filledText($1, $2) },
      Key("name", \.name) { $0.filledText($1, $2) },
      Key("id", \.id) { $0.id($1, $2) },
      Key("media", \.media) { reader, node, subject in
        let captions = reader.texts(node, subject, of: "a caption")
        reader.count(captions.count, at: node.location)
        return captions
      },
    ], of: "IGUser")

  private mutating func instagram(
    _ node: YAMLNode, _ subject: Subject
  ) -> WorldDescription.Instagram? {
    let keys = Self.instagramKeys
    guard let members = members(of: node, subject, known: keys.map(\.name)) else { return nil }
    count(1, at: members.location)
    guard required("username", in: members) != nil else { return nil }
    var account = WorldDescription.Instagram(username: "")
    read(members, into: &account, by: keys)
    return account
  }
}

/// What a user or page has published.
extension WorldReader {
  private static let postKeys: [Key<WorldDescription.Post>] = detailed(
    [
      Key("message", \.message) { $0.filledText($1, $2) },
      Key("count", \.count) { $0.integer($1, $2, in: 1...WorldDescription.Post.maximumCount) },
      Key("every", \.interval) {
        $0.duration($1, $2, allowsZero: true).map { Int($0.components.seconds) }
      },
      Key("link", \.link) { $0.filledText($1, $2) },
      Key("published", \.isPublished) { $0.boolean($1, $2) },
      Key("likes", \.likes) { $0.profiles($1, $2) },
      Key("comments", \.comments) { $0.list($1, $2) { $0.comment($1) } },
    ], of: "Post")

  /// A post: its message, or a map.
  private mutating func post(_ node: YAMLNode) -> WorldDescription.Post? {
    if case .scalar = node.content {
      count(1, at: node.location)
      return filledText(node, "a post").map { .init(message: $0) }
    }
    let before = objectCount
    var location = node.location
    let post = object(node, "a post", WorldDescription.Post(message: ""), by: Self.postKeys) {
      location = $1.keyLocation("count")
      guard !$1.mentions("message"), !$1.mentions("link") else { return }
      $0.report(.missingKey, "a post needs 'message' or 'link'", at: $1.location)
    }
    guard let post else { return nil }
    let each = 1 + objectCount - before
    objectCount = before
    count(each * post.count, at: location)
    return post
  }

  private static let commentKeys: [Key<WorldDescription.Comment>] = detailed(
    [
      Key("by", \.author) { $0.profile($1, $2, among: .userOrPage) },
      Key("message", \.message) { $0.filledText($1, $2) },
      Key("likes", \.likes) { $0.profiles($1, $2) },
    ], of: "Comment")

  private mutating func comment(_ node: YAMLNode) -> WorldDescription.Comment? {
    let comment = object(node, "a comment", .init(by: "", message: ""), by: Self.commentKeys) {
      $0.count(1, at: $1.location)
      for key in ["by", "message"] { _ = $0.required(key, in: $1) }
    }
    guard let comment, !comment.author.isEmpty, !comment.message.isEmpty else { return nil }
    return comment
  }

  private static let photoKeys: [Key<WorldDescription.Photo>] = detailed(
    [
      Key("caption", \.caption) { $0.text($1, $2) },
      Key("likes", \.likes) { $0.profiles($1, $2) },
      Key("comments", \.comments) { $0.list($1, $2) { $0.comment($1) } },
    ], of: "Photo")

  /// A photo: its caption, or a map.
  private mutating func photo(_ node: YAMLNode) -> WorldDescription.Photo? {
    count(1, at: node.location)
    if case .scalar = node.content {
      return text(node, "a photo").map { .init(caption: $0) }
    }
    return object(node, "a photo", .init(caption: ""), by: Self.photoKeys)
  }

  private static let albumKeys: [Key<WorldDescription.Album>] = detailed(
    [
      Key("name", \.name) { $0.filledText($1, $2) },
      Key("photos", \.photos) { $0.list($1, $2) { $0.photo($1) } },
    ], of: "Album")

  private mutating func album(_ node: YAMLNode) -> WorldDescription.Album? {
    named(node, "an album", .init(name: ""), by: Self.albumKeys)
  }
}

/// Ad accounts, and what is in them.
extension WorldReader {
  static let accountKeys: [Key<WorldDescription.AdAccount>] = detailed(
    [
      Key("name", \.name) { $0.filledText($1, $2) },
      Key("id", \.id) { $0.id($1, $2) },
      Key("currency", \.currency) { $0.filledText($1, $2) },
      Key("timezone_name", \.timeZone) { $0.choice($1, $2) },
      Key("users", \.users) { $0.profiles($1, $2, of: "a user", among: .user) },
      Key("campaigns", \.campaigns) {
        $0.list($1, $2) { $0.named($1, "a campaign", .init(name: ""), by: campaignKeys) }
      },
    ], of: "AdAccount")

  private static let campaignKeys: [Key<WorldDescription.Campaign>] = detailed(
    [
      Key("name", \.name) { $0.filledText($1, $2) },
      Key("objective", \.objective) { $0.filledText($1, $2) },
      Key("status", \.status) { $0.filledText($1, $2) },
      Key("ad_sets", \.adSets) {
        $0.list($1, $2) { $0.named($1, "an ad set", .init(name: ""), by: adSetKeys) }
      },
    ], of: "Campaign")

  private static let adSetKeys: [Key<WorldDescription.AdSet>] = detailed(
    [
      Key("name", \.name) { $0.filledText($1, $2) },
      Key("status", \.status) { $0.filledText($1, $2) },
      Key("daily_budget", \.dailyBudget) { $0.amount($1, $2) },
      Key("start_time", \.start) { $0.time($1, $2) },
      Key("end_time", \.end) { $0.time($1, $2) },
      Key("ads", \.ads) { $0.list($1, $2) { $0.named($1, "an ad", .init(name: ""), by: adKeys) } },
    ], of: "AdSet")

  private static let adKeys: [Key<WorldDescription.Ad>] = detailed(
    [
      Key("name", \.name) { $0.filledText($1, $2) },
      Key("status", \.status) { $0.filledText($1, $2) },
      Key("impressions", \.impressions) { $0.amount($1, $2) },
      Key("reach", \.reach) { $0.amount($1, $2) },
      Key("clicks", \.clicks) { $0.amount($1, $2) },
      Key("spend", \.spend) { $0.amount($1, $2) },
    ], of: "Ad")

  /// A number of people, clicks or cents.
  private func amount(_ node: YAMLNode, _ subject: Subject) -> Int? {
    integer(node, subject, in: 0...1_000_000_000_000)
  }
}
