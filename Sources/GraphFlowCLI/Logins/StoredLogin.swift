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

  /// Reads the contents of a login's file; the error's description is a part of a sentence.
  init(fileText bytes: [UInt8]) throws(SystemError) {
    guard let facts = try? JSON(parsing: bytes), let format = facts["graphflow_login"]?.integer
    else { throw SystemError("it is not a stored login") }
    guard format == Self.format else { throw SystemError("a later version of graphflow wrote it") }
    guard let profile = facts["profile"]?.string,
      let url = facts["graph_url"]?.string.flatMap({ GraphURL($0) }),
      let token = facts["access_token"]?.string.flatMap({ AccessToken($0) }),
      let obtainedAt = facts["obtained_at"]?.integer
    else { throw SystemError("it is incomplete") }
    self.init(
      profile: profile, graphURL: url, token: token, obtainedAt: obtainedAt,
      facts: TokenFacts(
        user: NamedID(facts["user"]), app: NamedID(facts["app"]),
        end: TokenExpiry(seconds: facts["expires_at"]?.integer),
        dataAccessExpiry: TokenExpiry(seconds: facts["data_access_expires_at"]?.integer),
        scopes: GrantedScopes { status in
          (facts["scopes"]?[status]?.array ?? []).compactMap(\.string)
        }))
  }
}
