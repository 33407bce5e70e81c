import JSONPath

extension World {
  /// Answers a batch: every item, in order (docs/graph-api.md, decision 40).
  mutating func answer(
    _ batch: BatchCall,
    of call: GraphCall,
    _ log: inout CallRecord
  ) -> HTTPAnswer {
    if let (items, results) = retell(call) {
      log.note(batch, results)
      return answer(items, to: call)
    }
    let main: Session?
    do throws(GraphFault) {
      main = try callSession(for: call.token, proof: call.proof)
      guard main != nil || call.namesApp && batch.items.allSatisfy(\.bringsToken) else {
        throw .tokenRequired
      }
    } catch {
      return refusal(error, of: call)
    }
    let shuffle = manners.shuffle.map { $0 &+ UInt64(clamping: now) }
    var run = BatchRun(batch, call, main, isShuffled: shuffle != nil)
    for index in batch.order(shuffledBy: shuffle) { run.execute(index, in: &self) }
    let results = run.results
    log.note(batch, results)
    let items = run.finish()
    remember(batch, of: call, items: items, results)
    return answer(items, to: call)
  }

  private mutating func answer(_ items: [UInt8], to call: GraphCall) -> HTTPAnswer {
    HTTPAnswer(
      items: items,
      version: versions.answering(call.version) ?? versions.standard,
      usage: meter.callHeaders(at: now),
      traceID: makeTraceID()
    )
  }
}

extension BatchItem {
  fileprivate var bringsToken: Bool {
    details.tokenField != nil || parameters.contains("access_token")
  }
}
