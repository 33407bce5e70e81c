import GraphAPI
import GraphFlow
import JSONPath
import Synchronization

/// Writes the calls and answers of a command into an HTTP archive (HAR 1.2), or prints them, without
/// secrets.
///
/// An archive is written as a whole: `finish()` gives it its name, also after an interruption. A
/// class, because active calls share it. Entries are in the order in which the calls began, so a
/// finished entry waits for those that began before it.
final class ExchangeRecorder: Sendable {
  private struct State {
    /// The archive; nil if exchanges are printed, each when it is finished.
    let file: AtomicFile?
    var begun = 0
    /// The number of the last entry that was written.
    var written = 0
    /// Finished entries that wait for earlier ones, by their numbers.
    var waiting: [Int: [UInt8]] = [:]
    /// The exchanges whose answers the run has not processed yet: they may contain secrets.
    var pending: [Int: (call: Int, entry: @Sendable (_ omitted: Set<Int>) -> [UInt8])] = [:]
    /// The operations of calls whose answers are left out, by the call.
    var omitted: [Int: Set<Int>] = [:]
    var failure: ReportWriteError?

    mutating func append(_ bytes: [UInt8]) {
      guard failure == nil else { return }
      do throws(ReportWriteError) { try file?.append(bytes) } catch { failure = error }
    }

    mutating func write(_ entry: [UInt8], _ number: Int) {
      guard file != nil else {
        return Terminal.notify(Untrusted.shown(String(decoding: entry, as: UTF8.self)))
      }
      waiting[number] = entry
      writeWaiting()
    }

    /// Writes the entries that are next; at the end all of them.
    mutating func writeWaiting(isEnd: Bool = false) {
      while let number = isEnd ? waiting.keys.min() : written + 1,
        let entry = waiting.removeValue(forKey: number)
      {
        append(Array((written == 0 ? "\n" : ",\n").utf8) + entry)
        written = number
      }
    }
  }

  private let state: Mutex<State>

  init(path: String) throws {
    state = Mutex(State(file: try AtomicFile(at: path)))
    let creator: JSON = ["name": "graphflow", "version": .string(toolVersion)]
    let head = "{\"log\":{\"version\":\"1.2\",\"creator\":\(creator.serialized()),\"entries\":["
    state.withLock { $0.append(Array(head.utf8)) }
  }

  /// Prints the exchanges on standard error.
  init() { state = Mutex(State(file: nil)) }

  /// Counts a call that begins; returns its number.
  fileprivate func beginCall() -> Int {
    state.withLock { state in
      state.begun += 1
      return state.begun
    }
  }

  fileprivate func endCall(
    _ number: Int, since start: Timestamp, _ request: WireRequest,
    _ result: Result<WireResponse, TransportFailure>
  ) {
    let duration = max(0, WallClock.now().milliseconds - start.milliseconds)
    if case .success(let response) = result { ProcessRedactor.recordTokens(from: response.body) }
    let isPrinted = state.withLock { $0.file == nil }
    let entry: @Sendable (Set<Int>) -> [UInt8] = { omitted in
      let entry = ArchiveEntry(
        startedAt: start, milliseconds: duration, request: request, result: result,
        secrets: ProcessRedactor.known, omitted: omitted)
      return Array((isPrinted ? entry.text : entry.json.serialized()).utf8)
    }
    state.withLock { state in
      if let call = CallNumber.current {
        state.pending[number] = (call, entry)
      } else {
        state.write(entry([]), number)
      }
    }
  }

  /// Writes the exchanges of a run's calls once it has processed their answers.
  func follow(_ event: RunEvent, of workflow: Workflow) {
    switch event {
    case .callStarted(let call): omitAnswers(to: call, of: workflow)
    case .callEnded(let call): release(call: call.number)
    default: break
    }
  }

  /// Leaves the answers of requests with `omit_response` out of the archive.
  private func omitAnswers(to call: CallStart, of workflow: Workflow) {
    var omitted = call.operations.indices.filter {
      workflow.requests[call.operations[$0].request].omitsResponse
    }
    // Writes share confirmation checks.
    if call.kind == .confirm, !omitted.isEmpty { omitted = Array(call.operations.indices) }
    if !omitted.isEmpty { state.withLock { $0.omitted[call.number] = Set(omitted) } }
  }

  /// Writes the exchange of a call whose answer the run has processed.
  ///
  /// Every secret in the answer is then recorded.
  private func release(call: Int) {
    state.withLock { state in
      for (number, exchange) in state.pending where exchange.call == call {
        state.pending[number] = nil
        state.write(exchange.entry(state.omitted[call] ?? []), number)
      }
      state.omitted[call] = nil
    }
  }

  /// Writes the rest and gives the file its name.
  func finish() throws {
    try state.withLock { state in
      let rest = state.pending.sorted { $0.key < $1.key }
      for (number, exchange) in rest {
        state.write(exchange.entry(state.omitted[exchange.call] ?? []), number)
      }
      state.pending = [:]
      state.writeWaiting(isEnd: true)
      state.append(Array("\n]}}\n".utf8))
      if let failure = state.failure { throw failure }
      try state.file?.finish()
    }
  }
}

/// A transport that records requests and answers.
private struct RecordingTransport: Transport {
  let base: any Transport
  let recorder: ExchangeRecorder

  func send(
    _ request: WireRequest, timeout: Duration
  ) async throws(TransportFailure) -> WireResponse {
    let (number, start) = (recorder.beginCall(), WallClock.now())
    let result: Result<WireResponse, TransportFailure>
    do throws(TransportFailure) {
      result = .success(try await base.send(request, timeout: timeout))
    } catch {
      result = .failure(error)
    }
    recorder.endCall(number, since: start, request, result)
    return try result.get()
  }
}

extension Transport {
  func recorded(by recorders: [ExchangeRecorder]) -> any Transport {
    recorders.reduce(self) { RecordingTransport(base: $0, recorder: $1) }
  }
}
