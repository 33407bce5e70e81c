import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

struct ReadAheadTests {
  private struct Fault: Error {}

  @Test func `items come in their order, prepared or not, and a fault at its turn`() throws {
    let file = ReadAhead("rows.csv", in: context(faultBehind: 6))
    file.prepare(2)
    file.prepare(2)
    #expect(try file.items(atMost: 2).get() == [0, 1])
    #expect(try file.items(atMost: 2).get() == [2, 3])
    file.prepare(2)
    #expect(try file.items(atMost: 2).get() == [4, 5])
    file.prepare(2)
    #expect(throws: ItemsUnreadable.self) { try file.items(atMost: 2).get() }
  }

  /// A world with a file of numbers, which cannot be read behind one of them.
  private func context(faultBehind last: Int) -> RunContext {
    RunContext(
      graphURL: .standard,
      version: .current,
      token: { _ throws(TokenUnavailable) in throw TokenUnavailable(message: "", hint: "") },
      readFile: { _ in [] },
      openItems: { _ in
        var next = 0
        return ItemStream { count in
          guard next < last else { throw Fault() }
          defer { next += count }
          return (next..<next + count).map { .number(JSON.Number($0)) }
        }
      }
    )
  }
}
