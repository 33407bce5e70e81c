/// A read of one edge.
struct EdgeRequest {
  let edge: Edge
  /// `limit`, `after`, `before`, `summary` and others; paging links repeat them.
  let parameters: Parameters
  let selection: FieldSelection?

  /// The times from `since` to `until`; nil without both (docs/internals/graph-api.md,
  /// Reading).
  var times: ClosedRange<Int>? {
    get throws(GraphFault) {
      guard parameters["since"] != nil || parameters["until"] != nil else { return nil }
      let since = try Self.time("since", parameters) ?? 0
      let until = try Self.time("until", parameters) ?? .max
      return since...max(since, until)
    }
  }

  private static func time(_ name: String, _ parameters: Parameters) throws(GraphFault) -> Int? {
    guard let text = parameters[name], !text.isEmpty else { return nil }
    guard let time = GraphTime.seconds(text) else {
      throw .parameterMalformed(name, "a UNIX timestamp or a date")
    }
    return time
  }

  /// Whether the answer includes the number of objects.
  var summarizes: Bool {
    edge.alwaysSummarizes || ["true", "1", "total_count"].contains(parameters["summary"] ?? "")
  }
}
