internal import GraphAPI
internal import JSONPath

/// Turns a YAML document into a workflow, and collects every problem.
///
/// A part that cannot be used is reported and left out, so that the rest of the file is still
/// checked. The incomplete workflow is then discarded by `Workflow.reading(_:)`.
struct WorkflowReader: YAMLReading {
  /// A dependency of one node on another, and its location in the file.
  struct Edge {
    let target: Int
    let location: SourceLocation
  }

  let source: SourceFile
  var findings: Findings
  /// The types of the declared inputs; nil for an input with an invalid type.
  var inputTypes: [String: InputType?] = [:]
  /// The requests and groups as written, valid or not.
  var scopes = RequestScopes()
  /// The dependencies of each node of ``scopes``.
  var edges: [[Edge]] = []
  /// The items that are written in the file, by group.
  var literalItems: [Int: LiteralItems] = [:]
  /// The defaults of all requests.
  var defaults = Defaults()
  /// The queries parsed so far: most files repeat a few queries many times.
  var queries: [String: Query] = [:]
  /// How many more group members `depends_on` may refer to.
  var groupDependenciesLeft = LoadingLimits.groupDependencies
  /// Returns what is at a path in the workflow's folder; nil if files are not looked up.
  var filePresence: ((_ path: String) -> FilePresence)?
  /// The file's lines.
  lazy var lines = SourceLines(of: source.bytes)
  /// The comments that look like hashtags.
  lazy var hashComments = HashComments(in: source, lines)

  init(_ source: SourceFile, findings: Findings? = nil) {
    self.source = source
    self.findings = findings ?? Findings(file: source.path)
  }
}

extension WorkflowReader {
  typealias Key<Whole> = YAMLKey<Self, Whole>

  /// The values of `defaults`, and the workflow's own settings for all its requests.
  struct Defaults {
    var version: GraphVersion?
    var token = "default"
    var permissions: [String] = []
    var settings = Settings()
    var headers: [Workflow.Header] = []
  }

  /// How a request is run.
  struct Settings {
    var runsAfterFailure = false
    var retry: RetryPolicy? = .standard
    var timeout = Duration.seconds(60)
    var onError = Workflow.ErrorPolicy.continue
    var isIdempotent = false
    var omitsResponse = false
    var isAlone = false
  }
}

extension WorkflowReader {
  /// Reports a fault of a value.
  mutating func report(_ fault: RuleFault, at location: SourceLocation) {
    report(fault.rule, fault.message, at: location, hint: fault.hint)
  }
}
