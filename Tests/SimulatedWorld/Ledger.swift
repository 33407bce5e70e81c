/// What the model of Graph knows for certain: the truth that everything is measured by.
struct Ledger: Sendable {
  /// Something that took effect.
  struct Effect: Sendable {
    /// Whose it is: the mark that the request carried.
    let reference: String
    let id: String
    /// Where it was posted and what; equal for writes that nobody could tell apart.
    let content: String
    let at: Duration
    /// Whether reads show it later than the workflow allows for: then nobody can find it in time,
    /// and only Graph's own refusal of repetitions is left.
    var isHidden = false
  }

  /// An operation that has come to Graph.
  struct Arrival: Sendable {
    let reference: String
    /// The process that sent it.
    let life: Int
    /// How many rows its journal had.
    let rows: Int
    /// What succeeded before it in the same call.
    let predecessors: [String]
    let at: Duration
    /// Whether Graph had asked to be left alone for longer, by an answer that this process has read.
    let isTooEarly: Bool
    /// Whether Graph has looked at it; it does not if it refuses the whole call.
    let isWorkedOn: Bool
    /// What it was allowed with.
    var token: String?
  }

  /// A post of others that says what a write of the run says.
  struct Stranger: Sendable {
    let id: String
    /// When it was made.
    let at: Duration
    /// From when on reads show it.
    let visibleFrom: Duration
  }

  var effects: [Effect] = []
  /// The posts of others that could be taken for ours, by place and text.
  var strangers: [String: [Stranger]] = [:]
  /// When each write was sent for the first time.
  var firstSends: [String: Duration] = [:]
  var arrivals: [Arrival] = []

  /// How often a write took effect.
  func count(of reference: String) -> Int { effects.count { $0.reference == reference } }
}
