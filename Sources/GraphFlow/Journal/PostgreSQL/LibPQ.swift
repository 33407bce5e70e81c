#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The functions of libpq, PostgreSQL's own library for clients.
///
/// The library is loaded when it is first needed, so that the command starts without it. It brings the
/// usual ways to configure a client: password files, services, TLS and Kerberos (PostgreSQL,
/// "libpq — C Library").
struct LibPQ: Sendable {
  typealias Text = UnsafePointer<CChar>
  typealias Texts = UnsafePointer<Text?>

  let connectStart: @convention(c) (Texts, Texts, Int32) -> OpaquePointer?
  let connectPoll: @convention(c) (OpaquePointer) -> Int32
  let status: @convention(c) (OpaquePointer) -> Int32
  let errorMessage: @convention(c) (OpaquePointer) -> Text?
  let socket: @convention(c) (OpaquePointer) -> Int32
  let finish: @convention(c) (OpaquePointer) -> Void
  let setNonblocking: @convention(c) (OpaquePointer, Int32) -> Int32
  let setNoticeProcessor:
    @convention(c) (
      OpaquePointer, @convention(c) (UnsafeMutableRawPointer?, Text?) -> Void,
      UnsafeMutableRawPointer?
    ) -> OpaquePointer?
  let sendQuery:
    @convention(c) (
      OpaquePointer, Text, Int32, UnsafePointer<UInt32>?, Texts?, UnsafePointer<Int32>?,
      UnsafePointer<Int32>?, Int32
    ) -> Int32
  let sendPrepare:
    @convention(c) (OpaquePointer, Text, Text, Int32, UnsafePointer<UInt32>?) -> Int32
  let sendPrepared:
    @convention(c) (
      OpaquePointer, Text, Int32, Texts?, UnsafePointer<Int32>?, UnsafePointer<Int32>?, Int32
    ) -> Int32
  let flush: @convention(c) (OpaquePointer) -> Int32
  let consumeInput: @convention(c) (OpaquePointer) -> Int32
  let isBusy: @convention(c) (OpaquePointer) -> Int32
  let result: @convention(c) (OpaquePointer) -> OpaquePointer?
  let resultStatus: @convention(c) (OpaquePointer) -> Int32
  let errorField: @convention(c) (OpaquePointer, Int32) -> Text?
  let rowCount: @convention(c) (OpaquePointer) -> Int32
  let columnCount: @convention(c) (OpaquePointer) -> Int32
  let value: @convention(c) (OpaquePointer, Int32, Int32) -> UnsafePointer<UInt8>?
  let length: @convention(c) (OpaquePointer, Int32, Int32) -> Int32
  let isNull: @convention(c) (OpaquePointer, Int32, Int32) -> Int32
  let changedRows: @convention(c) (OpaquePointer) -> Text?
  let clear: @convention(c) (OpaquePointer) -> Void
  let parseOptions:
    @convention(c) (
      Text, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> UnsafeMutableRawPointer?
  let freeOptions: @convention(c) (UnsafeMutableRawPointer) -> Void

  /// `PQconninfoOption`: one option of a connection.
  struct Option {
    let keyword: Text?
    let variable: Text?
    let standard: Text?
    let value: Text?
    let label: Text?
    let display: Text?
    let size: Int32
  }

  /// The library, or why it cannot be loaded.
  static let shared: Result<LibPQ, JournalError> = {
    do throws(JournalError) {
      return .success(try LibPQ())
    } catch {
      return .failure(error)
    }
  }()

  private init() throws(JournalError) {
    #if os(macOS)
    let names = [
      "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib",
      "/usr/local/opt/libpq/lib/libpq.5.dylib",
    ]
    let command = "brew install libpq"
    #else
    let names = ["libpq.so.5"]
    let command = "apt-get install libpq5, or the libpq package of this system"
    #endif
    guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else {
      throw JournalError(
        .misconfigured, path: names[0],
        message: "PostgreSQL's client library is missing; install it with \(command)")
    }
    func find<Function>(_ name: String) throws(JournalError) -> Function {
      guard let symbol = dlsym(library, name) else {
        throw JournalError(
          .misconfigured, path: names[0], message: "the library has no function \(name)")
      }
      return unsafeBitCast(symbol, to: Function.self)
    }
    connectStart = try find("PQconnectStartParams")
    connectPoll = try find("PQconnectPoll")
    status = try find("PQstatus")
    errorMessage = try find("PQerrorMessage")
    socket = try find("PQsocket")
    finish = try find("PQfinish")
    setNonblocking = try find("PQsetnonblocking")
    setNoticeProcessor = try find("PQsetNoticeProcessor")
    sendQuery = try find("PQsendQueryParams")
    sendPrepare = try find("PQsendPrepare")
    sendPrepared = try find("PQsendQueryPrepared")
    flush = try find("PQflush")
    consumeInput = try find("PQconsumeInput")
    isBusy = try find("PQisBusy")
    result = try find("PQgetResult")
    resultStatus = try find("PQresultStatus")
    errorField = try find("PQresultErrorField")
    rowCount = try find("PQntuples")
    columnCount = try find("PQnfields")
    value = try find("PQgetvalue")
    length = try find("PQgetlength")
    isNull = try find("PQgetisnull")
    changedRows = try find("PQcmdTuples")
    clear = try find("PQclear")
    parseOptions = try find("PQconninfoParse")
    freeOptions = try find("PQconninfoFree")
  }
}
