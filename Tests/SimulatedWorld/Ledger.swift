/// The record of everything that happened in the model of Graph.
struct Ledger: Sendable {
  /// A write that took effect.
  struct Effect: Sendable {
    /// The mark of the request.
    let reference: String
    let id: String
    /// The place and the text; equal for writes that no one can distinguish.
    let content: String
    let at: Duration
    /// Whether reads show it later than the workflow allows for: then no check can find it in time,
    /// and only Graph's own refusal of repetitions protects it.
    var isHidden = false
  }

  /// An operation that has reached Graph.
  struct Arrival: Sendable {
    let reference: String
    /// The process that sent it.
    let process: Int
    /// The number of rows in its journal.
    let rows: Int
    /// The operations that succeeded before it in the same call.
    let predecessors: [String]
    let at: Duration
    /// Whether it was sent during a pause that Graph announced in an answer that this process read.
    let isTooEarly: Bool
    /// Whether Graph has processed it, and not refused the whole call.
    let isWorkedOn: Bool
    /// Its token.
    var token: String?
    /// Its path, and the value that it sends along from a read.
    var path = ""
    var note: String?

    /// Whether it reads the tokens of pages, for the workflow or for the product.
    var isOfAccounts: Bool { ["directory", "me/accounts"].contains(reference) }
  }

  /// A post of others with the text of a write of the run.
  struct OtherPost: Sendable {
    let id: String
    /// When it was made.
    let at: Duration
    /// The time from which reads show it.
    let visibleFrom: Duration
  }

  var effects: [Effect] = []
  /// The posts of others that look like ours, by place and text.
  var otherPosts: [String: [OtherPost]] = [:]
  /// When each write was sent for the first time.
  var firstSends: [String: Duration] = [:]
  var arrivals: [Arrival] = []

  /// The number of times that a write took effect.
  func count(of reference: String) -> Int { effects.count { $0.reference == reference } }
}
