import JSONPath

extension World {
  /// Answers a batch: every item, in order (docs/internals/graph-api.md, decision 40).
  mutating func answer(
    _ batch: BatchCall, of call: GraphCall, _ log: inout SandboxCall
  ) -> HTTPAnswer {
    let main: Session?
    do throws(GraphFault) {
      main = try session(for: call.token, proof: call.proof)
      guard main != nil || call.hasAppID && batch.items.allSatisfy(\.hasToken) else {
        throw .tokenRequired
      }
    } catch {
      return refusal(error, of: call)
    }
    let shuffle = behaviors.shuffle.map { $0 &+ UInt64(clamping: now) }
    var run = BatchRun(batch, call, main, isShuffled: shuffle != nil)
    for index in batch.order(shuffledBy: shuffle) { run.execute(index, in: &self) }
    log.operations = run.operations
    let answer = Answer(
      status: 200, body: run.finish(),
      version: versions.answering(call.version) ?? versions.standard,
      usage: meter.callHeaders(at: now))
    return HTTPAnswer(answer, traceID: identifiers.nextTraceID())
  }
}

extension BatchItem {
  fileprivate var hasToken: Bool { tokenField != nil || parameters.contains("access_token") }
}
