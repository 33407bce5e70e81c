import JSONPath

/// Text to be sent, and whether Graph could take data in it for a reference.
struct BoundText: Hashable, Sendable {
  private(set) var text: String
  /// The unencoded text without references that are left to Graph; nil if it equals the text.
  private var original: String?

  /// Text that is the encoded form of data.
  init(_ text: String = "", data: String? = nil) {
    self.text = text
    original = data == text ? nil : data
  }

  init(_ filling: Bindings.Filling) {
    self.init()
    append(filling)
  }

  /// Whether Graph would expand data in the text: such text never enters a batch.
  var holdsReferenceLikeData: Bool { (original ?? text).holdsReferenceLikeText }

  mutating func append(data part: String) {
    original?.append(part)
    text.append(part)
  }

  /// Appends text that is the encoded form of data.
  mutating func append(_ part: String, data: String) {
    if part != data { original = original ?? text }
    original?.append(data)
    text.append(part)
  }

  mutating func append(_ filling: Bindings.Filling) {
    if let data = filling.data {
      append(data: data)
    } else if case .left(let reference) = filling {
      // No reference contains this character, so the text around it cannot join to one.
      append(reference, data: "\u{0}")
    }
  }
}

extension Bindings.Filling {
  var data: String? {
    switch self {
    case .value(let value): value.parameterText
    // Several values are separated by commas.
    case .values(let values): values.map(\.parameterText).joined(separator: ",")
    case .left: nil
    }
  }
}

extension PlaceholderFacts {
  /// The text of the member of an item that this stands for; nil if it has to be evaluated.
  func text(in item: JSON) -> String? {
    guard let itemMember, case .string(let text)? = item[itemMember] else { return nil }
    return text
  }
}

extension JSON {
  /// The value as text in a parameter or a path.
  ///
  /// A string is unchanged, `null` is empty, and any other value is compact JSON.
  var parameterText: String {
    switch self {
    case .null: ""
    case .string(let text): text
    default: serialized()
    }
  }
}
