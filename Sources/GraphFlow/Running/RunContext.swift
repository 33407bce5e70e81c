package import GraphAPI
package import JSONPath

/// The world that a run happens in, as far as it does not come through `Transport` and `Journal`.
package struct RunContext: Sendable {
  /// The host that is called.
  package var graphURL: GraphURL
  /// The Graph version of workflows that name none.
  package var version: GraphVersion
  /// The secret that turns on `appsecret_proof`.
  package var appSecret: AppSecret?
  /// The app's own token, which may ask what other tokens are good for.
  package var appToken: AccessToken?
  /// The profile that takes the place of the workflow's, if the user chose one.
  package var profile: String?
  /// Whether the host is a sandbox inside the process, which is gone with it.
  package var isRehearsal: Bool
  /// The SHA-256 of each file of items that was looked through before the run, by path.
  package var itemFiles: [String: String]
  /// The folder that relative paths are meant from, for the journal.
  package var workingFolder: String?
  /// The key under which there is at most one run of the file, for the journal.
  package var runKey: String?
  /// What is known to be secret when the run starts.
  package var secrets = SecretMask.empty
  /// Hands out the secrets that the run comes to know, before anything is told that may hold them.
  package var noteSecrets: @Sendable (_ secrets: [String]) -> Void = { _ in }
  /// Obtains a profile's token; asked when the first request needs it, and once more if Graph does
  /// not take that token.
  package var token: @Sendable (_ profile: String) async throws(TokenUnavailable) -> AccessToken
  /// Reads a file inside the workflow's folder.
  package var readFile: @Sendable (_ path: String) throws -> [UInt8]
  /// Opens a file of items inside the workflow's folder.
  package var openItems: @Sendable (_ path: String) throws -> ItemStream

  /// Describes the world of a run.
  package init(
    graphURL: GraphURL,
    version: GraphVersion,
    appSecret: AppSecret? = nil,
    appToken: AccessToken? = nil,
    profile: String? = nil,
    isRehearsal: Bool = false,
    itemFiles: [String: String] = [:],
    workingFolder: String? = nil,
    token: @escaping @Sendable (_ profile: String) async throws(TokenUnavailable) -> AccessToken,
    readFile: @escaping @Sendable (_ path: String) throws -> [UInt8],
    openItems: @escaping @Sendable (_ path: String) throws -> ItemStream = { _ in
      ItemStream { _ in [] }
    }
  ) {
    self.graphURL = graphURL
    self.version = version
    self.appSecret = appSecret
    self.appToken = appToken
    self.profile = profile
    self.isRehearsal = isRehearsal
    self.itemFiles = itemFiles
    self.workingFolder = workingFolder
    self.token = token
    self.readFile = readFile
    self.openItems = openItems
  }
}

/// Why a profile gives no token.
package struct TokenUnavailable: Error, Hashable, Sendable {
  /// What is wrong, without any part of a token.
  package let message: String
  /// How to mend it.
  package let hint: String

  /// Says why a profile gives no token.
  package init(message: String, hint: String) {
    self.message = message
    self.hint = hint
  }
}

/// A file of items that is being read.
package struct ItemStream {
  /// Reads up to so many items more; none are the end.
  package let next: (_ count: Int) throws -> [JSON]

  /// Wraps a function that reads.
  package init(next: @escaping (_ count: Int) throws -> [JSON]) {
    self.next = next
  }

  /// Wraps a reader; what is wrong is thrown once the items before it were handed out.
  ///
  /// - Parameters:
  ///   - reader: Throws the same problem again when it is asked again.
  ///   - described: Adds to a problem what is known of its place.
  package init(_ reader: ItemReader, described: @escaping (any Error) -> any Error = { $0 }) {
    var reader = reader
    next = { count in
      var items: [JSON] = []
      do {
        while items.count < count, let item = try reader.next() { items.append(item) }
      } catch {
        if items.isEmpty { throw described(error) }
      }
      return items
    }
  }

  /// Reads a whole file; the end of its name says how.
  init(path: String, bytes: [UInt8]) throws {
    guard let format = ItemReader.Format(fileName: path) else {
      throw ItemsUnreadable(message: "'\(path)' does not end in .csv, .json or .jsonl")
    }
    var rest = bytes[...]
    self.init(
      ItemReader(format) { size in
        defer { rest = rest.dropFirst(size) }
        return Array(rest.prefix(size))
      }
    )
  }
}
