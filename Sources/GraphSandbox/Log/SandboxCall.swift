/// An HTTP call that the sandbox answered, with its operations as they were executed.
///
/// Holds no tokens: their values are written as `***`.
package struct SandboxCall: Hashable, Sendable {
  /// One operation of a call.
  package struct Operation: Hashable, Sendable {
    /// The name in the batch.
    package let name: String?
    /// As received, in capitals where it is one of Graph's.
    package let method: String
    /// As received, without tokens.
    package let relativeURL: String
    /// With its references resolved; the same as `relativeURL` where it has none or was not run.
    package internal(set) var resolvedURL: String
    /// The item's code; nil if the operation was not run.
    package internal(set) var code: Int?
    /// What the operation names in `depends_on`.
    package let dependsOn: String?
    /// Whether it took effect, whatever its answer says.
    package internal(set) var isApplied = false
    /// What went wrong with it because a fault says so.
    package internal(set) var fault: String?
    /// The code of its error, with the subcode if there is one: `190/463`.
    package internal(set) var error: String?
  }

  /// Counts from 1.
  package let number: Int
  /// When it came, in seconds since 1970 of the world's time.
  package internal(set) var time = 0
  /// The HTTP method as received.
  package internal(set) var method = ""
  /// The path of the HTTP request, without its query.
  package let path: String
  /// The HTTP status of the whole answer.
  package internal(set) var status = 0
  /// In the batch's order; one for a single call, none for a call that was refused as a whole.
  package internal(set) var operations: [Operation] = []
  /// What went wrong with the call because a fault says so.
  package internal(set) var fault: String?
  /// Whether the call carried a batch.
  package let isBatch: Bool
}
