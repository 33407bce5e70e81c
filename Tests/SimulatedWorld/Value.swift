/// The simulation's own JSON: the product's parser would share its bugs.
enum Value: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(String)
  case text(String)
  case list([Value])
  case map([Member])

  struct Member: Sendable, Equatable {
    let name: String
    let value: Value
  }

  subscript(name: String) -> Value? {
    guard case .map(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  var string: String? { if case .text(let text) = self { text } else { nil } }

  var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }

  var elements: [Value] { if case .list(let elements) = self { elements } else { [] } }

  /// A map with these members.
  static func object(_ members: (String, Value)...) -> Value {
    .map(members.map { Member(name: $0.0, value: $0.1) })
  }

  static func integer(_ number: Int) -> Value { .number(String(number)) }

  /// The JSON text.
  var json: String {
    var output: [UInt8] = []
    write(to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  private func write(to output: inout [UInt8]) {
    switch self {
    case .null: output += "null".utf8
    case .bool(let flag): output += (flag ? "true" : "false").utf8
    case .number(let text): output += text.utf8
    case .text(let text): Value.write(text, to: &output)
    case .list(let elements):
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        element.write(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .map(let members):
      output.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        Value.write(member.name, to: &output)
        output.append(UInt8(ascii: ":"))
        member.value.write(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
      case 0..<32: output += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }
}
