/// An `application/x-www-form-urlencoded` text under construction.
struct FormBody {
  /// The text so far.
  private(set) var bytes: [UInt8] = []

  /// The media type.
  static let contentType = "application/x-www-form-urlencoded"

  /// Appends one field.
  mutating func append(_ name: String, _ value: some Collection<UInt8>) {
    if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
    PercentEncoding.append(name.utf8, to: &bytes)
    bytes.append(UInt8(ascii: "="))
    PercentEncoding.append(value, to: &bytes)
  }

  /// The text of these fields.
  static func text(_ fields: [BatchOperation.Parameter]) -> String {
    var text: [UInt8] = []
    write(fields, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the text of these fields.
  static func write(_ fields: [BatchOperation.Parameter], to output: inout [UInt8]) {
    for (index, field) in fields.enumerated() {
      if index > 0 { output.append(UInt8(ascii: "&")) }
      PercentEncoding.append(field.name.utf8, to: &output)
      output.append(UInt8(ascii: "="))
      PercentEncoding.append(field.value.utf8, to: &output)
    }
  }
}
