/// One HTTP header field; its name and value cannot contain line breaks.
///
/// Source: RFC 9110 section 5.
public struct HeaderField: Hashable, Sendable {
  /// The name as written; look-ups are case-insensitive.
  public let name: String
  /// The value.
  public let value: String

  /// Makes a field; nil if the name is not a token (RFC 9110 section 5.6.2), or if the value contains a
  /// control character other than a tab.
  public init?(_ name: String, _ value: String) {
    // Contiguous bytes are checked faster, and every answer has many fields.
    var (token, content) = (name, value)
    guard !name.isEmpty, token.withUTF8({ $0.allSatisfy(Self.isTokenByte) }) else { return nil }
    guard content.withUTF8({ $0.allSatisfy(Self.isContentByte) }) else { return nil }
    self.name = name
    self.value = value
  }

  /// Compares names case-insensitively.
  package func isNamed(_ other: String) -> Bool {
    let (left, right) = (name.utf8, other.utf8)
    return left.count == right.count
      && zip(left, right).allSatisfy { $0.lowercased == $1.lowercased }
  }

  private static func isContentByte(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F || byte == 0x09
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || byte == UInt8(ascii: "-") || "!#$%&'*+.^_`|~".utf8.contains(byte)
  }
}

extension [HeaderField] {
  /// The value of the first field with that name, case-insensitively.
  package subscript(name: String) -> String? { first { $0.isNamed(name) }?.value }

  /// The delay of `Retry-After`: a number of seconds, or a date (RFC 9110 section 10.2.3).
  ///
  /// A date is relative to the server's clock: the field `Date`, or `clock` without such a field.
  package func retryAfter(at clock: HTTPDate? = nil) -> Duration? {
    guard let text = self["Retry-After"] else { return nil }
    if let seconds = Int32(text) { return seconds >= 0 ? .seconds(Int(seconds)) : nil }
    guard let target = HTTPDate(text), let clock = date ?? clock else { return nil }
    return .seconds(Swift.max(target.seconds - clock.seconds, 0))
  }

  /// The time of the answer on the server's clock (`Date`; RFC 9110, section 6.6.1).
  package var date: HTTPDate? { self["Date"].flatMap { HTTPDate($0) } }
}
