/// Formats durations.
enum ElapsedTime {
  /// Milliseconds as `412 ms`, `1.2 s`, `2 min 5 s` or `3 h 12 min`.
  static func text(milliseconds: Int64) -> String {
    let milliseconds = max(0, milliseconds)
    let seconds = milliseconds / 1000
    return switch milliseconds {
    case ..<1000: "\(milliseconds) ms"
    case ..<60_000: "\(seconds).\(milliseconds % 1000 / 100) s"
    case ..<3_600_000: "\(seconds / 60) min \(seconds % 60) s"
    default: "\(seconds / 3600) h \(seconds / 60 % 60) min"
    }
  }
}
