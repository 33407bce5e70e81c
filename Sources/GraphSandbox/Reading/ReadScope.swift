/// What a read goes by, and how much it has looked at.
struct ReadScope {
  let session: Session?
  let version: String
  private var visits = 0

  /// How many objects one request may return, nested ones included.
  static let visitLimit = 20_000

  init(session: Session?, version: String) {
    self.session = session
    self.version = version
  }

  /// Counts an object.
  mutating func visit() throws(GraphFault) {
    visits += 1
    guard visits <= Self.visitLimit else { throw .tooMuchData }
  }
}
