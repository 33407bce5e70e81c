internal import CLibYAML

/// The spans of a file's scalars: what looks like a comment inside one is part of its text.
struct ScalarSpans {
  private typealias Mark = (line: Int, column: Int)

  private var spans: [(start: Mark, end: Mark)] = []

  /// Finds the scalars of a YAML file.
  init(of source: SourceFile) {
    source.bytes.withUnsafeBufferPointer { bytes in
      guard var events = YAMLEvents(bytes) else { return }
      while events.next() {
        switch events.event.pointee.type {
        case YAML_SCALAR_EVENT:
          let event = events.event.pointee
          spans.append((Self.mark(event.start_mark), Self.mark(event.end_mark)))
        case YAML_STREAM_END_EVENT: return
        default: continue
        }
      }
    }
  }

  private static func mark(_ mark: yaml_mark_t) -> Mark {
    (Int(clamping: mark.line), Int(clamping: mark.column))
  }

  /// Whether a location is inside a scalar.
  func contains(_ location: SourceLocation) -> Bool {
    let mark = (location.line - 1, location.column - 1)
    var low = 0
    var high = spans.count
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].end <= mark { low = middle + 1 } else { high = middle }
    }
    return low < spans.count && spans[low].start <= mark
  }
}
