import JSONPath

/// A batch under way: what its items came to so far.
struct BatchRun {
  /// What is known of an item once its turn has passed.
  private enum Fate {
    case succeeded(body: [UInt8])
    /// Failed, or not run because something it waits for was not successful (docs/graph-api.md,
    /// Null and 960).
    case unsuccessful
  }

  private let batch: BatchCall
  private let call: GraphCall
  private let main: Session?
  private var fates: [Fate?]
  /// What is written of each item, once all of them are done.
  private var answers: [(answer: Answer?, includesHeaders: Bool)]
  /// The bodies that references have asked for, parsed once.
  private var values: [Int: JSON] = [:]
  private var indices: [String: Int] = [:]
  private var log: [SandboxCall.Operation?]

  /// The operations for the log, in the batch's order.
  var operations: [SandboxCall.Operation] { log.compactMap(\.self) }

  /// How long the text of one operation may grow by its references; chains could double it.
  private static let resolvedLimit = 1 << 20

  init(_ batch: BatchCall, _ call: GraphCall, _ main: Session?) {
    self.batch = batch
    self.call = call
    self.main = main
    let count = batch.items.count
    fates = Array(repeating: nil, count: count)
    answers = Array(repeating: (nil, true), count: count)
    log = Array(repeating: nil, count: count)
  }

  /// Runs an item; those that it waits for have been run.
  mutating func execute(_ index: Int, in world: inout World) {
    let item = batch.items[index]
    defer { if let name = item.name { indices[name] = index } }
    var request: GraphRequest?
    let execution = execution(of: index, item, in: &world, &request)
    let answer = execution.answer
    let includesHeaders = request?.parameters.flag("include_headers") ?? true
    if let answer, answer.hasSucceeded {
      fates[index] = .succeeded(body: answer.body ?? [])
      let isOmitted = batch.isAwaited[index] && item.omitsResponseOnSuccess
      answers[index] = (isOmitted ? nil : answer, includesHeaders)
    } else {
      fates[index] = .unsuccessful
      answers[index] = (answer, includesHeaders)
    }
    log[index] = .init(item, request, code: answer?.status, execution)
  }

  func finish() -> [UInt8] {
    var writer = BatchWriter(count: answers.count, includesHeaders: batch.includesHeaders)
    for item in answers { writer.append(item.answer, includesHeaders: item.includesHeaders) }
    return writer.finish()
  }

  /// What the item came to; no answer if it was not run and that shows as `null`.
  private mutating func execution(
    of index: Int,
    _ item: BatchItem,
    in world: inout World,
    _ request: inout GraphRequest?
  ) -> World.Execution {
    let version = item.version ?? call.version
    for predecessor in batch.predecessors[index] {
      guard case .succeeded = fates[predecessor] else {
        return World.Execution(
          answer: world.manners.aborted == .error960
            ? world.failure(.aborted, version: version) : nil,
          isApplied: false
        )
      }
    }
    do throws(GraphFault) {
      let bound = try bind(item, version: version)
      request = bound
      return world.execute(bound, named: item.name, at: index) { perform(bound, in: &$0) }
    } catch {
      return World.Execution(answer: world.failure(error, version: version), isApplied: false)
    }
  }

  private func perform(_ request: GraphRequest, in world: inout World) -> Answer {
    do throws(GraphFault) {
      return world.execute(request, try session(of: request, in: world))
    } catch {
      return world.failure(error, version: request.version)
    }
  }

  private func session(of request: GraphRequest, in world: World) throws(GraphFault) -> Session? {
    guard !World.isLogin(request) else { return nil }
    let proof = request.parameters["appsecret_proof"]
    guard let token = request.token else {
      if let proof, let main { try world.proofs.check(proof, of: main.token) }
      return main
    }
    return try world.session(
      for: token,
      proof: proof ?? (token == main?.token ? call.proof : nil)
    )
  }

  /// The item with its references resolved and its files found.
  private mutating func bind(
    _ item: BatchItem,
    version: String?
  ) throws(GraphFault) -> GraphRequest {
    if let fault = item.fault { throw fault }
    guard let method = item.method else { throw .unknownMethod(item.methodText) }
    var length = 0
    var path: [String] = []
    path.reserveCapacity(item.segments.count)
    for segment in item.segments { path.append(try resolve(segment, &length)) }
    var parameters = Parameters()
    for parameter in item.parameters {
      parameters.append(parameter.name, try resolve(parameter.value, &length))
    }
    var files: [UploadedFile] = []
    for attachment in item.attachments {
      guard let file = call.files.last(where: { $0.partName == attachment.part }) else {
        throw .notAttached(attachment.part)
      }
      files.append(file)
    }
    return GraphRequest(
      method: method,
      version: version,
      path: path,
      parameters: parameters,
      token: parameters["access_token"] ?? item.tokenField,
      ifNoneMatch: item.ifNoneMatch,
      files: files,
      needsTag: item.ifNoneMatch != nil || batch.includesHeaders
    )
  }

  private mutating func resolve(
    _ text: ReferenceText,
    _ length: inout Int
  ) throws(GraphFault) -> String {
    guard case .pieces(let pieces) = text else {
      guard case .plain(let plain) = text else { return "" }
      return plain
    }
    var resolved = ""
    for piece in pieces {
      switch piece {
      case .text(let literal): resolved += literal
      case .reference(let name, let path): resolved += match(of: path, in: name)
      }
      guard resolved.utf8.count + length <= Self.resolvedLimit else { throw .referenceTooLong }
    }
    length += resolved.utf8.count
    return resolved
  }

  /// What a reference selects: joined by commas without spaces, empty where nothing matches
  /// (docs/graph-api.md, References).
  private mutating func match(of path: GoessnerPath?, in name: String) -> String {
    guard let path, let index = indices[name], let value = value(at: index) else { return "" }
    return path.values(in: value).map(\.parameterText).joined(separator: ",")
  }

  private mutating func value(at index: Int) -> JSON? {
    if let value = values[index] { return value }
    guard case .succeeded(let body) = fates[index], let value = try? JSON(parsing: body) else {
      return nil
    }
    values[index] = value
    return value
  }
}
