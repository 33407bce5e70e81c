import JSONPath

/// Appends one JSON object, member by member, to a text that it consumes and returns.
struct MemberWriter {
  private var output: [UInt8]
  private var isFirst = true

  init(_ output: consuming [UInt8] = []) {
    self.output = output
    self.output.append(UInt8(ascii: "{"))
  }

  mutating func append(_ name: String, _ value: JSON) {
    appendName(name)
    GraphText.append(value, to: &output)
  }

  mutating func append(_ name: String, _ text: String) {
    appendName(name)
    GraphText.append(text, to: &output)
  }

  /// Appends a member with a value in JSON text.
  mutating func append(_ name: String, json: [UInt8]) {
    appendName(name)
    output.append(contentsOf: json)
  }

  mutating func finish() -> [UInt8] {
    output.append(UInt8(ascii: "}"))
    return output
  }

  private mutating func appendName(_ name: String) {
    if !isFirst { output.append(UInt8(ascii: ",")) }
    isFirst = false
    GraphText.append(name, to: &output)
    output.append(UInt8(ascii: ":"))
  }
}
