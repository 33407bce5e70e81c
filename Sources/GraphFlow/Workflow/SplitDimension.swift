/// What a read that Graph refuses is divided by: a word of `split`.
package enum SplitDimension: String, Hashable, Sendable, CaseIterable {
  /// The days of `time_range`.
  case window
  /// The objects in the parameter `ids`, or in a condition of `filtering`.
  case ids
  /// The names in the parameter `fields` or `metric`.
  case fields
}
