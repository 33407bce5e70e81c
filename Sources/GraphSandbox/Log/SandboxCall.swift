/// An HTTP call that the sandbox answered, with its operations as they were executed.
///
/// Tokens are masked as `***`.
public struct SandboxCall: Hashable, Sendable {
  /// One operation of a call.
  public struct Operation: Hashable, Sendable {
    /// The name in the batch.
    public let name: String?
    /// As received; in capitals if it is one of Graph's.
    public let method: String
    /// As received, without tokens.
    public let relativeURL: String
    /// With its references resolved; the same as `relativeURL` if it has none or was not run.
    public internal(set) var resolvedURL: String
    /// The parameters of the body with their references resolved, without tokens; nil if it has none.
    public internal(set) var resolvedBody: String?
    /// The item's code; nil if the operation was not run.
    public internal(set) var code: Int?
    /// The value of `depends_on`.
    public let dependsOn: String?
    /// Whether it took effect, whatever its answer is.
    public internal(set) var isApplied = false
    /// The parameters of a write that took effect, as they were executed, without tokens.
    package internal(set) var written: String?
    /// The fault that was injected into it.
    public internal(set) var fault: String?
    /// The code of its error, followed by the subcode if there is one: `190/463`.
    public internal(set) var error: String?
    /// Where the answer may differ from Graph's: the value of `X-GraphFlow-Sandbox`.
    public internal(set) var note: String?
  }

  /// Counts from 1.
  public let number: Int
  /// When it arrived by the world's clock, in seconds since 1970.
  public internal(set) var time = 0
  /// The HTTP method as received.
  public internal(set) var method = ""
  /// The path of the HTTP request, without its query.
  public let path: String
  /// The HTTP status of the whole answer.
  public internal(set) var status = 0
  /// In the batch's order; one for a single call, none if the whole call was refused.
  public internal(set) var operations: [Operation] = []
  /// The fault that was injected into the call.
  public internal(set) var fault: String?
  /// Whether the call carried a batch.
  public let isBatch: Bool
}

extension SandboxCall {
  init(number: Int, _ call: GraphCall, at time: Int) {
    self.init(
      number: number, time: time, method: call.method.excerpt, path: call.path,
      isBatch: call.isBatch)
  }

  var onlyReads: Bool { operations.allSatisfy { $0.method == GraphMethod.get.rawValue } }
}

extension SandboxCall.Operation {
  /// A single call's operation.
  init(_ request: GraphRequest, code: Int? = nil) {
    name = nil
    method = request.method.rawValue
    let shown = request.method == .get ? request.parameters.members[...] : []
    relativeURL = LoggedURL.text(version: nil, path: request.path, query: shown)
    resolvedURL = relativeURL
    dependsOn = nil
    self.code = code
  }

  /// A batch item that was not run.
  init(_ item: BatchItem) {
    name = item.name?.excerpt
    method = item.methodText.excerpt
    relativeURL = item.shownURL
    resolvedURL = relativeURL
    dependsOn = item.dependsOn?.text.excerpt
  }

  /// Records the answer to an operation.
  mutating func record(_ answer: borrowing Answer) {
    code = answer.status
    error = answer.errorCode
    note = answer.note.text
  }
}

extension BatchItem {
  /// The logged parameters of the body with their references resolved; nil if it has none.
  func resolvedBody(_ request: GraphRequest) -> String? {
    let inURL = url.query.count
    guard hasReferences, scannedParameters.dropFirst(inURL).contains(where: \.value.hasReferences)
    else { return nil }
    let text = LoggedURL.text(
      version: nil, path: [], query: request.parameters.members.dropFirst(inURL))
    return String(text.dropFirst())
  }

  /// The logged address with its references resolved; nil if it has none.
  func resolvedURL(_ request: GraphRequest) -> String? {
    guard hasReferences,
      scannedPath.contains(where: \.hasReferences)
        || scannedParameters.prefix(url.query.count).contains(where: \.value.hasReferences)
    else { return nil }
    return LoggedURL.text(
      version: url.version, path: request.path,
      query: request.parameters.members.prefix(url.query.count)
    )
  }
}
