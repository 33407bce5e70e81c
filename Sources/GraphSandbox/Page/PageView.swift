/// What the sandbox's page shows: a part of its world, without tokens.
struct PageView: Sendable {
  /// A device that waits for somebody to enter its code.
  struct Device: Sendable {
    let userCode: String
    let scopes: [String]
    /// Seconds until the code is worth nothing.
    let secondsLeft: Int
  }

  /// A user and what it has answered the application.
  struct Person: Sendable {
    let id: String
    let name: String
    let permissions: [Permission]
  }

  /// A token, told by something else than itself.
  struct Token: Sendable {
    /// Names it in a form; nothing can be learned of the token from it.
    let handle: String
    let name: String
    let kind: String
    let state: String
    /// Whether calls with it are answered.
    let isValid: Bool
    /// When it ends; nil: never.
    let expires: Int?
  }

  /// What is used of a limit.
  struct Limit: Sendable {
    let kind: String
    let whose: String
    let load: UsageLoad
    /// Minutes until calls are answered again; 0 if they are.
    let minutesBlocked: Int
  }

  /// A user, page or account with the newest of what it has published.
  struct Profile: Sendable {
    struct Post: Sendable {
      let id: String
      let text: String
      let likes: Int
      let comments: Int
    }

    let id: String
    let name: String
    let type: String
    let postCount: Int
    let posts: [Post]
  }

  let application: String
  let address: String
  /// Seconds since 1970 of the world's time.
  let time: Int
  /// Kinds of objects and how many there are, most first.
  let counts: [(type: String, count: Int)]
  let devices: [Device]
  let people: [Person]
  let tokens: [Token]
  let limits: [Limit]
  let profiles: [Profile]
  /// Newest first.
  let calls: [SandboxCall]
  /// How many calls were answered.
  let callCount: Int
}
