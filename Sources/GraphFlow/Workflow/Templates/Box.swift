/// A value on the heap: a copy shares it, and gives access to the value's properties.
@dynamicMemberLookup
package final class Box<Value: Sendable>: Sendable {
  package let value: Value

  package init(_ value: consuming Value) { self.value = value }

  /// A box with a changed copy of the value.
  package func changed(_ change: (inout Value) -> Void) -> Box {
    var copy = value
    change(&copy)
    return Box(copy)
  }

  package subscript<Part>(dynamicMember part: KeyPath<Value, Part>) -> Part {
    value[keyPath: part]
  }
}

extension Box: Equatable where Value: Equatable {
  package static func == (one: Box, other: Box) -> Bool { one.value == other.value }
}

extension Box: Hashable where Value: Hashable {
  package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
