import JSONPath

/// Why the sandbox does not do what its control interface was asked for, and how to fix that.
struct ControlFailure: Error, Hashable, Sendable {
  /// The status of the answer.
  var status = 400
  let message: String
  let hint: String?

  init(_ message: String, status: Int = 400, hint: String? = nil) {
    (self.status, self.message, self.hint) = (status, message, hint)
  }

  var json: JSON {
    var error: JSON.Object = ["message": .string(message)]
    if let hint { error["hint"] = .string(hint) }
    return ["error": .object(error)]
  }
}
