/// The arithmetic of slices (RFC 9535 §2.3.4.2.2).
enum Slice {
  /// The positions that a slice selects of `count` elements, in its order; none if `step` is 0.
  static func positions(
    start: Int?,
    end: Int?,
    step: Int,
    of count: Int
  ) -> StrideTo<Int> {
    guard step != 0 else { return stride(from: 0, to: 0, by: 1) }
    let first = step > 0 ? 0 : count - 1
    let last = step > 0 ? count : -1
    /// A bound from the front, kept within what `step` can reach.
    func bound(_ written: Int?, or open: Int) -> Int {
      guard let written else { return open }
      let position = written < 0 ? written + count : written
      return min(max(position, min(first, last)), max(first, last))
    }
    return stride(from: bound(start, or: first), to: bound(end, or: last), by: step)
  }
}
