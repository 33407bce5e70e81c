import GraphAPI
import JSONPath

/// A stored login: a token, and the facts about it.
struct StoredLogin: Sendable, Hashable {
  let profile: String
  /// The address to which its token is sent; it is never sent elsewhere.
  let graphURL: GraphURL
  let token: AccessToken
  /// When it was obtained, in seconds since 1970.
  var obtainedAt: Int
  /// What Graph reported about it at the login, except its type.
  var facts = TokenFacts()
}

/// An object of Graph with an id, and a name if known.
struct NamedID: Sendable, Hashable {
  let id: String
  var name: String?
  var text: String { name.map { "\($0) (\(id))" } ?? id }
}

/// The permissions that an app asked for, by what the person decided.
struct GrantedScopes: Sendable, Hashable {
  var granted: [String] = []
  var declined: [String] = []
  var expired: [String] = []

  func missing(from wanted: [String]) -> [String] { wanted.filter { !granted.contains($0) } }
}

extension GrantedScopes {
  init(_ names: (_ status: String) -> [String]) {
    self.init(granted: names("granted"), declined: names("declined"), expired: names("expired"))
  }
}

extension StoredLogin {
  private static let format = 1

  /// The contents of the login's file, the only place where its token is written.
  var fileText: String {
    var members: JSON.Object = [
      "graphflow_login": .number(.init(Self.format)), "profile": .string(profile),
      "graph_url": .string(graphURL.description), "access_token": .string(token.exposed),
      "obtained_at": .number(.init(obtainedAt)),
    ]
    members["expires_at"] = facts.end.seconds.map { .number(.init($0)) }
    members["data_access_expires_at"] = facts.dataAccessExpiry.seconds.map { .number(.init($0)) }
    members["user"] = facts.user?.json
    members["app"] = facts.app?.json
    members["scopes"] = facts.scopes.json
    return JSON.object(members).serialized(pretty: true) + "\n"
  }

  init(fileText bytes: [UInt8]) throws(LoginFault) {
    guard let facts = try? JSON(parsing: bytes), let format = facts["graphflow_login"]?.integer
    else { throw LoginFault(message: "it is not a stored login") }
    guard format == Self.format else {
      throw LoginFault(message: "a later version of graphflow wrote it")
    }
    guard let profile = facts["profile"]?.string,
      let url = facts["graph_url"]?.string.flatMap({ GraphURL($0) }),
      let token = facts["access_token"]?.string.flatMap({ AccessToken($0) }),
      let obtainedAt = facts["obtained_at"]?.integer
    else { throw LoginFault(message: "it is incomplete") }
    self.init(
      profile: profile, graphURL: url, token: token, obtainedAt: obtainedAt,
      facts: TokenFacts(
        user: NamedID(facts["user"]), app: NamedID(facts["app"]),
        end: TokenExpiry(seconds: facts["expires_at"]?.integer),
        dataAccessExpiry: TokenExpiry(seconds: facts["data_access_expires_at"]?.integer),
        scopes: GrantedScopes(facts["scopes"])))
  }
}

/// What is wrong with a login's file, as a part of a sentence.
struct LoginFault: Error {
  let message: String
}

extension NamedID {
  /// `{"id": …, "name": …}`.
  var json: JSON { ["id": .string(id), "name": name.map(JSON.string) ?? .null] }

  init?(_ json: JSON?) {
    guard let id = json?["id"]?.string else { return nil }
    self.init(id: id, name: json?["name"]?.string)
  }
}

extension GrantedScopes {
  /// `{"granted": […], "declined": […], "expired": […]}`.
  var json: JSON {
    [
      "granted": .array(granted.map(JSON.string)), "declined": .array(declined.map(JSON.string)),
      "expired": .array(expired.map(JSON.string)),
    ]
  }

  init(_ json: JSON?) { self.init { status in (json?[status]?.array ?? []).compactMap(\.string) } }
}
