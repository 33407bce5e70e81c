import JSONPath

/// Logins of devices without a browser (docs/internals/graph-api.md, Logging in, decision 39).
extension Logins {
  /// `POST device/login`: creates a code for the device and one for its user, who enters it on a page
  /// of the sandbox instead of `www.facebook.com/device`.
  mutating func beginDevice(
    _ request: GraphRequest, _ access: inout AccessTable, at now: Int, _ origin: String
  ) throws(GraphFault) -> Answer {
    try requireClient(request, access)
    devices = devices.filter { !$0.value.isExpired(at: now) }
    guard devices.count < Self.deviceLimit else { throw .throttled(.app) }
    let (code, userCode) = access.generator.nextDeviceCodes()
    devices[code] = DeviceLogin(
      userCode: userCode, scopes: request.parameters.words("scope"),
      asksAgain: request.parameters.words("auth_type").contains("rerequest"), created: now)
    return Answer([
      "code": .string(code), "user_code": .string(userCode),
      "verification_uri": .string(origin + PageRequest.devicePath),
      "expires_in": .number(.init(DeviceLogin.lifetime)),
      "interval": .number(.init(DeviceLogin.interval)),
    ])
  }

  /// `POST device/login_status`: the token, after the user has approved.
  mutating func pollDevice(
    _ request: GraphRequest, _ access: inout AccessTable, at now: Int
  ) throws(GraphFault) -> Answer {
    try requireClient(request, access)
    guard let code = request.parameters["code"], !code.isEmpty else {
      throw .parameterRequired("code")
    }
    guard let device = devices[code] else {
      throw .parameterMalformed("code", "the code of a device that waits")
    }
    guard !device.isExpired(at: now) else { throw .deviceExpired }
    let isTooSoon = device.lastPoll.map { now < $0 + DeviceLogin.interval } ?? false
    devices[code]?.lastPoll = now
    guard !isTooSoon else { throw .devicePollsTooOften }
    switch device.state {
    case .pending: throw .devicePending
    case .declined: throw .deviceDeclined
    case .approved(let user):
      devices[code] = nil
      return Answer([
        "access_token": .string(access.issueToken(to: user, at: now)),
        "expires_in": .number(.init(AccessTable.tokenLifetime)),
        "data_access_expiration_time": .number(.init(now + 7_776_000)),
      ])
    }
  }

  /// The devices whose code no user has entered yet, the oldest first.
  func waitingDevices(at now: Int) -> [DeviceLogin] {
    devices.values.filter { $0.state == .pending && !$0.isExpired(at: now) }
      .sorted { ($0.created, $0.userCode) < ($1.created, $1.userCode) }
  }

  /// Checks `access_token=APP_ID|CLIENT_TOKEN`; the application's own token is accepted, too.
  private func requireClient(
    _ request: GraphRequest, _ access: AccessTable
  ) throws(GraphFault) {
    guard let token = request.token else { throw .tokenRequired }
    guard token != access.applicationToken else { return }
    let prefix = access.application + "|"
    guard token.hasPrefix(prefix), token != prefix,
      clientToken.map({ token == prefix + $0 }) ?? true
    else { throw .tokenUnreadable }
  }

  /// The most devices that may wait at a time.
  private static let deviceLimit = 10_000
}

/// A device that waits until a user enters its code (docs/internals/graph-api.md, Logging in).
struct DeviceLogin: Hashable, Sendable {
  enum State: Hashable, Sendable {
    case pending
    case approved(user: String)
    case declined
  }

  let userCode: String
  let scopes: [String]
  /// Whether the user is asked again for what was declined before.
  let asksAgain: Bool
  let created: Int
  var lastPoll: Int?
  var state = State.pending

  /// Seconds until the code expires.
  static let lifetime = 420
  /// The least number of seconds between two polls.
  static let interval = 5

  func secondsLeft(at now: Int) -> Int { created + Self.lifetime - now }

  func isExpired(at now: Int) -> Bool { secondsLeft(at: now) <= 0 }
}
