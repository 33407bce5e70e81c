/// What a client cannot tell from an answer alone: where the sandbox may differ from Graph.
///
/// The header `X-GraphFlow-Sandbox` carries it; the parts are separated by semicolons.
struct SandboxNote: Hashable, Sendable {
  static let header = "X-GraphFlow-Sandbox"
  static let invented = SandboxNote(isInvented: true)

  /// Whether the sandbox invented a part of the answer because Graph's is unknown.
  var isInvented = false
  /// Whether Graph serves what the sandbox refuses here.
  var isUnserved = false
  /// The parameters that Graph would have obeyed.
  var ignored: [String] = []

  /// Of a batch: what is not served or ignored in its operations, each after its index, from 0.
  var operations: [String] = []

  /// The note of a batch with these operations.
  ///
  /// Clients that do not ask for the headers of operations see it, too.
  init(ofBatch operations: [SandboxCall.Operation]) {
    self.operations = operations.indices.compactMap { index in
      guard let note = operations[index].note, note != Self.invented.text else { return nil }
      return "\(index) \(note.replacing("; ", with: ", "))"
    }
  }

  init(isInvented: Bool = false) { self.isInvented = isInvented }

  /// The parts of a header's value; what a batch says of its operations, each after its place, is left
  /// out.
  static func parts(of text: String) -> [String] {
    text.split(separator: ";").map { String($0).trimmed }.filter { $0.first?.isNumber != true }
  }

  /// The value of the header; nil: there is nothing to say.
  var text: String? {
    // As most answers.
    guard isInvented || isUnserved || !ignored.isEmpty || !operations.isEmpty else { return nil }
    var parts: [String] = []
    if isInvented { parts.append("invented") }
    if isUnserved { parts.append("not served") }
    // The names are Graph's own, so there are few, and they are safe in a header.
    if !ignored.isEmpty { parts.append("ignored " + ignored.joined(separator: ",")) }
    parts += operations
    return parts.joined(separator: "; ")
  }
}
