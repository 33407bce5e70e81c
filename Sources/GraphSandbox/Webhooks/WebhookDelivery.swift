import Crypto
import JSONPath

/// One request with the changes of one call, and its attempts.
struct WebhookDelivery: Sendable {
  enum State: Hashable, Sendable {
    /// The next attempt is made at this time.
    case waiting(until: Int)
    case underWay
    case delivered
    /// No further attempt is made.
    case dropped
  }

  /// Counts from 1.
  let number: Int
  let object: String
  let request: CallbackRequest
  private(set) var state: State
  private(set) var attempts: [(time: Int, reply: CallbackReply)] = []

  /// How long a delivery is tried: 36 hours (Graph API, Webhooks, Frequency).
  static let lifetime = 36 * 3_600

  /// The most changes of one delivery (Graph API, Webhooks, Frequency).
  static let changeLimit = 1_000

  /// Makes a delivery of changes that go to one callback and are about one type of object.
  init(_ notices: ArraySlice<WebhookNotice>, number: Int, secret: String, at now: Int) {
    let first = notices[notices.startIndex]
    self.number = number
    object = first.change.object
    state = .waiting(until: now)
    var entries: [(id: String, changes: [WebhookNotice])] = []
    for notice in notices {
      if entries.last?.id != notice.change.id { entries.append((notice.change.id, [])) }
      entries[entries.count - 1].changes.append(notice)
    }
    let object = object
    let entry = entries.map { id, changes -> JSON in
      var members: JSON.Object = ["id": .string(id), "time": .number(.init(now))]
      if object == "user" || object == "permissions" { members["uid"] = .string(id) }
      if first.includesValue {
        members["changes"] = .array(
          changes.map { ["value": $0.change.value, "field": .string($0.change.field)] })
      } else {
        members["changed_fields"] = .array(changes.map { .string($0.change.field) })
      }
      return .object(members)
    }
    var body: [UInt8] = []
    GraphText.append(["object": .string(object), "entry": .array(entry)], to: &body)
    request = CallbackRequest(
      callback: first.callback, method: "POST", target: first.callback.target,
      headers: Self.headers(of: body, secret), body: body, mayLeave: first.isForwarded)
  }

  /// The headers of a body, which is signed as it is sent, with its escapes (Graph API, Webhooks,
  /// Validating Payloads).
  private static func headers(of body: [UInt8], _ secret: String) -> [String: String] {
    let key = SymmetricKey(data: Array(secret.utf8))
    let old = HMAC<Insecure.SHA1>.authenticationCode(for: body, using: key)
    let new = HMAC<SHA256>.authenticationCode(for: body, using: key)
    return [
      "Content-Type": "application/json",
      "User-Agent": "Webhooks/1.0 (https://fb.me/webhooks)",
      "X-Hub-Signature": "sha1=\(Hexadecimal.text(of: old))",
      "X-Hub-Signature-256": "sha256=\(Hexadecimal.text(of: new))",
    ]
  }

  var isPending: Bool { state != .delivered && state != .dropped }

  func isActive(at now: Int) -> Bool {
    if case .waiting(let time) = state { return time <= now }
    return state == .underWay
  }

  mutating func start() { state = .underWay }

  mutating func drop() { state = .dropped }

  /// Decides after an attempt: another one at once, then after 1, 4, 16 … minutes, until it would be
  /// too late; Graph's own pauses are not documented.
  mutating func finish(_ reply: CallbackReply, at now: Int) {
    attempts.append((now, reply))
    guard !reply.isSuccess else {
      state = .delivered
      return
    }
    let pause = attempts.count == 1 ? 0 : 60 << (2 * (attempts.count - 2))
    let next = now + pause
    state = next - attempts[0].time <= Self.lifetime ? .waiting(until: next) : .dropped
  }

  /// As the control interface lists it.
  var json: JSON {
    var members: JSON.Object = [
      "number": .number(.init(number)), "callback_url": .string(request.callback.description),
      "object": .string(object), "state": .string(word),
      "attempts": .array(
        attempts.map { time, reply in
          switch reply {
          case .answered(let status, _, _):
            ["time": .string(GraphTime.text(time)), "status": .number(.init(status))]
          case .failed(_, let reason):
            ["time": .string(GraphTime.text(time)), "error": .string(reason)]
          }
        }),
      "body": (try? JSON(parsing: request.body)) ?? .null,
    ]
    if case .waiting(let time) = state { members["next_attempt"] = .string(GraphTime.text(time)) }
    return .object(members)
  }

  /// The state in a word.
  var word: String {
    switch state {
    case .waiting: "waiting"
    case .underWay: "sending"
    case .delivered: "delivered"
    case .dropped: "dropped"
    }
  }
}
