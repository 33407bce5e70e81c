import JSONPath

/// The value of `fields`: `id,posts.limit(5).as(recent){message,from{name}}`
/// (docs/internals/graph-api.md, Reading).
///
/// A class, because every object of a list is read with it: a copy would retain its parts.
final class FieldSelection: Sendable {
  struct Field: Sendable {
    let name: FieldName?
    /// The index of what is special about it; nil if it has only a known name.
    let detail: Int?
  }

  struct Detail: Sendable {
    /// The name as it is written.
    let text: String
    /// The name in the answer.
    let outputName: String
    /// The same as the key of a member: `"name":`.
    let key: [UInt8]
    /// Modifiers such as `.limit(5)`, as parameters.
    let modifiers: Parameters
    let selection: FieldSelection?
  }

  let fields: [Field]
  let details: [Detail]
  /// As written; `paging` repeats it.
  let text: ArraySlice<UInt8>

  /// How deep braces may nest.
  private static let depthLimit = 16

  private init(_ fields: [Field], _ details: [Detail], text: ArraySlice<UInt8>) {
    (self.fields, self.details, self.text) = (fields, details, text)
  }

  /// A selection of fields without modifiers.
  convenience init(_ names: [String]) {
    self.init(names.map { Field(name: FieldName($0), detail: nil) }, [], text: [])
  }

  /// Reads the value of `fields`; nil if it is absent or empty.
  static func reading(_ text: ArraySlice<UInt8>?) throws(GraphFault) -> FieldSelection? {
    guard let written = text else { return nil }
    let text =
      written.jsonList.map { Array($0.joined(separator: ",").utf8)[...] } ?? written
    guard !text.isEmpty else { return nil }
    var parser = Parser(text: text, position: text.startIndex)
    let selection = try parser.selection(depth: 0)
    guard parser.position == text.endIndex else {
      throw parser.fault("Expected end of string instead of \"\(parser.here)\".")
    }
    return selection
  }

  /// The name of a field as it is written.
  func text(of field: Field) -> String {
    field.detail.map { details[$0].text } ?? field.name?.text ?? ""
  }

  /// Checks that objects of one of these types have all fields, also those of edges.
  func check(on types: [NodeType]) throws(GraphFault) {
    guard let first = types.first else { return }
    for field in fields {
      let name = field.name
      if let name, let owner = types.first(where: { name.edge(of: $0) != nil }) {
        try field.detail.flatMap { details[$0].selection }?
          .check(on: owner.targets(of: Edge(name: name)))
      } else if name?.special != .id,
        name.map({ name in types.contains { name.isField(of: $0) } }) != true
      {
        throw .nonexistingField(text(of: field), on: first)
      }
    }
  }

  /// The selection without a field.
  func removing(_ name: FieldName?) -> FieldSelection {
    FieldSelection(
      fields.filter { $0.name != name || $0.detail != nil }, details, text: text)
  }

  /// The selected members of a value only; in a list, those of each element.
  func selecting(from value: JSON) -> JSON {
    switch value {
    case .array(let elements): return .array(elements.map(selecting))
    case .object(let members):
      var selected = JSON.Object()
      for field in fields {
        let detail = field.detail.map { details[$0] }
        guard let value = members[text(of: field)] else { continue }
        selected[detail?.outputName ?? text(of: field)] =
          detail?.selection?.selecting(from: value) ?? value
      }
      if selected["id"] == nil, let id = members["id"] { selected["id"] = id }
      return .object(selected)
    default: return value
    }
  }

  private struct Parser {
    let text: ArraySlice<UInt8>
    var position: Int

    mutating func selection(depth: Int) throws(GraphFault) -> FieldSelection {
      guard depth < FieldSelection.depthLimit else { throw fault("Expression is too deep.") }
      let start = position
      var fields: [Field] = []
      var details: [Detail] = []
      fields.reserveCapacity(8)
      // The names in the answer, once comparing them all would take long.
      var keys: Set<[UInt8]> = []
      func isNew(_ key: [UInt8]) -> Bool {
        func ownKey(_ field: Field) -> [UInt8]? {
          field.detail.map { details[$0].key } ?? field.name?.key
        }
        guard fields.count > 16 else { return !fields.contains { ownKey($0) == key } }
        if keys.isEmpty { keys = Set(fields.compactMap(ownKey)) }
        return keys.insert(key).inserted
      }
      repeat {
        let written = try name()
        let known = FieldName(text[written])
        if known == nil || !endsField,
          let detail = try detail(of: written, known, depth: depth)
        {
          let isNew = isNew(detail.key)
          details.append(detail)
          if isNew { fields.append(Field(name: known, detail: details.count - 1)) }
        } else if let known {
          let isNew =
            details.isEmpty ? !fields.contains { $0.name == known } : isNew(known.key)
          if isNew { fields.append(Field(name: known, detail: nil)) }
        }
      } while skip(",")
      return FieldSelection(fields, details, text: text[start..<position])
    }

    /// Whether nothing follows a field's name, as most often.
    private var endsField: Bool {
      position == text.endIndex || text[position] == UInt8(ascii: ",")
        || text[position] == UInt8(ascii: "}")
    }

    /// Reads what follows a field's name; nil if it is a known name and nothing else.
    private mutating func detail(
      of written: Range<Int>, _ known: FieldName?, depth: Int
    ) throws(GraphFault) -> Detail? {
      var modifiers = Parameters()
      var nested: FieldSelection?
      while skip(".") {
        let modifier = try name()
        guard skip("(") else { throw fault("Expected \"(\" instead of \"\(here)\".") }
        let start = position
        while position < text.endIndex, text[position] != UInt8(ascii: ")") { position += 1 }
        let argument = text[start..<position]
        guard skip(")") else { throw fault("Expected \")\" instead of \"\(here)\".") }
        modifiers.append(text[modifier], argument)
      }
      skipSpaces()
      if skip("{") {
        nested = try selection(depth: depth + 1)
        guard skip("}") else { throw fault("Expected \"}\" instead of \"\(here)\".") }
        skipSpaces()
      }
      guard known == nil || modifiers.count > 0 || nested != nil else { return nil }
      let text = String(decoding: text[written], as: UTF8.self)
      let outputName = modifiers["as"] ?? text
      var key: [UInt8] = []
      GraphText.append(outputName, to: &key)
      key.append(UInt8(ascii: ":"))
      return Detail(
        text: text, outputName: outputName, key: key, modifiers: modifiers, selection: nested)
    }

    private mutating func name() throws(GraphFault) -> Range<Int> {
      skipSpaces()
      let start = position
      while position < text.endIndex, Self.isNamed(text[position]) { position += 1 }
      guard start < position else { throw fault("Expected name.") }
      return start..<position
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard position < text.endIndex, text[position] == UInt8(ascii: character) else {
        return false
      }
      position += 1
      return true
    }

    private mutating func skipSpaces() { while skip(" ") {} }

    var here: String { String(decoding: text[position...].prefix(1), as: UTF8.self) }

    func fault(_ problem: String) -> GraphFault {
      .fieldSyntax(
        problem, at: position - text.startIndex, of: String(decoding: text, as: UTF8.self))
    }

    private static func isNamed(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: ":"), 128...:
        true
      default: false
      }
    }
  }
}
