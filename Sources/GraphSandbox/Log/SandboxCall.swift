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
    /// The item's code; nil if the operation was not run.
    public internal(set) var code: Int?
    /// The value of `depends_on`.
    public let dependsOn: String?
    /// Whether it took effect, whatever its answer is.
    public internal(set) var isApplied = false
    /// The fault that was injected into it.
    public internal(set) var fault: String?
    /// The code of its error, followed by the subcode if there is one: `190/463`.
    public internal(set) var error: String?
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
