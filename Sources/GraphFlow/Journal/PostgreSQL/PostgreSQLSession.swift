internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// This process's part in a database that several hosts share: a connection that is replaced when it
/// breaks, and one lease for everything that the process has locked.
///
/// The lease is a row of `sessions` that is renewed all the time, by the clock of the database: the
/// clocks of the hosts do not matter. After it has expired, anyone who wants one of its locks deletes the
/// row, and all locks of the session end at once. Every append names the session, and fails once the
/// row is gone: the number of the session is the fencing token (M. Kleppmann, "How to do distributed
/// locking").
final class PostgreSQLSession: Sendable {
  let address: PostgreSQLAddress
  private let state: Mutex<State>
  private let validity: Validity

  private struct State {
    init(validity: Validity) { self.validity = validity }

    /// Nil while there is none.
    var connection: PostgreSQLConnection?
    /// Counts connections, so that a user notices that statements may be lost.
    var generation = 0
    var lease: Lease? { didSet { validity.lease = lease } }
    /// For those who send and must not wait for a statement.
    let validity: Validity
    /// What this process has locked; the lease is given back with the last of them.
    var held: Set<String> = []
    var duration = Duration.seconds(15)
  }

  /// The lease, as far as this process knows.
  private struct Lease {
    let id: Int64
    /// Until then nobody can have taken it over; counts while the machine sleeps.
    var end: ContinuousClock.Instant
    var isLost = false
  }

  /// Until when nobody can have taken the locks of this process.
  private final class Validity: Sendable {
    private let state = Mutex<Lease?>(nil)

    var lease: Lease? {
      get { state.withLock { $0 } }
      set { state.withLock { $0 = newValue } }
    }

    var isGiven: Bool { lease.map { !$0.isLost && ContinuousClock.now < $0.end } ?? true }
  }

  /// A connection for one use, with the number of this process's session.
  struct Use {
    let connection: PostgreSQLConnection
    let generation: Int
    let session: Int64?
  }

  /// Connects, and checks the version of the tables.
  ///
  /// - Throws: `unavailable`; `misconfigured` without tables, or with older ones; `otherVersion` if
  ///   they belong to a later version of graphflow.
  init(_ address: PostgreSQLAddress) throws(JournalError) {
    self.address = address
    validity = Validity()
    state = Mutex(State(validity: validity))
    try withState { state in
      let connection = try connection(&state)
      let version = try PostgreSQLSchema.version(of: connection)
      guard version == PostgreSQLSchema.version else {
        throw JournalError(version: version, of: address)
      }
      let lease = try connection.execute(
        "SELECT (extract(epoch FROM lease) * 1000)::bigint FROM graphflow.settings")
      if let milliseconds = lease.rows.first?.integer(0) {
        state.duration = .milliseconds(milliseconds)
      }
    }
  }

  /// How long a lease lasts.
  var duration: Duration { state.withLock { $0.duration } }

  /// Whether nobody can have taken the locks of this process.
  var holdsLocks: Bool { validity.isGiven }

  /// Calls a closure with the connection, again and again while the connection breaks.
  ///
  /// It stops when the lease may have been taken over, or after ten seconds without one. So the
  /// closure must do the same however often it is called, and it may have been executed even if this
  /// throws.
  ///
  /// - Throws: `unavailable`, `lockLost`, and what `body` throws.
  func use<Value: Sendable>(_ body: (Use) throws -> Value) throws(JournalError) -> Value {
    try withState { state in try use(&state, body) }
  }

  private func withState<Value: Sendable>(
    _ body: (inout State) throws -> Value
  ) throws(JournalError) -> Value {
    do {
      return try state.withLock { state in try body(&state) }
    } catch let error as JournalError {
      throw error
    } catch let error as PostgreSQLError {
      throw JournalError(error, at: address)
    } catch {
      throw JournalError(.unavailable, path: address.place, message: "\(error)")
    }
  }

  private func use<Value: Sendable>(
    _ state: inout State, _ body: (Use) throws -> Value
  ) throws -> Value {
    var pause: useconds_t = 20_000
    let end = ContinuousClock.now + .seconds(10)
    while true {
      do {
        // A lease that has expired is still this process's own if nobody has taken it over.
        if let lease = state.lease, lease.isLost || ContinuousClock.now >= lease.end {
          try renew(&state)
        }
        let connection = try connection(&state)
        return try body(
          Use(connection: connection, generation: state.generation, session: state.lease?.id))
      } catch PostgreSQLError.lost(let problem) {
        state.connection = nil
        guard ContinuousClock.now < state.lease?.end ?? end else {
          throw JournalError(.unavailable, path: address.place, message: problem)
        }
        usleep(pause)
        pause = min(pause * 2, 500_000)
      }
    }
  }

  private func connection(_ state: inout State) throws(PostgreSQLError) -> PostgreSQLConnection {
    if let connection = state.connection { return connection }
    let connection = try PostgreSQLConnection(address, within: .seconds(5))
    state.connection = connection
    state.generation += 1
    return connection
  }
}

/// The lease and the locks.
extension PostgreSQLSession {
  /// Locks something; nil if another session holds it, or there is no such thing.
  ///
  /// - Parameters:
  ///   - lock: what to lock.
  ///   - name: its name.
  /// - Returns: the columns that the lock's statement returns.
  /// - Throws: as ``use(_:)``.
  func lock(
    _ lock: PostgreSQLLock.Kind, _ name: String
  ) throws(JournalError) -> PostgreSQLConnection.Row? {
    try withState { state in
      guard !state.held.contains(lock.key(name)) else { return nil }
      try begin(&state)
      let row = try use(&state) { use in
        guard let session = use.session else { throw JournalError(lostAt: address) }
        try use.connection.execute(lock.eviction, [.text(name)])
        return try use.connection.execute(
          lock.acquisition, [.text(name), .integer(session)]
        ).rows.first
      }
      if row != nil { state.held.insert(lock.key(name)) }
      return row
    }
  }

  /// Gives a lock back, and the lease with the last one; if that fails, the lease expires by itself.
  func unlock(_ lock: PostgreSQLLock.Kind, _ name: String) {
    state.withLock { state in
      guard state.held.remove(lock.key(name)) != nil, let lease = state.lease, !lease.isLost,
        let connection = state.connection
      else { return }
      do throws(PostgreSQLError) {
        try connection.execute(lock.release, [.text(name), .integer(lease.id)])
        guard state.held.isEmpty else { return }
        try connection.execute("DELETE FROM graphflow.sessions WHERE id = $1", [.integer(lease.id)])
      } catch {
        state.connection = nil
      }
      if state.held.isEmpty { state.lease = nil }
    }
  }

  /// Begins a lease if there is none.
  private func begin(_ state: inout State) throws {
    if state.lease?.isLost == true {
      guard state.held.isEmpty else { throw JournalError(lostAt: address) }
      state.lease = nil
    }
    guard state.lease == nil else { return }
    let host = PostgreSQLSession.hostName
    let (id, start) = try use(&state) { use in
      // What processes have left that were killed while nobody wanted their locks.
      try use.connection.execute(
        "DELETE FROM graphflow.sessions WHERE renewed_at < clock_timestamp() - interval '1 day'")
      let start = ContinuousClock.now
      let rows = try use.connection.execute(
        "INSERT INTO graphflow.sessions (host) VALUES ($1) RETURNING id", [.text(host)]
      ).rows
      return (rows.first?.integer(0), start)
    }
    guard let id else { throw JournalError(lostAt: address) }
    state.lease = Lease(id: id, end: start + state.duration)
    renew(id, every: state.duration / 4)
  }

  /// Renews a lease until it or the session ends.
  ///
  /// It has a thread of its own, because a task may have to wait for one while the process computes.
  private func renew(_ id: Int64, every pause: Duration) {
    let (seconds, attoseconds) = pause.components
    let interval = useconds_t(
      clamping: seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    SystemThread { [weak self] in
      repeat { usleep(interval) } while self?.keepLease(id) == true
    }?.detach()
  }

  /// Renews a lease; false once it has ended.
  ///
  /// An append notices if this has failed.
  private func keepLease(_ id: Int64) -> Bool {
    state.withLock { state in
      guard let lease = state.lease, lease.id == id, !lease.isLost else { return false }
      do { try renew(&state) } catch PostgreSQLError.lost { state.connection = nil } catch {}
      return true
    }
  }

  /// - Throws: `lockLost` if another session has taken over.
  private func renew(_ state: inout State) throws {
    guard let lease = state.lease, !lease.isLost else { throw JournalError(lostAt: address) }
    let start = ContinuousClock.now
    let connection = try connection(&state)
    let changed = try connection.execute(
      "UPDATE graphflow.sessions SET renewed_at = clock_timestamp() WHERE id = $1",
      [.integer(lease.id)]
    ).changed
    guard changed == 0 else {
      let end = start + state.duration
      state.lease?.end = end
      return
    }
    // Without a lock nothing is lost.
    guard !state.held.isEmpty else {
      state.lease = nil
      return
    }
    state.lease?.isLost = true
    throw JournalError(lostAt: address)
  }

  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension JournalError {
  init(_ error: PostgreSQLError, at address: PostgreSQLAddress) {
    let place = address.place
    switch error {
    case .lost(let message): self.init(.unavailable, path: place, message: message)
    case .refused("42501", let message): self.init(.foreign, path: place, message: message)
    case .refused(_, let message): self.init(.cannotWrite, path: place, message: message)
    }
  }

  /// The tables of a database belong to another version.
  init(version: Int, of address: PostgreSQLAddress) {
    let isLater = version > PostgreSQLSchema.version
    self.init(
      isLater ? .otherVersion : .misconfigured, path: address.place,
      message: isLater
        ? "a later version of graphflow has migrated this database; use that version"
        : "the database has \(version == 0 ? "no" : "older") tables of graphflow; create them with: "
          + "graphflow state migrate")
  }

  /// Another session has taken over what this process had locked.
  init(lostAt address: PostgreSQLAddress) {
    self.init(
      .lockLost, path: address.place,
      message: "this process did not renew its lease in time, and another one has taken over")
  }
}
