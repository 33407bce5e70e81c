import GraphAPI
import JSONPath

/// The writes that a run would send, as far as they are known before the first of them.
///
/// For each request it holds the first and the last one, so it does not grow with the items.
package struct WritePreview: Sendable {
  /// The writes of one request.
  private struct Group {
    let name: String
    /// A condition that depends on writes; nil if they are sent in any case.
    let condition: String?
    var count = 0
    let first: [String]
    var last: [String]
  }

  /// By the indices of requests.
  private var groups: [Int: Group] = [:]
  /// An approval of exactly these writes.
  package private(set) var approval = WriteApproval()

  package init() {}

  package var count: Int { groups.values.reduce(0) { $0 + $1.count } }

  /// Adds a write in which the results of other writes are references.
  mutating func add(
    _ operation: BatchOperation, of request: Workflow.Request, at index: Int, key: String?,
    condition: String?
  ) {
    approval.add(operation, of: request.displayName, key)
    let lines = Self.lines(of: operation, key)
    var group =
      groups[index]
      ?? Group(name: request.displayName, condition: condition, first: lines, last: lines)
    group.count += 1
    group.last = lines
    groups[index] = group
  }

  /// The preview for people, line by line, in the order of the file.
  package var lines: [String] {
    groups.sorted { $0.key < $1.key }.flatMap { _, group in
      let count = group.count == 1 ? "1 write" : "\(group.count) writes"
      let heading = "\(group.name): \(count)" + (group.condition.map { ", if \($0)" } ?? "")
      func part(_ label: String, _ lines: [String]) -> [String] {
        lines.enumerated().map { ($0.offset == 0 ? "  \(label)" : "    ") + $0.element }
      }
      guard group.count > 1 else { return [heading] + part("", group.first) }
      return [heading] + part("first: ", group.first) + part("last: ", group.last)
    }
  }

  private static func lines(of operation: BatchOperation, _ key: String?) -> [String] {
    let item = key.map { " [\($0)]" } ?? ""
    let fields =
      (operation.parameters.map { ($0.name, $0.value) }
        + operation.headers.map { ("header " + $0.name, $0.value) }
        + operation.files.map {
          ("file " + $0.partName, "\($0.fileName), \($0.contents.count) bytes")
        })
    return ["\(operation.method.rawValue) \(shown(operation.path))\(item)"]
      + fields.map { "\($0.0)=\(shown($0.1))" }
  }

  /// A value in one line, cut if it is long; the id of a write is shown as such.
  private static func shown(_ text: String) -> String {
    // In JSON the marks of references are written as escapes.
    let json = text.contains("\\u0000{result=") ? try? JSON(parsing: text) : nil
    let shown = json.map { named($0).serialized() } ?? named(text)
    return shown.count <= 200 ? shown : "\(shown.prefix(200))… (\(shown.count) characters)"
  }

  private static func named(_ value: JSON) -> JSON {
    switch value {
    case .string(let text): .string(named(text))
    case .array(let elements): .array(elements.map(named))
    case .object(let members): .object(JSON.Object(members.map { ($0, named($1)) }))
    case .null, .bool, .number: value
    }
  }

  /// A text in one line, with the names of the references between their marks.
  private static func named(_ text: String) -> String {
    // Data is at even places.
    let pieces = text.split(separator: "\0", omittingEmptySubsequences: false)
    return pieces.enumerated().map { index, piece in
      guard index % 2 == 1, piece.hasPrefix("{result="), piece.hasSuffix(":$.id}") else {
        return piece.replacing("\n", with: "\\n").replacing("\r", with: "\\r")
      }
      return "<id of \(piece.dropFirst("{result=".count).dropLast(":$.id}".count))>"
    }.joined()
  }

  /// The name of a group whose items are known only after a write, so that no preview can show them.
  package static func hiddenGroup(of workflow: Workflow) -> String? {
    let isAfterWrite = DependencyGraph(of: workflow).isAfterWrite
    return workflow.groups.first { group in
      group.source.reference.map { isAfterWrite[$0.request] } ?? false
    }?.name
  }
}
