/// A form body: `application/x-www-form-urlencoded`.
enum FormBody {
  /// The media type.
  static let contentType = "application/x-www-form-urlencoded"

  /// The encoded fields.
  static func text(_ fields: [BatchOperation.Parameter]) -> [UInt8] {
    var text: [UInt8] = []
    write(fields, to: &text)
    return text
  }

  /// Appends the encoded fields.
  static func write(_ fields: [BatchOperation.Parameter], to output: inout [UInt8]) {
    write(fields.lazy.map { ($0.name, $0.value.utf8) }, to: &output)
  }

  /// Appends encoded fields with values as bytes.
  static func write(
    _ fields: some Sequence<(String, some Collection<UInt8>)>, to output: inout [UInt8]
  ) {
    var isFirst = true
    for (name, value) in fields {
      if !isFirst { output.append(UInt8(ascii: "&")) }
      isFirst = false
      PercentEncoding.append(name.utf8, to: &output)
      output.append(UInt8(ascii: "="))
      PercentEncoding.append(value, to: &output)
    }
  }
}
