/// The session and version of a read, its warnings, and the work it has done.
struct ReadScope {
  let session: Session?
  let version: String
  /// The errors of lists that were hidden for a missing permission; `debug=all` shows them.
  private(set) var warnings: [String] = []
  private var work = 0

  /// The most work of one request: an object costs ten, and each field one.
  static let workLimit = 400_000

  init(session: Session?, version: String) {
    self.session = session
    self.version = version
  }

  mutating func warn(_ text: String) {
    if warnings.count < 50, !warnings.contains(text) { warnings.append(text) }
  }

  /// Counts work; without a limit nested fields would multiply without bound.
  mutating func count(_ amount: Int) throws(GraphFault) {
    work += amount
    guard work <= Self.workLimit else { throw .tooMuchData }
  }
}
