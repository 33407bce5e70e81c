/// The initial contents of a sandbox's world.
///
/// A world file is read into one, and a world is built from one. Users, pages and others have keys
/// that the author chooses and other entries name; a name without an entry is ignored.
public struct WorldDescription: Hashable, Sendable {
  /// A value with a key.
  public struct Named<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The key.
    public var key: String
    /// The value.
    public var value: Value

    /// Pairs a key with a value.
    public init(_ key: String, _ value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// When the first object was created, in seconds since 1970.
  public var start: Int
  /// The application that all tokens belong to.
  public var application = Application()
  /// The users, in the order of their ids.
  public var users: [Named<User>] = []
  /// The pages, in the order of their ids.
  public var pages: [Named<Page>] = []
  /// The ad accounts, in the order of their ids.
  package var adAccounts: [Named<AdAccount>] = []
  /// The tokens that the sandbox prints when it starts, by name.
  public var tokens: [Named<Token>] = []
  package var limits = RateLimits()
  /// How the sandbox answers where Graph has several behaviors or its behavior is unknown.
  package var behaviors = Behaviors()

  /// 2026-01-15T12:00:00 UTC.
  package static let standardStart = 1_768_478_400

  package init(start: Int = standardStart) { self.start = start }

  /// The application.
  public struct Application: Hashable, Sendable {
    /// Its name.
    public var name = "GraphFlow Sandbox"
    /// Its id; nil: the next free one.
    public var id: String?
    /// Its secret, for `appsecret_proof` and token exchange; nil: any is accepted.
    public var secret: String?
    /// The client token that device logins need; nil: any is accepted.
    public var clientToken: String?
    /// Whether calls must carry an `appsecret_proof`; ignored without a secret.
    public var requiresProof = false
    /// Its subscriptions to webhooks; the handshakes are made when the sandbox starts.
    package var subscriptions: [Subscription] = []

    /// Describes an application that accepts any secret and client token.
    public init() {}
  }

  /// Choices between possible behaviors.
  package struct Behaviors: Hashable, Sendable {
    /// The HTTP statuses of errors (docs/internals/graph-api.md, decision 18).
    package enum Statuses: String, Hashable, Sendable, CaseIterable {
      /// 403 for missing permissions, 500 for codes 1 and 2, else 400.
      case graph
      /// 400 for all.
      case all400 = "all-400"
    }

    /// What a read shows if its permission is missing (docs/internals/graph-api.md, decision 31).
    package enum Forbidden: String, Hashable, Sendable, CaseIterable {
      case error
      /// An empty list; with `debug=all` a warning beside it.
      case empty
    }

    /// How a batch shows operations that were not run.
    package var aborted = Sandbox.AbortedForm.null
    package var statuses = Statuses.graph
    package var forbidden = Forbidden.error
    /// Seed for shuffling a batch's independent operations; nil: they keep their order.
    package var shuffle: UInt64?
    /// Whether `depends_on` may be a list, or names separated by commas.
    package var takesDependencyLists = false
    /// Whether users may post on their own timelines, which the real API ended in 2018.
    package var opensTimelines = false
    /// The version of calls that name none; nil: the newest usable.
    package var defaultVersion: String?

    package init() {}
  }
}

/// Facts that readers of world files need.
extension WorldDescription {
  /// Reads a time: seconds since 1970, a day, or a day and a time in UTC.
  package static func time(_ text: String) -> Int? { GraphTime.seconds(text) }

  /// Whether the sandbox answers with this version.
  package static func isUsable(version: String) -> Bool {
    VersionTable().answering(version) == version
  }
}
