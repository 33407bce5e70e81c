import JSONPath

/// Logins of devices without a browser (docs/internals/graph-api.md, Logging in, decision 39).
extension World {
  /// `POST device/login`: creates a code for the device and one for its user.
  mutating func beginDevice(_ request: GraphRequest) throws(GraphFault) -> Outcome {
    try requireClient(request)
    devices = devices.filter { !$0.value.isExpired(at: now) }
    guard devices.count < Self.deviceLimit else { throw .throttled(.app) }
    let (code, userCode) = identifiers.nextDeviceCodes()
    devices[code] = DeviceLogin(
      userCode: userCode, scopes: Self.names(request.parameters["scope"]), created: now)
    return Outcome([
      "code": .string(code), "user_code": .string(userCode),
      "verification_uri": "https://www.facebook.com/device",
      "expires_in": .number(.init(DeviceLogin.lifetime)),
      "interval": .number(.init(DeviceLogin.interval)),
    ])
  }

  /// `POST device/login_status`: the token, after the user has approved.
  mutating func pollDevice(_ request: GraphRequest) throws(GraphFault) -> Outcome {
    try requireClient(request)
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
      let token = issueToken(to: user, for: Self.tokenLifetime)
      return Outcome([
        "access_token": .string(token), "expires_in": .number(.init(Self.tokenLifetime)),
        "data_access_expiration_time": .number(.init(now + 7_776_000)),
      ])
    }
  }

  /// The devices whose code no user has entered yet, the oldest first.
  var waitingDevices: [DeviceLogin] {
    devices.values.filter { $0.state == .pending && !$0.isExpired(at: now) }
      .sorted { ($0.created, $0.userCode) < ($1.created, $1.userCode) }
  }

  /// The names in a list separated by commas or spaces.
  static func names(_ list: String?) -> [String] {
    (list ?? "").utf8.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Checks `access_token=APP_ID|CLIENT_TOKEN`; the application's own token is accepted, too.
  private func requireClient(_ request: GraphRequest) throws(GraphFault) {
    guard let token = request.token else { throw .tokenRequired }
    guard token != applicationToken else { return }
    let prefix = application + "|"
    guard token.hasPrefix(prefix), token != prefix,
      clientToken.map({ token == prefix + $0 }) ?? true
    else { throw .tokenUnreadable }
  }

  /// The most devices that may wait at a time.
  private static let deviceLimit = 10_000
}
