import GraphAPI
import JSONPath

/// Registering secrets where they are made or found, before anything is written that may hold them.
extension RunState {
  /// Learns what is secret before the run: the app's secret and token, and inputs.
  mutating func recordGivenValues() {
    if let secret = context.appSecret { mask.record(secret) }
    if let token = context.appToken { mask.record(token) }
    for name in inputs.secretNames {
      // A short one stands in too many texts by chance; it is a token once it is sent as one.
      if let text = inputs[name]?.string, text.utf8.count >= 8 { mask.record(text) }
    }
    for value in inputs.all { mask.record(from: value) }
    for token in marks.tokens(ofInputs: inputs) { mask.record(token) }
  }

  /// Learns what an answer holds under a secret's name, or where the file takes tokens from.
  mutating func recordSecrets(in body: [UInt8], of request: Int) {
    if Redaction.mayContainSecret(body), let value = try? JSON(parsing: body) {
      mask.record(from: value)
    }
    for token in marks.tokens(ofAnswer: body, to: request) { mask.record(token) }
  }

  /// Learns the tokens of an item.
  mutating func recordSecrets(ofItem value: JSON, in group: Int) {
    mask.record(from: value)
    for token in marks.tokens(ofItem: value, in: group) { mask.record(token) }
  }

  /// Takes the secrets that were learned since this was asked last.
  package mutating func takeSecrets() -> [String] { mask.takeNewSecrets() }
}
