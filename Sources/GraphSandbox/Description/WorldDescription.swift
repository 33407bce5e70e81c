/// What is in a sandbox's world when it starts.
///
/// A value without behaviour: a world file is read into one, and a world is made of it. Users,
/// pages and the like have keys of the author's, by which others name them; a name that leads
/// nowhere is passed over.
public struct WorldDescription: Hashable, Sendable {
  /// Something with a key.
  public struct Named<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The author's name for it.
    public var key: String
    /// What it is.
    public var value: Value

    /// Pairs a key with what it names.
    public init(_ key: String, _ value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// When the first object was made, in seconds since 1970.
  public var start: Int
  /// The application that all tokens are for.
  public var application = Application()
  /// The users, in the order of their ids.
  public var users: [Named<User>] = []
  /// The pages, in the order of their ids.
  public var pages: [Named<Page>] = []
  /// The ad accounts, in the order of their ids.
  package var adAccounts: [Named<AdAccount>] = []
  /// The tokens that are told when the sandbox starts, by name.
  public var tokens: [Named<Token>] = []
  /// How much may be asked.
  package var limits = RateLimits()
  /// How the sandbox answers where Graph has several ways, or nobody knows its way.
  package var behaviors = Behaviors()

  /// 2026-01-15T12:00:00 UTC.
  package static let standardStart = 1_768_478_400

  /// Describes a world without anybody in it.
  package init(start: Int = standardStart) { self.start = start }
}

extension WorldDescription {
  /// The application.
  public struct Application: Hashable, Sendable {
    /// Its name.
    public var name = "GraphFlow Sandbox"
    /// Its id; nil: the next free one.
    public var id: String?
    /// Its secret, which `appsecret_proof` and token exchange are checked with; nil: any will do.
    public var secret: String?
    /// The token of clients that log devices in; nil: any will do.
    public var clientToken: String?
    /// Whether calls must carry an `appsecret_proof`; counts only with a secret.
    public var requiresProof = false

    /// Describes an application of which nothing is special.
    public init() {}
  }

  /// Ways of answering.
  package struct Behaviors: Hashable, Sendable {
    /// Which statuses errors travel under (docs/internals/graph-api.md, decision 18).
    package enum Statuses: String, Hashable, Sendable, CaseIterable {
      /// 403 for missing permissions, 500 for codes 1 and 2, else 400.
      case graph
      /// 400 for all.
      case all400 = "all-400"
    }

    /// What a read shows of which a permission is missing (docs/internals/graph-api.md, decision
    /// 31).
    package enum Forbidden: String, Hashable, Sendable, CaseIterable {
      /// An error.
      case error
      /// An empty list; with `debug=all` a warning beside it.
      case empty
    }

    /// How a batch shows operations that were not run.
    package var aborted = Sandbox.AbortedForm.null
    /// The statuses of errors.
    package var statuses = Statuses.graph
    /// What is shown without permission.
    package var forbidden = Forbidden.error
    /// Shuffles operations of a batch that do not wait for each other; nil: they keep their order.
    package var shuffle: UInt64?
    /// Whether `depends_on` may be a list, or names with commas between them.
    package var takesDependencyLists = false
    /// Whether users may post on their own timelines, which the real API ended in 2018.
    package var opensTimelines = true
    /// The version of calls that name none; nil: the newest usable.
    package var defaultVersion: String?

    /// Graph's ways, as far as they are known.
    package init() {}
  }
}
