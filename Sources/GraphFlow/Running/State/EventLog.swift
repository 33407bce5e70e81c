import GraphAPI
import JSONPath

/// The events that the runner has not taken yet, and the secrets that are masked in them.
///
/// A secret is recorded where it is made or found, before it can reach a journal or report.
struct EventLog: Sendable {
  private let facts: RunFacts
  /// The places from which the workflow takes tokens.
  private let marks: TokenMarks
  /// Masks every secret that the run has received or found.
  private(set) var mask: SecretMask
  private var events: [RunEvent] = []

  /// Makes a log that knows the secrets from before the run: the app's, and those of inputs.
  init(for facts: RunFacts) {
    self.facts = facts
    marks = TokenMarks(in: facts.workflow)
    mask = facts.context.secrets
    if let secret = facts.context.appSecret { mask.record(secret) }
    if let token = facts.context.appToken { mask.record(token) }
    let inputs = facts.inputs
    for name in inputs.secretNames {
      // A short one occurs in too many texts by chance; it is registered when it is sent as a token.
      if let text = inputs[name]?.string, text.utf8.count >= 8 { mask.record(text) }
    }
    for value in inputs.all { mask.record(from: value) }
    for token in marks.tokens(ofInputs: inputs) { mask.record(token) }
  }

  mutating func append(_ event: RunEvent) { events.append(event) }

  /// Removes and returns the events, oldest first, with all secrets known by now masked.
  mutating func takeEvents() -> [RunEvent] {
    var taken = events
    for index in taken.indices {
      if let clean = mask.redacted(taken[index]) { taken[index] = clean }
    }
    events = []
    // A call ends with about as many events as the last one.
    events.reserveCapacity(taken.count)
    return taken
  }

  /// Whether the events hold the intent or the outcome of a write.
  var mustBeDurable: Bool {
    events.contains { event in
      switch event {
      case .runStarted, .runResumed, .endLost, .runEnded: true
      case .callStarted(let call):
        call.kind.carriesOperations && call.operations.contains { isWrite($0.request) }
      case .attemptEnded(let attempt): isWrite(attempt.attempt.request)
      case .requestEnded(let end): isWrite(end.request)
      case .permissionsRead, .tokenRead, .callEnded, .baselineRead, .itemsListed, .reportRun,
        .paused, .concurrencyChanged:
        false
      }
    }
  }

  private func isWrite(_ request: Int) -> Bool { facts.workflow.requests[request].isWrite }

  mutating func recordSecret(_ token: AccessToken) { mask.record(token) }

  /// Records the secrets of an answer: values with a secret's name, and those used as tokens.
  mutating func recordSecrets(in body: ResponseBody, of request: Int) {
    if mayContainSecret(body), let value = try? body.json() { mask.record(from: value) }
    for token in marks.tokens(ofAnswer: body, to: request) { mask.record(token) }
  }

  /// Records the secrets of the answer to a confirmation check.
  mutating func recordSecrets(in body: JSON, checked response: OperationResponse) {
    if mayContainSecret(response.body) { mask.record(from: body) }
  }

  private func mayContainSecret(_ body: ResponseBody) -> Bool {
    body.mayContainSecret ?? Redaction.mayContainSecret(body.text)
  }

  /// Records the secrets of an item.
  mutating func recordSecrets(ofItem value: JSON, in group: Int) {
    mask.record(from: value)
    for token in marks.tokens(ofItem: value, in: group) { mask.record(token) }
  }

  /// Returns the secrets that were recorded since the last call.
  mutating func takeSecrets() -> [String] { mask.takeNewSecrets() }
}
