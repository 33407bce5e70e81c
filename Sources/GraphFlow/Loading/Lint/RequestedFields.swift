internal import JSONPath

/// The fields that a `fields` parameter requests: `id,name,posts.limit(5).as(recent){message}`.
///
/// Source: Graph API, "Field Expansion".
struct RequestedFields {
  /// Names that an answer may have without being requested.
  private static let always: Set<String> = [
    "data", "error", "headers", "id", "metadata", "paging", "success", "summary",
  ]

  /// The names of the fields in the answer.
  private let names: Set<String>
  private let inner: [String: String]
  /// The fields in order, each with those requested within it, as written.
  let list: [(name: String, inner: String?)]

  /// Reads the outermost names; nil if the text is not clearly a list of fields.
  init?(_ text: String) {
    var names: Set<String> = []
    var inner: [String: String] = [:]
    var list: [(name: String, inner: String?)] = []
    var bytes = Array(text.utf8)[...]
    repeat {
      bytes = bytes.drop { $0 == UInt8(ascii: " ") }
      let name = bytes.prefix(while: WorkflowName.isPart)
      guard !name.isEmpty else { return nil }
      names.insert(String(decoding: name, as: UTF8.self))
      bytes = bytes.dropFirst(name.count)
      guard let modifiers = Self.modifiers(&bytes) else { return nil }
      let own = modifiers.alias.isEmpty ? String(decoding: name, as: UTF8.self) : modifiers.alias
      names.insert(own)
      list.append((String(decoding: name, as: UTF8.self), modifiers.inner))
      if let fields = modifiers.inner { inner[own] = fields }
    } while bytes.popFirst() != nil
    self.names = names
    self.inner = inner
    self.list = list
  }

  /// Reads the modifiers of a name, up to the next outermost comma or the end: the alias, and the
  /// text between braces; nil if something else follows the name.
  private static func modifiers(
    _ bytes: inout ArraySlice<UInt8>
  ) -> (alias: String, inner: String?)? {
    let whole = bytes
    var depth = 0
    var alias = ""
    var opening: Int?
    var inner: String?
    bytes = bytes.drop { $0 == UInt8(ascii: " ") }
    guard bytes.first.map({ ",.({".utf8.contains($0) }) ?? true else { return nil }
    while let byte = bytes.first {
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "{"):
        if depth == 0, byte == UInt8(ascii: "{") { opening = bytes.startIndex + 1 }
        depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "}"):
        depth -= 1
        if depth == 0, let start = opening {
          inner = String(decoding: whole[start..<bytes.startIndex], as: UTF8.self)
          opening = nil
        }
      case UInt8(ascii: ",") where depth == 0: return (alias, inner)
      case UInt8(ascii: ".") where depth == 0 && bytes.starts(with: ".as(".utf8):
        let name = bytes.dropFirst(4).drop { $0 == UInt8(ascii: " ") }
        alias = String(decoding: name.prefix(while: WorkflowName.isPart), as: UTF8.self)
      default: break
      }
      bytes = bytes.dropFirst()
    }
    return (alias, inner)
  }

  func contains(_ name: String) -> Bool { names.contains(name) }

  /// The fields requested within a field, as written; nil if there are none.
  func text(within name: String) -> String? { inner[name] }

  /// The first name that a query reads and that was not requested.
  func unrequested(by query: Query, skipping skipped: Int = 0) -> String? {
    var segments = query.segments.dropFirst(skipped)
    // In a list, each element of `data` has the fields.
    if segments.count >= 3, segments.first?.onlyName == "data",
      Self.isElement(segments[segments.startIndex + 1])
    {
      segments = segments.dropFirst(2)
    }
    guard let name = segments.first?.onlyName, !names.contains(name),
      !Self.always.contains(name)
    else { return nil }
    return name
  }

  private static func isElement(_ segment: Segment) -> Bool {
    guard case .child = segment else { return false }
    return segment.selectors.allSatisfy { selector in
      guard case .name = selector else { return true }
      return false
    }
  }
}
