/// The arithmetic of slices (RFC 9535 §2.3.4.2.2).
enum Slice {
  /// The positions that a slice selects from `count` elements, in its order; empty if `step` is 0.
  static func positions(start: Int?, end: Int?, step: Int, of count: Int) -> StrideTo<Int> {
    guard step != 0 else { return stride(from: 0, to: 0, by: 1) }
    let first = step > 0 ? 0 : count - 1
    let last = step > 0 ? count : -1
    /// A bound counted from the front and clamped to the range that `step` can reach.
    func bound(_ bound: Int?, default: Int) -> Int {
      guard let bound else { return `default` }
      let position = bound < 0 ? bound + count : bound
      return min(max(position, min(first, last)), max(first, last))
    }
    return stride(from: bound(start, default: first), to: bound(end, default: last), by: step)
  }
}
