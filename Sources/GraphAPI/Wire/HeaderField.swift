/// One HTTP header, whose name and value cannot break out of their line.
///
/// Source: RFC 9110 section 5.
public struct HeaderField: Hashable, Sendable {
  /// The name as written; comparing ignores case.
  public let name: String

  /// The value.
  public let value: String

  /// Makes a field; nil if the name is no token or the value holds a control character but a tab.
  public init?(_ name: String, _ value: String) {
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else { return nil }
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { return nil }
    self.name = name
    self.value = value
  }

  /// Whether this is the field of a name, case aside.
  package func isNamed(_ other: String) -> Bool {
    let (left, right) = (name.utf8, other.utf8)
    return left.count == right.count
      && zip(left, right).allSatisfy { $0.lowercased == $1.lowercased }
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}

extension [HeaderField] {
  /// The value of the first field of a name, case aside.
  package subscript(name: String) -> String? {
    first { $0.isNamed(name) }?.value
  }

  /// What `Retry-After` asks for: a number of seconds, or a date (RFC 9110 section 10.2.3).
  ///
  /// A date is one of the server's own clock, which the `Date` beside it shows.
  ///
  /// - Parameter clock: the server's time where these fields have no `Date`.
  /// - Returns: how long to wait; nil if there is no such field, or nothing tells the time.
  package func retryAfter(at clock: HTTPDate? = nil) -> Duration? {
    guard let text = self["Retry-After"] else { return nil }
    if let seconds = Int32(text) { return seconds >= 0 ? .seconds(Int(seconds)) : nil }
    guard let moment = HTTPDate(text), let clock = date ?? clock else { return nil }
    return .seconds(Swift.max(moment.seconds - clock.seconds, 0))
  }

  /// When the server says that it made the answer (RFC 9110, section 6.6.1).
  package var date: HTTPDate? { self["Date"].flatMap { HTTPDate($0) } }
}
