import ArgumentParser
import GraphAPI
import GraphFlow
import JSONPath

/// One request from the shell; prints the body of its answer.
struct SingleCall: Sendable {
  private static let (timeout, uploadTimeout) = (Duration.seconds(60), Duration.seconds(600))
  private let operation: BatchOperation
  private let query: Query?
  private let isRaw: Bool
  /// Nil for one answer as it is.
  private let pagination: Workflow.Pagination?
  private let version: GraphVersion?
  private let target: GraphTarget

  /// Checks everything that can be checked before a byte is sent.
  init(
    _ method: OperationMethod, _ options: CallOptions, pagination: Workflow.Pagination? = nil
  ) throws {
    self.pagination = pagination
    self.query = try options.select.map { try QueryText.parsed($0) }
    self.isRaw = options.raw
    self.version = options.version.flatMap { GraphVersion($0) }
    var operation = BatchOperation(method: method, path: try SingleCall.path(options.path))
    for parameter in options.parameters {
      if method == .post, let file = try parameter.file() {
        operation.files.append(file)
      } else {
        let value = method == .post ? try parameter.inputValue() : parameter.value
        operation.parameters.append(.init(name: parameter.name, value: value))
      }
    }
    self.operation = operation
    self.target = try GraphTarget(
      options.graph, printer: options.verbose ? ExchangeRecorder() : nil)
  }

  /// Sends the request and prints the answer's body, tokens in it as `***`.
  func run() throws {
    try target.run { settings, _ in
      try await send(with: settings)
      return .succeeded
    }
  }

  private func send(with settings: Settings) async throws {
    if let refusal = settings.requestGuard.refusal(of: operation) {
      throw CommandFailure(
        .misconfigured, "the guard of this machine refuses it: \(refusal); nothing was sent",
        hint: "the rules are `allow` and `deny` in the configuration")
    }
    let token = try settings.tokens.token(for: settings.profile ?? "default")
    let mask = ProcessRedactor.known
    let response: OperationResponse
    do {
      response = try await HTTPClientTransport.withTransport(route: settings.route) { transport in
        let transport = transport.recorded(by: target.recorders)
        return try await answer { operation in
          let request = SingleRequest(
            operation: operation, accessToken: token,
            version: version ?? settings.version ?? .current, appSecret: settings.appSecret)
          let answer = try await transport.send(
            request.wireRequest(to: settings.graphURL),
            timeout: operation.files.isEmpty ? SingleCall.timeout : SingleCall.uploadTimeout)
          guard case .items(let items) = request.answer(from: answer),
            case .response(let response)? = items.first
          else { throw uncertainFailure("the answer holds no response") }
          return response
        }
      }
    } catch let failure as TransportFailure {
      throw self.failure(of: failure, at: settings.graphURL)
    }
    try show(response, mask)
  }

  /// The answer, which is an error or a result; with a pagination it has the data of all pages.
  private func answer(
    sending send: (BatchOperation) async throws -> OperationResponse
  ) async throws -> OperationResponse {
    var response = try await send(operation)
    guard let pagination else { return response }
    var (pages, operation) = (PageCollection(pagination), operation)
    let isWatched = Terminal.takesBlock
    defer { if isWatched { _ = Terminal.draw(block: []) } }
    while response.isResult {
      switch (try? response.body.json()).map({ pages.add($0) }) {
      case .page: break
      case .brokenLink: throw CommandFailure(.failed, Failure.brokenLink.error.message)
      case .noPage, nil:
        throw CommandFailure(
          .failed, Failure.noPage.error.message, hint: "--paginate is for edges, such as me/feed")
      }
      guard pages.hasMore else {
        if pages.hasRepeated { Terminal.warn(PageCollection.repetitionNote) }
        return response.replacingBody(with: ResponseBody(pages.text))
      }
      if isWatched {
        _ = Terminal.draw(block: ["page \(pages.pageCount) is read; reading the next …"])
      }
      pages.turn(&operation)
      response = try await send(operation)
    }
    return response
  }

  private func show(_ response: OperationResponse, _ mask: SecretMask) throws {
    if let error = response.error { throw failure(of: error, status: response.code) }
    if response.body.isAbsent, query == nil, let address = response.headers["Location"] {
      return try Terminal.printText(address + "\n")
    }
    let body = mask.masked(response.body.text)
    guard let query else {
      if isRaw, case .string(let text)? = try? JSON(parsing: body) {
        return try Terminal.printValues([.string(text)], raw: true)
      }
      return try Terminal.printJSON(body + [UInt8(ascii: "\n")])
    }
    do {
      let selected = try query.values(in: try JSON.Document(parsing: body))
      try Terminal.printValues(selected, raw: isRaw)
    } catch let error as JSON.SyntaxError {
      throw CommandFailure(.failed, "the body is not JSON: \(error.message)")
    } catch is QueryLimitExceeded {
      throw CommandFailure(.failed, "the query takes too many steps on this body")
    }
  }

  private func failure(of failure: TransportFailure, at url: GraphURL) -> CommandFailure {
    switch failure.kind {
    case .notSent, .notProcessed:
      CommandFailure(.unreachable, "\(url) cannot be reached: \(failure.message)")
    case .cancelled where failure.provesNothingHappened || operation.method != .post:
      CommandFailure(.interrupted, "stopped")
    case .cancelled:
      CommandFailure(
        .interrupted, "stopped before the post was answered", hint: SingleCall.doubtHint)
    default:
      uncertainFailure(failure.message, hint: failure.classification.hint)
    }
  }

  private static let doubtHint = "it may have happened: check on Facebook before you send it again"

  /// A failure that does not prove that nothing happened; a post is in doubt then.
  private func uncertainFailure(_ message: String, hint: String? = nil) -> CommandFailure {
    guard operation.method == .post else { return CommandFailure(.failed, message, hint: hint) }
    return CommandFailure(.inDoubt, message, hint: SingleCall.doubtHint)
  }

  private func failure(of error: GraphError, status: Int) -> CommandFailure {
    let classification = ErrorTable.standard.classification(of: error, status: status)
    let failure = CommandFailure(refusal: error, status: status)
    return classification.provesNothingHappened
      ? failure : uncertainFailure(failure.message, hint: classification.hint)
  }
}

extension SingleCall {
  /// Checks a path from the command line, which may have a query; returns it without a leading slash.
  private static func path(_ argument: String) throws -> String {
    var path = argument[...]
    if path.hasPrefix("/") { path.removeFirst() }
    let node = path.prefix { $0 != "?" }
    let segments = PercentEncoding.decoded(String(node))
      .split(separator: "/", omittingEmptySubsequences: false)
    guard !path.isEmpty, !node.contains("#") else {
      throw CommandFailure(.usage, "'\(argument)' is not a path, such as me/feed")
    }
    if node.contains("://") || node.hasPrefix("/") {
      throw CommandFailure(
        .usage, "'\(argument)' names a host; give the path only, such as me/feed",
        hint: "--graph-url sets the address of the Graph API")
    }
    if let first = segments.first, segments.count > 1, GraphVersion(String(first)) != nil {
      throw CommandFailure(
        .usage, "'\(argument)' names a version", hint: "use --graph-version \(first)")
    }
    guard !segments.contains(where: { $0 == ".." || $0 == "." || $0.isEmpty && segments.count > 1 })
    else { throw CommandFailure(.usage, "'\(argument)' has a segment that is empty, '.' or '..'") }
    for pair in path.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
      let name = PercentEncoding.decoded(String(pair.prefix { $0 != "=" }))
      // These parameters would make Graph do something else than the command means.
      guard !Redaction.isSecretName(name), !["batch", "debug", "method"].contains(name) else {
        throw CommandFailure(
          .usage, "the parameter '\(name)' cannot be given in the path",
          hint: "the command sets the method; tokens come from GRAPHFLOW_ACCESS_TOKEN or a profile")
      }
    }
    return String(path)
  }
}

extension CommandFailure {
  /// Converts an error of Graph, or an answer that cannot be used; masks secrets in the message.
  init(refusal error: GraphError, status: Int) {
    let classification = ErrorTable.standard.classification(of: error, status: status)
    var facts = ["status \(status)"]
    if let code = error.code { facts.append("code \(code)") }
    if let subcode = error.subcode { facts.append("subcode \(subcode)") }
    facts.append("\(classification.category.rawValue), \(classification.reason.rawValue)")
    let exitCode: ExitStatus =
      switch classification.reason {
      case .token, .permission: .notPermitted
      case .throttled: .tryAgainLater
      default: .failed
      }
    let message =
      error.isFromGraph
      ? "\(ProcessRedactor.known.masked(error.message)) (\(facts.joined(separator: ", ")))"
      : "the answer (status \(status)) cannot be used: \(error.message)"
    self.init(exitCode, message, hint: classification.hint)
  }
}

/// `graphflow get`: one read from the shell.
struct GetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Read from the Graph API.",
    discussion: """
      Prints the body of the answer. Tokens in it are shown as '***'.

      Example: the ids of the latest posts:

        graphflow get me/feed fields=id limit=3 --select '$.data[*].id' --raw

      Example: the first thousand posts, from as many pages as it takes:

        graphflow get me/feed fields=id limit=100 --paginate --max 1000
      """)

  @OptionGroup var options: CallOptions

  @Flag(help: "Read all pages, and print them as one: {\"data\": […]}.")
  var paginate = false

  @Option(help: .value("n", "With --paginate: end after this many items."))
  var max: Int?

  func validate() throws {
    try require(max == nil || paginate, "--max goes with --paginate")
    try require(max ?? 1 > 0, "--max is at least 1")
    try require(
      !paginate || !options.path.contains("?"),
      "with --paginate parameters are given as name=value, not in the path")
  }

  func run() throws {
    let pagination = paginate ? Workflow.Pagination(maxItems: max) : nil
    try SingleCall(.get, options, pagination: pagination).run()
  }
}

/// `graphflow post`: one write from the shell.
struct PostCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "post", abstract: "Write to the Graph API.",
    discussion: """
      Prints the body of the answer. If the connection breaks after the request was sent, it is \
      unknown whether it took effect, and the exit code is 3.

      Example:

        graphflow post me/feed message="Hello from the shell" --select '$.id'

      Example: upload a photo; @FILE sends a file, @@ begins a value with @:

        graphflow post me/photos source=@photo.jpg caption="A photo"
      """)

  @OptionGroup var options: CallOptions

  func validate() throws {
    try require(
      options.parameters.count(where: \.isStandardInput) < 2,
      "standard input can be one file only, but @- is given twice")
  }

  func run() throws { try SingleCall(.post, options).run() }
}

/// `graphflow delete`: one deletion from the shell.
struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete from the Graph API.",
    discussion: """
      Prints the body of the answer.

      Example:

        graphflow delete 123_456
      """)

  @OptionGroup var options: CallOptions

  func run() throws { try SingleCall(.delete, options).run() }
}

/// The arguments and options of `get`, `post` and `delete`.
struct CallOptions: ParsableArguments {
  @Argument(help: .value("path", "The Graph path, such as me/feed."), completion: .paths)
  var path: String

  @Argument(
    help: .value("name=value", "Parameters, sent as they are."), completion: .parameters)
  var parameters: [InputAssignment] = []

  @Option(
    help: .value(
      "jsonpath", "Print what this query selects, one value a line, instead of the body."))
  var select: String?

  @Flag(help: "Print texts without quotes.")
  var raw = false

  @Option(
    name: .customLong("graph-version"),
    help: .value("version", "The Graph API's version, such as v25.0."))
  var version: String?

  @Flag(name: .shortAndLong, help: "Print the HTTP exchange on standard error, without secrets.")
  var verbose = false

  @OptionGroup(title: "Graph API") var graph: GraphOptions

  /// Parameters that only graphflow itself sends, as in a workflow.
  private static let reserved = [
    "access_token", "appsecret_proof", "method", "batch", "debug",
  ]

  func validate() throws {
    if let wrong = parameters.first(where: { CallOptions.reserved.contains($0.name) }) {
      throw ValidationError(
        "the parameter '\(wrong.name)' cannot be given here; tokens come from profiles")
    }
    if let version, GraphVersion(version) == nil {
      throw ValidationError("--graph-version: '\(version)' is not a version, such as v25.0")
    }
  }
}
