import JSONPath

/// The result of an operation, before version, tag and headers are added.
struct Outcome: Sendable {
  var status = 200
  /// JSON text; empty without a body.
  var body: [UInt8] = []
  var location: String?
  var isInvented = false

  static let success = Outcome(["success": true])
}

extension Outcome {
  /// A result with a JSON body.
  init(_ json: JSON, isInvented: Bool = false) {
    self.isInvented = isInvented
    GraphText.append(json, to: &body)
  }
}
