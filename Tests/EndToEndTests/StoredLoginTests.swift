import CommandHarness
import GraphAPI
import JSONPath
import TestSupport
import Testing

@testable import GraphFlowCLI

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Where logins are stored, and when they are not read.
struct StoredLoginTests {
  private let folder: TemporaryFolder
  private let store: LoginStore
  private let url: GraphURL
  private static let now = 1_800_000_000

  init() throws {
    folder = try TemporaryFolder()
    store = LoginStore(folder: folder.path + "/graphflow/logins")
    url = try #require(GraphURL("http://127.0.0.1:8080"))
  }

  private func login(_ profile: String = "default", end: TokenExpiry = .never) throws -> StoredLogin
  {
    StoredLogin(
      profile: profile, graphURL: url, token: try #require(AccessToken("EAAcanary4711")),
      obtainedAt: Self.now,
      facts: TokenFacts(
        user: NamedID(id: "7", name: "Alex \"✓\""), app: NamedID(id: "42"), end: end,
        dataAccessExpiry: .at(Self.now + 1),
        scopes: GrantedScopes(granted: ["email"], declined: ["user_likes"], expired: [])))
  }

  private func failure(_ profile: String = "default", at url: GraphURL? = nil) -> CommandFailure? {
    do {
      _ = try store.login(of: profile, at: url ?? self.url, now: Self.now)
      return nil
    } catch { return error as? CommandFailure }
  }

  private var file: String { "graphflow/logins/default@http%3A%2F%2F127.0.0.1%3A8080.json" }

  @Test(arguments: ["default", "a/../b", "ä ✓", "-x", "a@b", "COM1:"])
  func `a login is read as it was written, and only its owner may read it`(_ profile: String) throws
  {
    let login = try login(profile)
    try store.save(login)
    try store.save(login)

    #expect(try store.login(of: profile, at: url, now: Self.now) == login)
    #expect(folder.files().count == 2)
    for path in folder.files(withFolders: true) {
      #expect(folder.mode(of: path) & 0o077 == 0, "\(path)")
    }
    #expect(try store.remove(profile, at: url))
    #expect(try !store.remove(profile, at: url))
    #expect(!store.hasLogin(for: profile))
  }

  @Test(arguments: ["", "..", ".hidden", String(repeating: "x", count: 121)])
  func `a profile that cannot be a file name is refused`(_ profile: String) {
    #expect(failure(profile)?.status == .usage)
  }

  @Test func `a login is read only for its own host`() throws {
    try store.save(try login())

    let other = failure(at: .standard)
    // Not even if someone moves the file to the path of another host's login.
    let path = folder.path + "/graphflow/logins/"
    #expect(rename(folder.path + "/" + file, path + "default@graph.facebook.com.json") == 0)
    let moved = failure(at: .standard)

    #expect(other?.status == .notPermitted)
    #expect(other?.message.contains("only for http://127.0.0.1:8080") == true)
    #expect(moved?.status == .misconfigured)
    #expect(moved?.message.contains("another profile or host") == true)
  }

  @Test func `an expired login shows how to log in again`() throws {
    try store.save(try login(end: .at(Self.now)))
    let over = failure()
    try store.save(try login(end: .at(Self.now + 1)))

    #expect(over?.status == .notPermitted)
    #expect(over?.message.contains("the login expired on 2027-01-15") == true)
    #expect(
      over?.hint
        == "log in again: graphflow login --profile default --graph-url http://127.0.0.1:8080")
    #expect(failure() == nil)
  }

  @Test(arguments: ["graphflow/logins", "file"])
  func `a login that others may read is not used, and can be removed`(_ part: String) throws {
    try store.save(try login())
    let path = folder.path + "/" + (part == "file" ? file : part)
    for mode: mode_t in [0o604, 0o640, 0o602, 0o777] {
      chmod(path, mode | 0o100)
      #expect(failure()?.status == .misconfigured)
      #expect(failure()?.message.contains("can be read by users other than") == true)
    }
    #expect(try store.remove("default", at: url))
  }

  @Test(arguments: [
    "", "{", "[]", "{}", #"{"graphflow_login":2}"#, #"{"graphflow_login":1,"profile":"default"}"#,
    #"{"graphflow_login":1,"profile":"default","graph_url":"x","access_token":"EAAcanary4711"}"#,
    #"{"graphflow_login":1,"profile":"default","graph_url":"http://127.0.0.1:8080","access_token":"a b","obtained_at":1}"#,
  ])
  func `a damaged login is reported without its content`(_ text: String) throws {
    try store.save(try login())
    unlink(folder.path + "/" + file)
    try folder.write(text, to: file, mode: 0o600)

    let failure = failure()

    #expect(failure?.status == .misconfigured)
    #expect(failure?.message.contains("EAA") == false)
    #expect(failure?.hint?.contains("graphflow login") == true)
  }

  @Test func `extreme times do not trap`() throws {
    for end in [Int.min, -1, 1, .max] {
      let text = try login(end: .at(end)).fileText
      let login = try StoredLogin(fileText: Array(text.utf8))
      #expect(login.facts.end == .at(end))
      for now in [Int.min, 0, .max] {
        let identity = Identity(
          profile: login.profile, source: .login, graphURL: login.graphURL, facts: login.facts)
        #expect(!identity.text(now: now).isEmpty)
        #expect(identity.json(now: now)["expires_at"]?.integer == end)
      }
    }
  }
}
