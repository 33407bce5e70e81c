import GraphAPI
import JSONPath

/// Logs a device in: asks for a code, and waits until a person has entered it elsewhere.
///
/// Source: Facebook Login, "Login for Devices"; RFC 8628 section 3.5 for how often is asked.
struct DeviceLoginFlow<Way: Transport, Time: Clock>: Sendable
where Time.Duration == Duration, Time: Sendable {
  let client: GraphClient<Way>
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
      switch try await poll(code) {
      case .answer(.granted(let grant)): return grant
      case .answer(.pending): (pause, trouble) = (interval, nil)
      case .answer(.tooOften):
        interval += slowDown
        (pause, trouble) = (interval, nil)
      case .answer(.declined): throw refusal
      case .answer(.expired): throw lateness
      case .answer(.refused(let error, let status)):
        throw CommandFailure(refusal: error, status: status, client.mask)
      case .answer(.passing(let message)):
        trouble = note(CommandFailure(.tryAgainLater, shown(message)), after: trouble)
        pause = min(max(pause * 2, interval), max(longestPause, interval))
      case .nothing(let failure):
        trouble = note(failure, after: trouble)
        pause = min(max(pause * 2, interval), max(longestPause, interval))
      }
    }
    throw trouble ?? lateness
  }

  private enum Poll {
    case answer(DevicePoll)
    case nothing(CommandFailure)
  }

  private func poll(_ code: DeviceCode) async throws -> Poll {
    let request = code.poll(by: appClient, version: client.version)
    let answer: BatchAnswer
    do { answer = try await client.answer(to: request) } catch {
      let reason = client.failure(error)
      guard let failure = reason as? CommandFailure else { throw reason }
      return .nothing(failure)
    }
    return .answer(DevicePoll(answer))
  }

  /// What Graph words, without secrets that it repeats.
  private func shown(_ message: String) -> String {
    client.mask.masked(message)
  }

  /// Tells of trouble when it begins; it may be over the next time.
  private func note(_ failure: CommandFailure, after earlier: CommandFailure?) -> CommandFailure {
    if earlier == nil { tell("\(failure.message); asking again until the code is worth nothing") }
    return failure
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
