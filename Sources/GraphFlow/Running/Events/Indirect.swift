/// Stores a large optional value on the heap: nil takes one word, and a copy shares the value.
///
/// The box (`$value`) gives access to a part of the value without a copy of the rest.
@propertyWrapper
struct Indirect<Value: Sendable>: Sendable {
  final class Box: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  private(set) var projectedValue: Box?

  init(wrappedValue: Value?) { projectedValue = wrappedValue.map(Box.init) }

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
