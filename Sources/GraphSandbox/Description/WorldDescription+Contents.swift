extension WorldDescription {
  /// What a user or page has published, the oldest first.
  public struct Contents: Hashable, Sendable {
    /// Posts, of which each is younger than the one before it.
    public var posts: [Post] = []
    /// Photos.
    public var photos: [Photo] = []
    /// Albums.
    public var albums: [Album] = []

    /// Nothing.
    public init() {}
  }

  /// A post, or several that differ in a number only.
  public struct Post: Hashable, Sendable {
    /// The text; `{n}` stands for the post's number, from 1.
    public var message: String
    /// How many.
    public var count = 1
    /// How many seconds each is younger than what was published before.
    public var interval = 3_600
    /// An address that it leads to.
    public var link: String?
    /// Whether it stands in the feed.
    public var isPublished = true
    /// The keys of users and pages that like it.
    public var likes: [String] = []
    /// The comments, the oldest first.
    public var comments: [Comment] = []

    /// The most posts that one entry stands for.
    public static let maximumCount = 5_000_000

    /// Describes a post that nobody has seen yet.
    public init(message: String) { self.message = message }
  }

  /// A comment.
  public struct Comment: Hashable, Sendable {
    /// The key of the user or page that wrote it.
    public var author: String
    /// The text.
    public var message: String
    /// The keys of users and pages that like it.
    public var likes: [String] = []

    /// Describes a comment.
    public init(by author: String, message: String) {
      self.author = author
      self.message = message
    }
  }

  /// A photo.
  public struct Photo: Hashable, Sendable {
    /// The text beside it.
    public var caption: String
    /// The keys of users and pages that like it.
    public var likes: [String] = []
    /// The comments, the oldest first.
    public var comments: [Comment] = []

    /// Describes a photo.
    public init(caption: String) { self.caption = caption }
  }

  /// An album.
  public struct Album: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// What is in it.
    public var photos: [Photo] = []

    /// Describes an empty album.
    public init(name: String) { self.name = name }
  }
}
