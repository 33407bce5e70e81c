import GraphAPI
import JSONPath

/// Registers secrets where they are created or found, before they can reach a journal or report.
extension RunState {
  /// Registers the secrets that are known before the run: the app's secret and token, and inputs.
  mutating func recordInitialSecrets() {
    if let secret = context.appSecret { mask.record(secret) }
    if let token = context.appToken { mask.record(token) }
    for name in inputs.secretNames {
      // A short one occurs in too many texts by chance; it is registered when it is sent as a token.
      if let text = inputs[name]?.string, text.utf8.count >= 8 { mask.record(text) }
    }
    for value in inputs.all { mask.record(from: value) }
    for token in marks.tokens(ofInputs: inputs) { mask.record(token) }
  }

  /// Registers the secrets of an answer: values with a secret's name, and those used as tokens.
  mutating func recordSecrets(in body: [UInt8], of request: Int) {
    if Redaction.mayContainSecret(body), let value = try? JSON(parsing: body) {
      mask.record(from: value)
    }
    for token in marks.tokens(ofAnswer: body, to: request) { mask.record(token) }
  }

  /// Registers the secrets of an item.
  mutating func recordSecrets(ofItem value: JSON, in group: Int) {
    mask.record(from: value)
    for token in marks.tokens(ofItem: value, in: group) { mask.record(token) }
  }

  /// Returns the secrets that were registered since the last call.
  package mutating func takeSecrets() -> [String] { mask.takeNewSecrets() }
}
