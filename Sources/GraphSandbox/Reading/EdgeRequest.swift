/// A read of one edge.
struct EdgeRequest {
  let edge: Edge
  /// `limit`, `after`, `before`, `summary` and whatever else; links repeat them.
  let parameters: Parameters
  let selection: FieldSelection?

  /// Whether the answer tells how many objects the edge has.
  var summarizes: Bool {
    edge.alwaysSummarizes || ["true", "1", "total_count"].contains(parameters["summary"] ?? "")
  }
}
