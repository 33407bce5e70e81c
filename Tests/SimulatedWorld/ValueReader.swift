extension Value {
  /// Parses JSON; nil if the bytes are not JSON.
  init?(parsing bytes: [UInt8]) {
    var reader = ValueReader(bytes)
    guard let value = reader.value(), reader.isAtEnd else { return nil }
    self = value
  }
}

/// A strict parser of JSON.
private struct ValueReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return place == bytes.count
    }
  }

  mutating func value() -> Value? {
    skipSpace()
    guard place < bytes.count else { return nil }
    switch bytes[place] {
    case UInt8(ascii: "{"): return map()
    case UInt8(ascii: "["): return list()
    case UInt8(ascii: "\""): return text().map(Value.text)
    case UInt8(ascii: "t"): return take("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return take("false") ? .bool(false) : nil
    case UInt8(ascii: "n"): return take("null") ? .null : nil
    default: return number()
    }
  }

  private mutating func map() -> Value? {
    place += 1
    var members: [Value.Member] = []
    if skip("}") { return .map([]) }
    while true {
      skipSpace()
      guard let name = text(), skip(":"), let value = value() else { return nil }
      members.append(Value.Member(name: name, value: value))
      if skip("}") { return .map(members) }
      guard skip(",") else { return nil }
    }
  }

  private mutating func list() -> Value? {
    place += 1
    var elements: [Value] = []
    if skip("]") { return .list([]) }
    while true {
      guard let value = value() else { return nil }
      elements.append(value)
      if skip("]") { return .list(elements) }
      guard skip(",") else { return nil }
    }
  }

  private mutating func text() -> String? {
    guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { return nil }
    place += 1
    var output: [UInt8] = []
    while true {
      let start = place
      while place < bytes.count, bytes[place] != UInt8(ascii: "\""),
        bytes[place] != UInt8(ascii: "\\")
      { place += 1 }
      guard place < bytes.count else { return nil }
      let (plain, mark) = (bytes[start..<place], bytes[place])
      place += 1
      if mark == UInt8(ascii: "\"") {
        return String(decoding: output.isEmpty ? plain : (output + plain)[...], as: UTF8.self)
      }
      output += plain
      guard place < bytes.count else { return nil }
      let escape = bytes[place]
      place += 1
      switch escape {
      case UInt8(ascii: "n"): output.append(10)
      case UInt8(ascii: "t"): output.append(9)
      case UInt8(ascii: "r"): output.append(13)
      case UInt8(ascii: "b"): output.append(8)
      case UInt8(ascii: "f"): output.append(12)
      case UInt8(ascii: "u"):
        let digits = String(decoding: bytes[place..<min(place + 4, bytes.count)], as: UTF8.self)
        guard let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number) else {
          return nil
        }
        place += 4
        output += String(Character(scalar)).utf8
      default: output.append(escape)
      }
    }
  }

  private mutating func number() -> Value? {
    let start = place
    while place < bytes.count, Self.isOfNumber(bytes[place]) { place += 1 }
    guard place > start else { return nil }
    return .number(String(decoding: bytes[start..<place], as: UTF8.self))
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private mutating func take(_ word: String) -> Bool {
    guard bytes[place...].starts(with: word.utf8) else { return false }
    place += word.utf8.count
    return true
  }

  private mutating func skip(_ mark: Unicode.Scalar) -> Bool {
    skipSpace()
    guard place < bytes.count, bytes[place] == UInt8(ascii: mark) else { return false }
    place += 1
    return true
  }

  private mutating func skipSpace() {
    while place < bytes.count, bytes[place] == 32 || (9...13).contains(bytes[place]) { place += 1 }
  }
}
