internal import CLibYAML

/// The spans of a file's scalars: what looks like a comment inside one is part of its text.
struct ScalarSpans {
  private var spans: [(start: SourceLocation, end: SourceLocation)] = []

  /// Finds the scalars of a YAML file.
  init(of source: SourceFile) {
    source.bytes.withUnsafeBufferPointer { bytes in
      guard var events = YAMLEvents(bytes) else { return }
      while events.next(), events.event.pointee.type != YAML_STREAM_END_EVENT {
        guard events.event.pointee.type == YAML_SCALAR_EVENT else { continue }
        spans.append((events.start, events.end))
      }
    }
  }

  /// Whether a location is inside a scalar.
  func contains(_ location: SourceLocation) -> Bool {
    var low = 0
    var high = spans.count
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].end <= location { low = middle + 1 } else { high = middle }
    }
    return low < spans.count && spans[low].start <= location
  }
}
