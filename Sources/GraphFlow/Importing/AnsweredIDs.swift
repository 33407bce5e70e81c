internal import GraphAPI
internal import JSONPath

/// Where the ids and tokens of recorded answers come from.
struct AnsweredIDs {
  private enum Origin {
    case one(reference: String, isWrite: Bool)
    /// The client knew it before, or the answer holds it several times.
    case unclear
  }

  private var origins: [String: Origin] = [:]

  /// A request with references in place of the ids that earlier answers gave.
  ///
  /// What is deleted must have been made by a recorded request: at another time, the same place of
  /// an answer may hold something else.
  func linked(_ original: ImportedRequest) -> ImportedRequest {
    var request = original
    func replaced(_ text: String) -> String {
      reference(to: text, onlyWrites: original.method == .delete) ?? text
    }
    request.path = original.path.split(separator: "/").map { replaced(String($0)) }
      .joined(separator: "/")
    for (name, value) in original.parameters where Self.isID(value.fieldText) {
      let text = value.fieldText
      let linked = replaced(text)
      if linked != text { request.parameters[name] = .string(linked) }
    }
    return request
  }

  /// The marked reference to a value; nil if its origin is not known for certain.
  func reference(to value: String, onlyWrites: Bool) -> String? {
    guard case .one(let reference, let isWrite)? = origins[value], isWrite || !onlyWrites else {
      return nil
    }
    return MarkedReference.marked(reference)
  }

  /// Records the ids of an answer, unless they were known before.
  mutating func record(_ answer: JSON, of request: ImportedRequest, sent: ImportedRequest) {
    let known =
      sent.path.split(separator: "/").map(String.init)
      + sent.parameters.map(\.value.fieldText)
    for value in known where origins[value] == nil { origins[value] = .unclear }
    var found: [String: Origin] = [:]
    var open: [(value: JSON, name: String, query: String)] = [(answer, "", "$")]
    while let (value, name, query) = open.popLast() {
      switch value {
      case .object(let members):
        for (name, value) in members where WorkflowName.isWellFormed(name) && !name.holds("-") {
          open.append((value, name, "\(query).\(name)"))
        }
      case .array(let elements):
        for (index, element) in elements.enumerated() {
          open.append((element, name, "\(query)[\(index)]"))
        }
      case .string(let text)
      where Self.isID(text) || name == "access_token" && !text.isEmpty:
        let reference = "{result=\(request.name):\(query)}"
        found[text] =
          found[text] == nil
          ? .one(reference: reference, isWrite: request.method == .post) : .unclear
      default: break
      }
    }
    origins.merge(found) { earlier, _ in earlier }
  }

  /// Whether a text is an id such as `123456_789`, with six digits at least.
  private static func isID(_ text: String) -> Bool {
    let digits = text.utf8.count { WorkflowName.isDigit($0) }
    return digits >= 6 && text.utf8.first != UInt8(ascii: "_")
      && text.utf8.allSatisfy { WorkflowName.isDigit($0) || $0 == UInt8(ascii: "_") }
  }
}
