/// An HTTP call that the sandbox answered, with its operations as they were executed.
///
/// Holds no tokens: their values are written as `***`.
public struct SandboxCall: Hashable, Sendable {
  /// One operation of a call.
  public struct Operation: Hashable, Sendable {
    /// The name in the batch.
    public let name: String?
    /// As received, in capitals where it is one of Graph's.
    public let method: String
    /// As received, without tokens.
    public let relativeURL: String
    /// With its references resolved; the same as `relativeURL` where it has none or was not run.
    public internal(set) var resolvedURL: String
    /// The item's code; nil if the operation was not run.
    public internal(set) var code: Int?
    /// What the operation names in `depends_on`.
    public let dependsOn: String?
    /// Whether it took effect, whatever its answer says.
    public internal(set) var isApplied = false
    /// What went wrong with it because a fault says so.
    public internal(set) var fault: String?
    /// The code of its error, with the subcode if there is one: `190/463`.
    public internal(set) var error: String?
  }

  /// Counts from 1.
  public let number: Int
  /// When it came, in seconds since 1970 of the world's time.
  public internal(set) var time = 0
  /// The HTTP method as received.
  public internal(set) var method = ""
  /// The path of the HTTP request, without its query.
  public let path: String
  /// The HTTP status of the whole answer.
  public internal(set) var status = 0
  /// In the batch's order; one for a single call, none for a call that was refused as a whole.
  public internal(set) var operations: [Operation] = []
  /// What went wrong with the call because a fault says so.
  public internal(set) var fault: String?
  /// Whether the call carried a batch.
  public let isBatch: Bool
}
