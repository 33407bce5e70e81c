import GraphAPI
import JSONPath
import Synchronization
import TestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A Graph server on loopback that repeats secrets in every place where an answer can hold text:
/// status line, headers, usage, bodies, member names, errors, traces, links to pages.
///
/// Some secrets it repeats from the start, others once a request has held them, and the tokens that
/// it gives out under `me/accounts` from then on. It answers one request at a time, each on its own
/// connection, on its own thread. It refuses paths that hold `wrong`, and never answers one that
/// holds `held`.
package final class LeakyPort {
  private let port: SilentPort
  private let script: Script
  private let thread: PortThread

  /// Repeats `secrets` from the start, `others` once a request has held them, and the `tokens` that
  /// it gives out.
  package init(
    repeating secrets: [String], onceReceived others: [String], issuing tokens: [String]
  ) throws {
    port = try SilentPort()
    script = try Script(listening: port.descriptor, secrets, others, tokens)
    thread = try PortThread(for: port) { [script] in script.play() }
  }

  /// Its address.
  package var url: String { port.url }

  /// The requests so far, decoded.
  package var requests: [String] { script.requests.withLock(\.self) }

  /// Forgets the secrets of earlier requests, before a command that does not have them either.
  package func forget() { script.received.withLock { $0 = [] } }

  /// Whether a request is held back.
  package var isHeld: Bool {
    var waiting = pollfd(fd: script.held.reading, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) > 0
  }

  private final class Script: Sendable {
    package let requests = Mutex<[String]>([])
    package let held: (reading: Int32, writing: Int32)
    private let listening: Int32
    package let received = Mutex<[String]>([])
    private let initial: [String]
    private let others: [String]
    private let tokens: [String]

    package init(
      listening: Int32, _ initial: [String], _ others: [String], _ tokens: [String]
    ) throws {
      held = try ChildProcess.makePipe()
      self.listening = listening
      self.initial = initial
      self.others = others
      self.tokens = tokens
    }

    private var secrets: [String] { initial + received.withLock(\.self) }

    /// Records the secrets in a request and the tokens in its answer.
    private func record(from request: String) {
      let plain = PercentEncoding.decoded(PercentEncoding.decoded(request))
      let given = plain.contains("me/accounts") ? tokens : []
      let new = given + others.filter { plain.contains($0) }
      received.withLock { received in received += new.filter { !received.contains($0) } }
    }

    deinit {
      close(held.reading)
      close(held.writing)
    }

    package func play() {
      while true {
        let connection = accept(listening, nil, nil)
        guard connection >= 0 else { return }
        let request = receiveRequest(from: connection)
        requests.withLock { $0.append(request) }
        record(from: request)
        if request.contains("/held") {
          _ = write(held.writing, [1], 1)
        } else if !request.isEmpty {
          let answer = answer(to: request)
          _ = send(connection, Array(answer.utf8), answer.utf8.count, Int32(MSG_NOSIGNAL))
          shutdown(connection, Int32(SHUT_WR))
        }
        waitForClose(of: connection)
        close(connection)
      }
    }

    /// All secrets in one text: as they are, and percent-encoded.
    private var leak: String {
      (secrets + secrets.map(PercentEncoding.encoded)).joined(separator: " ")
    }

    private var escapedLeak: String {
      secrets.joined(separator: " ").utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }

    private func answer(to request: String) -> String {
      let line = request.prefix { $0 != "\r" }
      let isBatch = request.contains("batch=")
      var status = "200 OK"
      var body = ""
      if isBatch {
        let items = operations(in: request).map { operation -> JSON in
          let isWrong = operation.contains("wrong")
          return [
            "code": isWrong ? 400 : 200,
            "headers": .array(headers.map { ["name": .string($0), "value": .string($1)] }),
            "body": .string(self.body(of: operation)),
          ]
        }
        body = JSON.array(items).serialized()
      } else {
        if line.contains("wrong") { status = "400 \(secrets[0])" }
        body = self.body(of: String(line))
      }
      let fields = headers.map { "\($0): \($1)\r\n" }.joined()
      return
        "HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n"
        + "Connection: close\r\n\r\n\(body)"
    }

    private var headers: [(String, String)] {
      let usage: JSON = .object(
        JSON.Object(
          secrets.map { secret in
            (secret, [["type": .string(secret), "call_count": 1, "total_time": 1]])
          }))
      return [
        ("X-Business-Use-Case-Usage", usage.serialized()),
        ("X-App-Usage", #"{"call_count":1,"\#(secrets[0])":"\#(secrets[0])"}"#),
        ("ETag", "\"\(leak)\""), ("X-FB-Trace-ID", leak), ("X-FB-Rev", leak),
        ("X-\(secrets[0])", leak), ("Content-Type", "application/json; x=\(secrets[0])"),
        ("Location", "https://a.example/?access_token=\(secrets[0])&t=\(secrets.last ?? "")"),
      ]
    }

    private func operations(in request: String) -> [String] {
      let form = request.firstRange(of: "batch=").map { request[$0.upperBound...] } ?? ""
      let text = PercentEncoding.decoded(
        String(form.prefix { $0 != "&" }).replacing("+", with: " "))
      return (try? JSON(parsing: text))?.array?.map { $0.serialized() } ?? []
    }

    private func body(of operation: String) -> String {
      let names = secrets.map { "\(JSON.string($0).serialized()):1" }.joined(separator: ",")
      let leak = JSON.string(leak).serialized()
      if operation.contains("wrong") {
        return """
          {"error":{"message":\(leak),"type":\(leak),"code":100,"error_subcode":33,\
          "error_user_title":\(leak),"error_user_msg":\(leak),"fbtrace_id":\(leak),\
          "error_data":{"x":\(leak),\(names)},\(names)},\(names)}
          """
      }
      let people = (operation.contains("accounts") ? tokens : []).enumerated()
        .map { "{\"id\":\"\($0.offset)\",\"tok\":\(JSON.string($0.element).serialized())}" }
      let next = "https://a.example/me?access_token=\(secrets[0])&after=\(secrets.last ?? "")"
      let isFirst = !operation.contains("after=")
      let paging = operation.contains("paged") && isFirst ? #","paging":{"next":"\#(next)"}"# : ""
      return """
        {"id":"7","data":[\(people.joined(separator: ","))],"text":\(leak),"list":[\(leak)],\
        "escaped":"\(escapedLeak)","deep":{"inner":{\(names)}},\(names)\(paging)}
        """
    }
  }
}
