/// The requests and groups of a workflow that are run.
package enum WorkflowPart: Hashable, Sendable {
  case whole
  /// These, and what they depend on.
  case only([String])
  /// These, and what depends on them; the outcomes of what they depend on come from an earlier run.
  case from([String])

  package var names: [String] {
    switch self {
    case .whole: []
    case .only(let names), .from(let names): names
    }
  }
}
