import JSONPath
import Testing

@testable import GraphFlow

struct ReadAheadTests {
  struct Fault: Error {}

  @Test func `items come in order, prepared or not, and a read error in its place`() throws {
    let file = ReadAhead(
      opening: { numbers(faultAfter: 6) },
      elements: { items, first in items.enumerated().map { "\(first + $0): \($1)" } })
    file.prepare(2)
    file.prepare(2)
    #expect(try file.items(atMost: 2).get() == ["0: 0", "1: 1"])
    #expect(try file.items(atMost: 2).get() == ["2: 2", "3: 3"])
    file.prepare(2)
    #expect(try file.items(atMost: 2).get() == ["4: 4", "5: 5"])
    file.prepare(2)
    #expect(throws: Fault.self) { try file.items(atMost: 2).get() }
  }
}

/// A file of numbers that cannot be read after one of them.
private func numbers(faultAfter last: Int) -> ItemStream {
  var next = 0
  return ItemStream { count in
    guard next < last else { throw ReadAheadTests.Fault() }
    defer { next += count }
    return (next..<next + count).map { .number(JSON.Number($0)) }
  }
}
