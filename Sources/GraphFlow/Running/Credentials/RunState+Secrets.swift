import GraphAPI
import JSONPath

/// Registering secrets where they are made or found, before anything is written that may hold them.
extension RunState {
  /// Learns what is secret before the run: the app's secret and token, and inputs.
  mutating func learnWhatIsGiven() {
    if let secret = context.appSecret { mask.learn(secret) }
    if let token = context.appToken { mask.learn(token) }
    for name in inputs.secretNames {
      // A short one stands in too many texts by chance; it is a token once it is sent as one.
      if let text = inputs[name]?.string, text.utf8.count >= 8 { mask.learn(text) }
    }
    for value in inputs.all { mask.learn(from: value) }
    for token in marks.tokens(ofInputs: inputs) { mask.learn(token) }
  }

  /// Learns what an answer holds under a secret's name, or where the file takes tokens from.
  mutating func learnSecrets(in body: [UInt8], of request: Int) {
    if Redaction.mayHoldSecret(body), let value = try? JSON(parsing: body) {
      mask.learn(from: value)
    }
    for token in marks.tokens(ofAnswer: body, to: request) { mask.learn(token) }
  }

  /// Learns the tokens of an item.
  mutating func learnSecrets(ofItem value: JSON, in group: Int) {
    mask.learn(from: value)
    for token in marks.tokens(ofItem: value, in: group) { mask.learn(token) }
  }

  /// Takes the secrets that were learned since this was asked last.
  package mutating func takeSecrets() -> [String] { mask.takeFresh() }
}
