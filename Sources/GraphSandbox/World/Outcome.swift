import JSONPath

/// What executing an operation came to, before version, tag and headers are added.
struct Outcome: Sendable {
  var status = 200
  /// JSON text; empty where there is no body.
  var body: [UInt8] = []
  var location: String?
  var isInvented = false

  static let success = Outcome(["success": true])
}

extension Outcome {
  /// What is told in JSON.
  init(_ json: JSON, isInvented: Bool = false) {
    self.isInvented = isInvented
    GraphText.append(json, to: &body)
  }
}
