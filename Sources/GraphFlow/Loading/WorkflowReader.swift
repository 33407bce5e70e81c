internal import GraphAPI
internal import JSONPath

/// Turns located values into a workflow, and notes all that is wrong with them.
///
/// A part that cannot be used is reported and left out, so that the others are still checked; what
/// is made then is not a sound workflow, and `Workflow.reading(_:)` throws it away.
struct WorkflowReader: YAMLReading {
  /// That one node waits for another, and where the file says so.
  struct Edge {
    let target: Int
    let location: SourceLocation
  }

  let source: SourceFile
  var findings: Findings
  /// The types of the declared inputs; nil for one whose declaration is wrong.
  var inputTypes: [String: InputType?] = [:]
  /// The requests and groups as written, well-formed or not.
  var scopes = RequestScopes()
  /// The requests that do not keep their bodies.
  var omittingRequests: Set<Int> = []
  /// What each node of ``scopes`` waits for.
  var edges: [[Edge]] = []
  /// The items that are written in the file, by group.
  var literalItems: [Int: LiteralItems] = [:]
  /// What requests get that do not say otherwise.
  var defaults = Defaults()
  /// The queries that have been read: most files use the same few again and again.
  var queries: [String: Query] = [:]
  var comparisonsLeft = LoadingLimits.comparisons
  /// How many more members of groups `depends_on` may stand for.
  var groupDependenciesLeft = LoadingLimits.groupDependencies
  /// Tells what is at a path in the workflow's folder; nil if nobody looks.
  var filePresence: ((_ path: String) -> FilePresence)?
  /// The file's lines; found out when the first one is needed.
  lazy var lines = SourceLines(of: source.bytes)
  /// Where comments look like hashtags; found out when the first text is read.
  lazy var hashComments = HashComments(in: source, lines)

  init(_ source: SourceFile, findings: Findings? = nil) {
    self.source = source
    self.findings = findings ?? Findings(file: source.path)
  }
}

extension WorkflowReader {
  typealias Key<Whole> = YAMLKey<Self, Whole>

  /// What `defaults` says, and what the workflow says for all its requests.
  struct Defaults {
    var version: GraphVersion?
    var token = "default"
    var permissions: [String] = []
    var settings = Settings()
    var headers: [Workflow.Header] = []
  }
  /// What is said about how a request is run.
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
