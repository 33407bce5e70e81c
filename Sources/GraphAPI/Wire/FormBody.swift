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
    var form = FormBody()
    for field in fields { form.append(field.name, field.value.utf8) }
    return String(decoding: form.bytes, as: UTF8.self)
  }
}
