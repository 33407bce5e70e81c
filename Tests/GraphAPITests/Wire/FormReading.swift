/// Parses a form body independently of the encoder under test.
func formFields(_ body: [UInt8]) -> [(name: String, value: String)] {
  String(decoding: body, as: UTF8.self).split(separator: "&").map { field in
    let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return (percentDecoded(parts[0]), parts.count > 1 ? percentDecoded(parts[1]) : "")
  }
}

/// Decodes form encoding: a plus is a space, and `%XX` is a byte.
func percentDecoded(_ text: some StringProtocol) -> String {
  var bytes: [UInt8] = []
  var rest = Array(text.utf8)[...]
  while let byte = rest.popFirst() {
    if byte == UInt8(ascii: "+") {
      bytes.append(UInt8(ascii: " "))
    } else if byte == UInt8(ascii: "%"), rest.count >= 2,
      let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
    {
      bytes.append(value)
      rest = rest.dropFirst(2)
    } else {
      bytes.append(byte)
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

extension [(name: String, value: String)] {
  subscript(name: String) -> String? { first { $0.name == name }?.value }
}
