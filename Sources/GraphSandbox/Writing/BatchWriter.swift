/// Writes the answer to a batch: an array of items, `null` where there is none (docs/graph-api.md,
/// Answers).
struct BatchWriter {
  /// The items, each behind a comma.
  private var output: [UInt8] = []
  /// Which item stands where, if they are executed in another order than the batch's.
  private var pieces: [(index: Int, start: Int)]?

  init(count: Int, includesHeaders: Bool, isShuffled: Bool) {
    output.reserveCapacity(count * (includesHeaders ? 1_024 : 128))
    if isShuffled { pieces = [] }
  }

  /// Writes an item; an operation may ask to have no headers (docs/graph-api.md, Operations: iOS
  /// does).
  mutating func write(_ answer: Answer?, at index: Int, includesHeaders: Bool) {
    pieces?.append((index, output.count))
    guard let answer else { return output.append(contentsOf: ",null".utf8) }
    ItemText.append(answer, to: &output, includesHeaders: includesHeaders)
  }

  /// Writes an item that has been written before; without usage it shows no headers.
  mutating func write(_ text: ItemText, at index: Int, _ usage: UsageHeaders?) {
    pieces?.append((index, output.count))
    text.append(to: &output, usage)
  }

  /// The whole array, its items in the batch's order.
  consuming func finish() -> [UInt8] {
    if let pieces { sort(pieces) }
    if output.isEmpty { output = [0] }
    output[0] = UInt8(ascii: "[")
    output.append(UInt8(ascii: "]"))
    return output
  }

  private mutating func sort(_ pieces: [(index: Int, start: Int)]) {
    let ends = pieces.dropFirst().map(\.start) + [output.count]
    let written = zip(pieces, ends).sorted { $0.0.index < $1.0.index }
    output = written.flatMap { output[$0.0.start..<$0.1] }
  }
}
