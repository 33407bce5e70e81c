import GraphAPI
import JSONPath

/// Logs a device in: asks for a code, and waits until a person has entered it elsewhere.
///
/// Source: Facebook Login, "Login for Devices"; RFC 8628 section 3.5 for how often is asked.
struct DeviceLoginFlow<Time: Clock>: Sendable
where Time.Duration == Duration, Time: Sendable {
  let client: GraphClient
  /// The app's id, a bar, and its client token.
  let appClient: AccessToken
  /// What waits are counted on.
  let clock: Time
  /// Tells people what goes on.
  let tell: @Sendable (String) -> Void

  /// By how much is waited longer after having asked too often (RFC 8628 section 3.5).
  private var slowDown: Duration { .seconds(5) }
  /// The longest wait while Graph cannot be reached.
  private var longestPause: Duration { .seconds(60) }

  /// Asks for the codes.
  ///
  /// - Throws: a ``CommandFailure``, or a `CancellationError`.
  func begin(scopes: [String]) async throws -> DeviceCode {
    let request = DeviceCode.request(by: appClient, scopes: scopes, version: client.version)
    let body = try await client.body(of: request)
    guard let code = DeviceCode(body: body) else {
      throw CommandFailure(.failed, "the answer of \(client.url) holds no code to log in with")
    }
    return code
  }

  /// Waits for the person; asks never more often than Graph allows, and once more at the very end.
  ///
  /// - Throws: a ``CommandFailure`` if the person refuses, the time is over, or Graph gives no token
  ///   for another reason; a `CancellationError`.
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
        interval += slowDown
        (pause, trouble) = (interval, nil)
        continue
      case .success(.declined): throw refusal
      case .success(.expired): throw lateness
      case .success(.refused(let error, let status)):
        throw CommandFailure(refusal: error, status: status)
      case .success(.temporaryError(let message)):
        failure = CommandFailure(.tryAgainLater, ProcessRedactor.known.masked(message))
      case .failure(let reason): failure = reason
      }
      // Told of when it begins; it may be over the next time.
      if trouble == nil {
        tell("\(failure.message); asking again until the code is worth nothing")
      }
      trouble = failure
      pause = min(max(pause * 2, interval), max(longestPause, interval))
    }
    throw trouble ?? lateness
  }

  private func poll(_ code: DeviceCode) async throws -> Result<DevicePoll, CommandFailure> {
    let request = code.poll(by: appClient, version: client.version)
    do { return .success(DevicePoll(try await client.answer(to: request))) } catch let failure
      as CommandFailure
    { return .failure(failure) }
  }

  private var refusal: CommandFailure {
    CommandFailure(.notPermitted, "the login was refused by the person who was asked")
  }

  private var lateness: CommandFailure {
    CommandFailure(
      .tryAgainLater,
      "nobody entered the code in time: it is worth nothing any more",
      hint: "start the login again for a new code"
    )
  }
}
