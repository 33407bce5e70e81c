package import GraphAPI
package import JSONPath

/// The environment of a run, besides `Transport` and `Journal`.
package struct RunContext: Sendable {
  /// The host that is called.
  package var graphURL: GraphURL
  /// The Graph version of workflows without a version of their own.
  package var version: GraphVersion
  /// The secret that turns on `appsecret_proof`.
  package var appSecret: AppSecret?
  /// The app's own token, which may inspect other tokens.
  package var appToken: AccessToken?
  /// The profile that replaces the workflow's, if the user chose one.
  package var profile: String?
  /// Whether the host is a sandbox inside the process, which ends with the process.
  package var isSandboxRun: Bool
  /// The SHA-256 of each file of items that was checked before the run, by path.
  package var itemFiles: [String: String]
  /// What only the journal has to know.
  package var noted = Noted()
  /// The windows that other runs have read, by the index of the group.
  package var bookmarks: [Int: Bookmarks] = [:]
  /// The secrets that are known when the run starts.
  package var secrets = SecretMask.empty
  /// Registers secrets that the run has found, before it writes anything that may hold them.
  package var registerSecrets: @Sendable (_ secrets: [String]) -> Void = { _ in }
  /// Obtains a profile's token: before the first request that needs it, and again if Graph refuses
  /// the token.
  package var token: @Sendable (_ profile: String) async throws(TokenUnavailable) -> AccessToken
  /// Reads a file inside the workflow's folder.
  package var readFile: @Sendable (_ path: String) throws -> [UInt8]
  /// Opens a file of items inside the workflow's folder.
  package var openItems: @Sendable (_ path: String) throws -> ItemStream

  package init(
    graphURL: GraphURL, version: GraphVersion, appSecret: AppSecret? = nil,
    appToken: AccessToken? = nil, profile: String? = nil, isSandboxRun: Bool = false,
    itemFiles: [String: String] = [:],
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
    self.isSandboxRun = isSandboxRun
    self.itemFiles = itemFiles
    self.token = token
    self.readFile = readFile
    self.openItems = openItems
  }
}

extension RunContext {
  /// What only the journal has to know.
  package struct Noted: Sendable {
    /// The base of relative paths.
    package var workingFolder: String?
    /// The key with which the file may be run at most once.
    package var runKey: String?
    /// The id of the job that the run is a part of.
    package var job: String?
    /// The number of requests, if it is known before the run.
    package var total: Int?

    package init() {}
  }
}

/// Why the token of a profile cannot be obtained.
package struct TokenUnavailable: Error, Hashable, Sendable {
  /// The problem, without any part of a token.
  package let message: String
  package let hint: String

  package init(message: String, hint: String) {
    self.message = message
    self.hint = hint
  }
}

/// A file of items that is being read.
package struct ItemStream {
  /// Reads the next items, at most `count`; an empty result is the end.
  package let next: (_ count: Int) throws -> [JSON]

  /// Wraps a function that reads items.
  package init(next: @escaping (_ count: Int) throws -> [JSON]) { self.next = next }

  /// Wraps a reader that throws the same error whenever it is called again.
  ///
  /// An error is thrown after the items before it were returned; `described` adds its location.
  package init(_ reader: ItemReader, described: @escaping (any Error) -> any Error = { $0 }) {
    var reader = reader
    next = { count in
      var items: [JSON] = []
      do {
        try reader.read(count, into: &items)
      } catch {
        if items.isEmpty { throw described(error) }
      }
      return items
    }
  }

  /// Reads the contents of a file; the extension of its name selects the format.
  init(path: String, bytes: [UInt8]) throws {
    guard let format = ItemReader.Format(fileName: path) else {
      throw ItemsUnreadable(message: "'\(path)' does not end in .csv, .json or .jsonl")
    }
    var rest = bytes[...]
    self.init(
      ItemReader(format) { size in
        defer { rest = rest.dropFirst(size) }
        return Array(rest.prefix(size))
      })
  }
}

/// Why the items of a group cannot be read.
package struct ItemsUnreadable: Error, Hashable, Sendable {
  /// The problem, with its location in the file.
  package let message: String

  package init(message: String) { self.message = message }
}
