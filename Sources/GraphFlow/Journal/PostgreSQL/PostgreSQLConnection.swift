#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Why a statement has no result.
enum PostgreSQLError: Error {
  /// The connection is unusable: it is unknown whether the statement was executed.
  case lost(String)
  /// The server refused the statement, with a code (PostgreSQL, "PostgreSQL Error Codes").
  case refused(code: String, message: String)
}

/// A connection to a PostgreSQL server, for one user at a time.
///
/// Every wait has a limit, so that a server or a network that stops answering stops nobody for ever.
/// After a lost statement the connection is useless.
final class PostgreSQLConnection {
  private let library: LibPQ
  private let handle: OpaquePointer
  /// The statements that the server knows, by their text.
  private var prepared: [String: String] = [:]

  enum Value {
    case integer(Int64)
    case text([UInt8])
    case bytes([UInt8])
    case null

    static func text(_ text: String) -> Value { .text(Array(text.utf8)) }
  }

  /// One row of a result.
  typealias Row = [[UInt8]?]

  /// Connects within a time.
  init(
    _ address: PostgreSQLAddress, within limit: Duration
  ) throws(PostgreSQLError) {
    do throws(JournalError) {
      library = try LibPQ.shared.get()
    } catch {
      throw .lost(error.message)
    }
    let end = ContinuousClock.now + limit
    let library = library
    let handle = PostgreSQLConnection.withTexts(address.options.map(\.name)) { names in
      PostgreSQLConnection.withTexts(address.options.map(\.value)) { values in
        library.connectStart(names, values, 1)
      }
    }
    guard let handle else { throw .lost("there is no memory for a connection") }
    self.handle = handle
    _ = library.setNoticeProcessor(handle, { _, _ in }, nil)
    // The first poll must find the socket writable.
    var state: Int32 = 2
    while state != 3 {
      guard library.status(handle) != 1, state != 0 else { throw problem() }
      try wait(for: state == 1 ? POLLIN : POLLOUT, until: end, "connecting")
      state = library.connectPoll(handle)
    }
    guard library.setNonblocking(handle, 1) == 0 else { throw problem() }
  }

  deinit { library.finish(handle) }

  /// Executes one statement, whose `$1`, `$2` and so on stand for values.
  ///
  /// - Returns: its rows, and the number of rows that it changed.
  @discardableResult func execute(
    _ sql: String, _ values: [Value] = [], within limit: Duration = .seconds(5)
  ) throws(PostgreSQLError) -> (rows: [Row], changed: Int) {
    let end = ContinuousClock.now + limit
    let name: String
    if let known = prepared[sql] {
      name = known
    } else {
      name = "s\(prepared.count)"
      guard library.sendPrepare(handle, name, sql, 0, nil) == 1 else { throw problem() }
      _ = try results(until: end)
      prepared[sql] = name
    }
    let isSent = PostgreSQLConnection.withParameters(values) { pointers, lengths, formats in
      library.sendPrepared(handle, name, Int32(values.count), pointers, lengths, formats, 1)
    }
    guard isSent == 1 else { throw problem() }
    return try results(until: end)
  }

  /// Executes a statement that cannot be prepared, such as `BEGIN`; see ``execute(_:_:within:)``.
  func command(_ sql: String, within limit: Duration = .seconds(5)) throws(PostgreSQLError) {
    guard library.sendQuery(handle, sql, 0, nil, nil, nil, nil, 1) == 1 else { throw problem() }
    _ = try results(until: ContinuousClock.now + limit)
  }

  /// Reads the results of what was sent, up to the last one.
  private func results(
    until end: ContinuousClock.Instant
  ) throws(PostgreSQLError) -> (rows: [Row], changed: Int) {
    while library.flush(handle) == 1 { try wait(for: POLLOUT | POLLIN, until: end, "sending") }
    var found: (rows: [Row], changed: Int) = ([], 0)
    var refusal: PostgreSQLError?
    while true {
      while library.isBusy(handle) == 1 {
        try wait(for: POLLIN, until: end, "waiting for the server")
        guard library.consumeInput(handle) == 1 else { throw problem() }
      }
      guard let result = library.result(handle) else { break }
      defer { library.clear(result) }
      switch library.resultStatus(result) {
      case 1, 2:
        found.rows += rows(of: result)
        found.changed += library.changedRows(result).flatMap { Int(String(cString: $0)) } ?? 0
      default: refusal = refusal ?? error(of: result)
      }
    }
    guard library.status(handle) == 0 else { throw problem() }
    if let refusal { throw refusal }
    return found
  }

  private func rows(of result: OpaquePointer) -> [Row] {
    (0..<library.rowCount(result)).map { row in
      (0..<library.columnCount(result)).map { column in
        guard library.isNull(result, row, column) == 0,
          let start = library.value(result, row, column)
        else { return nil }
        let count = Int(library.length(result, row, column))
        return Array(UnsafeBufferPointer(start: start, count: count))
      }
    }
  }

  private func error(of result: OpaquePointer) -> PostgreSQLError {
    func field(_ name: Character) -> String? {
      library.errorField(result, Int32(name.asciiValue ?? 0)).map { String(cString: $0) }
    }
    let code = field("C") ?? ""
    let message = field("M") ?? "the server refused the statement"
    // The connection has ended, the server is full or not ready, or a deadlock has to be repeated.
    return ["57P", "08", "533", "40"].contains { code.hasPrefix($0) } || code.isEmpty
      ? .lost(message) : .refused(code: code, message: message)
  }

  /// The library's own message.
  private func problem() -> PostgreSQLError {
    let message = library.errorMessage(handle).map { String(cString: $0) } ?? ""
    let line = PostgreSQLAddress.line(message)
    return .lost(line.isEmpty ? "the connection is lost" : line)
  }

  private func wait(
    for events: some BinaryInteger, until end: ContinuousClock.Instant, _ activity: String
  ) throws(PostgreSQLError) {
    let socket = library.socket(handle)
    guard socket >= 0 else { throw problem() }
    while true {
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else { throw .lost("the server did not answer in time (\(activity))") }
      var entry = pollfd(fd: socket, events: Int16(events), revents: 0)
      let (seconds, attoseconds) = left.components
      let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1
      let ready = poll(&entry, 1, Int32(clamping: milliseconds))
      if ready > 0 { return }
      if ready < 0, errno != EINTR { throw .lost("the connection is lost") }
    }
  }
}

/// Passing Swift's values to C.
extension PostgreSQLConnection {
  private static func withTexts<Result>(
    _ texts: [String], _ body: (LibPQ.Texts) -> Result
  ) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    var pointers = copies.map { $0.map { UnsafePointer($0) } }
    pointers.append(nil)
    return pointers.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("the list ends with nil") }
      return body(start)
    }
  }

  /// Integers and texts as text, bytes as they are.
  private static func withParameters<Result>(
    _ values: [Value],
    _ body: (LibPQ.Texts?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
  ) -> Result {
    // One buffer for all values, each followed by a zero byte.
    var buffer: [UInt8] = []
    var places: [Int?] = []
    var lengths: [Int32] = []
    var formats: [Int32] = []
    for value in values {
      let bytes: [UInt8]? =
        switch value {
        case .integer(let number): Array("\(number)".utf8)
        case .text(let bytes), .bytes(let bytes): bytes
        case .null: nil
        }
      places.append(bytes.map { _ in buffer.count })
      lengths.append(Int32(bytes?.count ?? 0))
      if case .bytes = value { formats.append(1) } else { formats.append(0) }
      buffer += bytes ?? []
      buffer.append(0)
    }
    return buffer.withUnsafeBytes { bytes in
      let pointers = places.map { place in
        place.flatMap { bytes.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
      }
      return body(pointers, lengths, formats)
    }
  }
}

extension PostgreSQLConnection.Row {
  /// The integer in a column, as the server sends `bigint`: eight bytes, the highest first.
  func integer(_ column: Int) -> Int64? {
    guard let bytes = self[column], bytes.count == 8 else { return nil }
    return bytes.reduce(0) { $0 << 8 | Int64($1) }
  }

  func text(_ column: Int) -> String? { self[column].map { String(decoding: $0, as: UTF8.self) } }
}
