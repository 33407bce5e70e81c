/// What a read goes by, and how much it has looked at.
struct ReadScope {
  let session: Session?
  let version: String
  /// What was left out for want of a permission; `debug=all` tells.
  private(set) var warnings: [String] = []
  private var work = 0

  /// How much one request may ask for: an object is ten and one for each field.
  static let workLimit = 400_000

  init(session: Session?, version: String) {
    self.session = session
    self.version = version
  }

  mutating func warn(_ text: String) {
    if warnings.count < 50, !warnings.contains(text) { warnings.append(text) }
  }

  /// Counts what has been done; nested fields would otherwise multiply without bound.
  mutating func count(_ amount: Int) throws(GraphFault) {
    work += amount
    guard work <= Self.workLimit else { throw .tooMuchData }
  }
}
