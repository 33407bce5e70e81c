import JSONPath
import Testing

@testable import GraphFlow

struct ReadAheadTests {
  struct Fault: Error {}

  @Test func `items come in their order, prepared or not, and a fault at its turn`() throws {
    let file = ReadAhead(opening: { numbers(faultBehind: 6) }, element: { "\($1): \($0)" })
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

/// A file of numbers, which cannot be read behind one of them.
private func numbers(faultBehind last: Int) -> ItemStream {
  var next = 0
  return ItemStream { count in
    guard next < last else { throw ReadAheadTests.Fault() }
    defer { next += count }
    return (next..<next + count).map { .number(JSON.Number($0)) }
  }
}
