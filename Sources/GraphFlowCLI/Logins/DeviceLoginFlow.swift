import GraphAPI
import JSONPath

/// Logs a device in: asks for a code, and waits until a person has entered it elsewhere.
///
/// Source: Facebook Login, "Login for Devices"; RFC 8628 section 3.5 for the interval.
struct DeviceLoginFlow<Time: Clock>: Sendable
where Time.Duration == Duration, Time: Sendable {
  let client: GraphClient
  /// The app's id, a bar, and its client token.
  let appClient: AccessToken
  let clock: Time
  let notify: @Sendable (String) -> Void

  func requestCode(scopes: [String], asksAgain: Bool = false) async throws -> DeviceCode {
    let request = DeviceCode.request(
      by: appClient, scopes: scopes, asksAgain: asksAgain, version: client.version)
    let body = try await client.body(of: request)
    guard let code = DeviceCode(body: body) else {
      throw CommandFailure(.failed, "the answer of \(client.url) contains no login code")
    }
    return code
  }

  /// Waits for the person; polls never more often than Graph allows, and once more at the end.
  func token(for code: DeviceCode) async throws -> TokenGrant {
    let end = clock.now.advanced(by: .seconds(code.lifetime))
    var interval = Duration.seconds(code.interval)
    var pause = interval
    var trouble: CommandFailure?
    while clock.now < end {
      try await clock.sleep(until: min(clock.now.advanced(by: pause), end), tolerance: nil)
      let failure: CommandFailure
      switch try await poll(code) {
      case .success(.granted(let grant)): return grant
      case .success(.pending):
        (pause, trouble) = (interval, nil)
        continue
      case .success(.slowDown):
        // RFC 8628 section 3.5.
        interval += .seconds(5)
        (pause, trouble) = (interval, nil)
        continue
      case .success(.declined):
        throw CommandFailure(.notPermitted, Notifier.refusal)
      case .success(.expired): throw expiry
      case .success(.refused(let error, let status)):
        throw CommandFailure(refusal: error, status: status)
      case .success(.temporaryError(let message)):
        failure = CommandFailure(.tryAgainLater, ProcessRedactor.known.masked(message))
      case .failure(let reason): failure = reason
      }
      // Printed once only; the next poll may succeed.
      if trouble == nil { notify("\(failure.message); asking again until the code expires") }
      trouble = failure
      // At most a minute while Graph cannot be reached.
      pause = min(max(pause * 2, interval), max(.seconds(60), interval))
    }
    throw trouble ?? expiry
  }

  private func poll(_ code: DeviceCode) async throws -> Result<DevicePoll, CommandFailure> {
    let request = code.poll(by: appClient, version: client.version)
    do { return .success(DevicePoll(try await client.answer(to: request))) } catch let failure
      as CommandFailure
    { return .failure(failure) }
  }

  private var expiry: CommandFailure {
    CommandFailure(
      .tryAgainLater, "the code was not entered in time and has expired",
      hint: "start the login again for a new code")
  }
}
