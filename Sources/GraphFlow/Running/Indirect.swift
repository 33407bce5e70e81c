/// A large value that most have not: where it is not, it costs one word, and copying costs nothing.
///
/// Its box (`$value`) shows a part of it without a copy of the rest.
@propertyWrapper
struct Indirect<Value: Sendable>: Sendable {
  /// What the value is in.
  final class Box: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  private(set) var projectedValue: Box?

  init(wrappedValue: Value?) {
    projectedValue = wrappedValue.map(Box.init)
  }

  var wrappedValue: Value? {
    get { projectedValue?.value }
    set { projectedValue = newValue.map(Box.init) }
  }
}

extension Indirect: Equatable where Value: Equatable {
  static func == (one: Indirect, other: Indirect) -> Bool { one.wrappedValue == other.wrappedValue }
}

extension Indirect: Hashable where Value: Hashable {
  func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
