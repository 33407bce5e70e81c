import JSONPath

/// The execution of a batch: the results of its items so far.
struct BatchRun {
  private let batch: BatchCall
  private let call: GraphCall
  private let caller: Caller
  /// The bodies of successful items; the body of one that no other depends on is empty.
  ///
  /// nil for an item that failed, or was not run because a dependency was not successful
  /// (docs/internals/graph-api.md, Null and 960); empty if the batch has no dependencies.
  private var bodies: [[UInt8]?] = []
  private var writer: BatchWriter
  /// The bodies that references have read, parsed.
  private var values: [Int: JSON] = [:]
  private var indices: [String: Int] = [:]
  /// The log of the operations, in the batch's order.
  private(set) var operations: [SandboxCall.Operation]

  /// The longest text of one operation with its references; a chain could double it at each step.
  private static let resolvedLimit = 1 << 20

  init(_ batch: BatchCall, _ call: GraphCall, _ main: Session?, isShuffled: Bool) {
    self.batch = batch
    self.call = call
    caller = Caller(session: main, proof: call.proof, showsHeaders: batch.includesHeaders)
    let count = batch.items.count
    if batch.dependencies != nil { bodies = Array(repeating: nil, count: count) }
    operations = batch.items.map { .init($0) }
    writer = BatchWriter(count: count, isShuffled: isShuffled)
  }

  /// Runs an item; its dependencies have been run.
  mutating func execute(_ index: Int, in world: inout World) {
    let item = batch.items[index]
    var showsHeaders = batch.includesHeaders
    guard var answer = answer(to: index, item, in: &world, &showsHeaders) else {
      return writer.writeNull(at: index)
    }
    if recordAnswer(answer, to: item, at: index) {
      writer.writeNull(at: index)
    } else {
      writer.write(answer, at: index, includesHeaders: showsHeaders)
    }
    answer.leaveMemory(to: &world.shared.memory)
  }

  /// Records the answer to an item for its dependents.
  ///
  /// - Returns: whether the answer is omitted from the batch's.
  private mutating func recordAnswer(
    _ answer: borrowing Answer, to item: BatchItem, at index: Int
  ) -> Bool {
    guard let dependencies = batch.dependencies, answer.hasSucceeded else { return false }
    if let name = item.name { indices[name] = index }
    let hasDependents = dependencies.hasDependents[index]
    bodies[index] = hasDependents ? answer.body : []
    return hasDependents && item.omitsResponseOnSuccess
  }

  mutating func finish() -> [UInt8] { writer.finish() }

  /// Executes an item; nil if it shows as `null`, such as one that was not run.
  private mutating func answer(
    to index: Int, _ item: BatchItem, in world: inout World, _ showsHeaders: inout Bool
  ) -> Answer? {
    let version = item.url.version ?? call.version
    let predecessors = batch.dependencies?.predecessors[index] ?? []
    let answer: Answer
    if !predecessors.allSatisfy({ bodies[$0] != nil }) {
      guard world.behaviors.aborted == .error960 else { return nil }
      answer = world.failure(.aborted, version: version)
    } else {
      do throws(GraphFault) {
        let request = try bind(item, version: version)
        showsHeaders = showsHeaders && request.wantsHeaders
        if let url = item.resolvedURL(request) { operations[index].resolvedURL = url }
        operations[index].resolvedBody = item.resolvedBody(request)
        return world.execute(
          request, from: caller, named: item.name, at: index, &operations[index])
      } catch {
        answer = world.failure(error, version: version)
      }
    }
    operations[index].record(answer)
    return answer
  }

  private mutating func bind(_ item: BatchItem, version: String?) throws(GraphFault) -> GraphRequest
  {
    if let fault = item.fault { throw fault }
    guard let method = item.method else { throw .unknownMethod(item.methodText) }
    let (path, parameters) =
      item.hasReferences ? try resolve(item) : (item.url.path, item.parameters)
    var files: [UploadedFile] = []
    for part in item.attachments {
      guard let file = call.files.last(where: { $0.partName == part }) else {
        throw .notAttached(part)
      }
      files.append(file)
    }
    return GraphRequest(
      method: method, version: version, path: path, parameters: parameters,
      token: parameters["access_token"] ?? item.tokenField, ifNoneMatch: item.ifNoneMatch,
      files: files, wantsHeaders: parameters.flag("include_headers") ?? true)
  }

  private mutating func resolve(_ item: BatchItem) throws(GraphFault) -> ([String], Parameters) {
    var length = 0
    var path: [String] = []
    for segment in item.scannedPath { path.append(try resolve(segment, &length)) }
    var parameters = Parameters()
    for parameter in item.scannedParameters {
      parameters.append(parameter.name, try resolve(parameter.value, &length))
    }
    return (path, parameters)
  }

  private mutating func resolve(
    _ text: ReferenceText, _ length: inout Int
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

  private mutating func match(of path: GoessnerPath?, in name: String) -> String {
    guard let path, let index = indices[name], let value = value(at: index) else { return "" }
    return path.text(in: value)
  }

  private mutating func value(at index: Int) -> JSON? {
    if let value = values[index] { return value }
    guard let body = bodies[index], let value = try? JSON(parsing: body) else { return nil }
    values[index] = value
    return value
  }
}
