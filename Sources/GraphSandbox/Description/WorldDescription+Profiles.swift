extension WorldDescription {
  /// A user.
  public struct User: Hashable, DetailedDescription {
    /// First and last name.
    public var name: String
    /// The id; nil: the next free one.
    public var id: String?
    package var details = ObjectDetails()
    /// The keys of friends; friendship goes both ways.
    public var friends: [String] = []
    /// The keys of the pages that the user likes.
    package var likes: [String] = []
    /// The permissions that the application requested, and the answers.
    public var permissions: [Grant] = []
    package var contents = Contents()

    /// Describes a user with nothing but a name.
    public init(name: String) { self.name = name }
  }

  /// A permission that the application requested (docs/internals/graph-api.md, Permissions).
  public struct Grant: Hashable, Sendable {
    /// The answer.
    public enum Status: String, Hashable, Sendable, CaseIterable {
      /// The user has agreed.
      case granted
      /// The user has refused.
      case declined
      /// The user agreed, but has not used the application for 90 days.
      case expired
    }

    /// Its name, such as `pages_show_list`.
    public var name: String
    /// The answer.
    public var status: Status

    /// Describes a permission and its status.
    public init(_ name: String, _ status: Status) {
      self.name = name
      self.status = status
    }
  }

  /// A page.
  public struct Page: Hashable, DetailedDescription {
    /// Its name.
    public var name: String
    /// The id; nil: the next free one.
    public var id: String?
    /// The kind of page.
    public var category = "Local business"
    package var details = ObjectDetails()
    /// The tasks of users on the page, by the users' keys.
    public var roles: [Named<[String]>] = []
    package var contents = Contents()
    package var instagram: Instagram?
    /// The fields of webhooks to which the application has subscribed; none: it is not installed.
    package var subscribedFields: [String] = []

    /// Describes a page without roles and posts.
    public init(name: String) { self.name = name }
  }

  /// An Instagram account that belongs to a page.
  package struct Instagram: Hashable, DetailedDescription {
    package var username: String
    /// Its name; nil: the page's.
    package var name: String?
    /// The id; nil: the next free one.
    package var id: String?
    /// The captions of its media, the oldest first.
    package var media: [String] = []
    package var details = ObjectDetails()

    package init(username: String) { self.username = username }
  }

  /// A subscription of the application to webhooks.
  package struct Subscription: Hashable, Sendable {
    /// As the parameter `object` of Graph's call.
    package var object = ""
    package var callbackURL = ""
    package var fields: [String] = []
    package var verifyToken: String?
    package var includesValues = true

    package init() {}

    /// As a call of Graph has it.
    var parameters: Parameters {
      var parameters = Parameters()
      let names = fields.joined(separator: ",")
      for (name, value) in [("object", object), ("callback_url", callbackURL), ("fields", names)] {
        parameters.append(name, value)
      }
      parameters.append("include_values", includesValues ? "true" : "false")
      if let verifyToken { parameters.append("verify_token", verifyToken) }
      return parameters
    }

    /// Why Graph would refuse it before the handshake; nil: it would not.
    package var problem: String? {
      Self.problem { () throws(GraphFault) in
        _ = try WebhookSubscription(parameters, version: "")
      }
    }

    /// Why Graph would refuse that a page subscribes to these fields; nil: it would not.
    package static func problem(ofPageFields names: [String]) -> String? {
      problem { () throws(GraphFault) in try WebhookField.check(names, "subscribed_fields") }
    }

    private static func problem(_ check: () throws(GraphFault) -> Void) -> String? {
      do throws(GraphFault) {
        try check()
        return nil
      } catch {
        return error.message
      }
    }
  }

  /// An access token.
  public struct Token: Hashable, Sendable {
    /// The profile that a token belongs to.
    public enum Owner: Hashable, Sendable {
      /// A user, by key.
      case user(String)
      /// A page, by the keys of the page and of a user with a role there.
      case page(String, user: String)
      /// The application.
      case application
    }

    /// The profile that it belongs to.
    public var owner: Owner
    package var state = TokenState.valid
    /// Whether its user is a system user, as businesses have for their programs.
    package var isSystemUser = false
    /// When it expires, in seconds since 1970; nil: never.
    public var expires: Int?

    /// Describes a valid token that never expires.
    public init(_ owner: Owner) { self.owner = owner }
  }
}

/// The state of a token; calls with one that is not `valid` fail with error 190.
package enum TokenState: String, Hashable, Sendable, CaseIterable {
  case valid
  /// It expired before the world's start: subcode 463.
  case expired
  /// It was revoked by a call: subcode 466.
  case revoked
  /// The user has removed the application: subcode 458.
  case removed
  /// The user has to pass a check on facebook.com: subcode 459.
  case checkpoint
  /// The user has changed the password: subcode 460.
  case passwordChanged = "password_changed"
  /// The user has not confirmed the account: subcode 464.
  case unconfirmed
  /// The user has logged out: subcode 467.
  case loggedOut = "logged_out"
  /// The user has not used the application for 90 days: subcode 493.
  case inactive
}
