internal import CLibYAML

/// Where a file's values of text stand: what looks like a comment there is none.
struct ScalarSpans {
  private typealias Mark = (line: Int, column: Int)

  private var spans: [(start: Mark, end: Mark)] = []

  /// Finds the values of a file that is YAML.
  init(of source: SourceFile) {
    source.bytes.withUnsafeBufferPointer { bytes in
      guard var events = YAMLEvents(bytes) else { return }
      while events.next() {
        switch events.event.pointee.type {
        case YAML_SCALAR_EVENT:
          let (start, end) = (events.event.pointee.start_mark, events.event.pointee.end_mark)
          spans.append(
            (
              (Int(clamping: start.line), Int(clamping: start.column)),
              (Int(clamping: end.line), Int(clamping: end.column))
            )
          )
        case YAML_STREAM_END_EVENT: return
        default: continue
        }
      }
    }
  }

  /// Whether a place lies in a value.
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
