import NIOConcurrencyHelpers

/// The batches that came lately, decoded: a client that polls sends the very same bytes again.
///
/// What a call means depends on its HTTP request and on nothing else. A batch is kept from the second
/// time on; what is sent once costs no memory. Those that are kept carry a mark, by which a world
/// recognises them (``BatchRecollection``).
final class KnownCalls: Sendable {
  /// The identity of a call that may come again.
  final class Mark: Sendable {}

  private final class Entry: Sendable {
    let http: HTTPCall
    let call: GraphCall

    init(_ http: HTTPCall, _ call: GraphCall) {
      self.http = http
      self.call = call
    }
  }

  private struct State {
    var entries: [UInt64: Entry] = [:]
    var seen = SeenHashes()
    /// About how much memory the entries take.
    var byteCount = 0
  }

  private let operations = KnownOperations()
  private let takesLists: Bool
  private let state = NIOLockedValueBox(State())

  /// The longest body that is kept, in bytes.
  private static let lengthLimit = 64 << 10
  /// How much is kept, in bytes; then all is forgotten.
  private static let memoryLimit = 12 << 20
  /// About how much memory an operation takes beside its text.
  private static let operationSize = 64

  /// `takesLists` lets `depends_on` name several operations.
  init(takesLists: Bool) { self.takesLists = takesLists }

  /// What a request means in Graph's terms.
  func call(_ http: HTTPCall) -> GraphCall {
    guard http.method == "POST", !http.body.isEmpty, http.body.count <= Self.lengthLimit else {
      return decoded(http)
    }
    let hash = http.body.hash(of: http.body.indices)
    let (known, isSeen) = state.withLockedValue { state in
      let known = state.entries[hash]
      return (known, known != nil || state.seen.note(hash))
    }
    if let known, known.http == http { return known.call }
    var call = decoded(http)
    guard isSeen, case .batch(let batch) = call.kind, call.files.isEmpty else { return call }
    call.mark = Mark()
    let entry = Entry(http, call)
    let size = http.body.count * 2 + batch.items.count * Self.operationSize
    state.withLockedValue { state in
      if state.byteCount + size > Self.memoryLimit {
        state.entries.removeAll()
        state.byteCount = 0
      }
      state.byteCount += size
      state.entries[hash] = entry
    }
    return call
  }

  private func decoded(_ http: HTTPCall) -> GraphCall {
    GraphCall(http, takesLists: takesLists, known: operations)
  }
}

extension HTTPCall {
  fileprivate static func == (left: HTTPCall, right: HTTPCall) -> Bool {
    left.method == right.method && left.target == right.target
      && left.authorization == right.authorization && left.contentType == right.contentType
      && left.contentEncoding == right.contentEncoding && left.ifNoneMatch == right.ifNoneMatch
      && left.body.holds(right.body, at: left.body.indices)
  }
}
