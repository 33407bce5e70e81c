internal import GraphAPI
internal import JSONPath

extension Failure {
  /// `category other, reason not_found, code 803, trace AbC124`.
  var factsLine: String { factsLine(withType: false) }

  /// The facts of the error, with or without the type that Graph states.
  func factsLine(withType: Bool) -> String {
    var line = "category \(category.rawValue), reason \(reason.rawValue)"
    if let code = error.code {
      line += ", code \(code)" + (error.subcode.map { "/\($0)" } ?? "")
    }
    if withType, let type = error.type { line += ", type \(type)" }
    if let trace = error.fbtraceID { line += ", trace \(trace)" }
    return line
  }

  /// The facts, and the hint on a line of its own.
  var facts: String { hint.isEmpty ? factsLine : factsLine + "\nhint: " + hint }
}

extension ExpectationResult {
  /// `expected: $.name == 'Pepsi'; wrong page; actual: "Coca-Cola"`.
  var sentence: String {
    let shown = actual.map { "; actual: " + String($0.serialized().prefix(200)) } ?? ""
    return "expected: \(check)" + (message.map { "; " + $0 } ?? "") + shown
  }
}
