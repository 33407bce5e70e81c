internal import Crypto
internal import GraphAPI
internal import JSONPath

/// What becomes of the writes of a run.
package enum WriteMode: Hashable, Sendable {
  case sent
  /// They are collected for a preview, and nothing that waits for one of them is sent either.
  case shown
  /// Only those are sent that a person has approved.
  case approved(WriteApproval)
}

/// The writes that a person has approved after a preview, by digests of all that is sent with them.
///
/// The raw value, in the journal, is the digests in hexadecimal, in order.
package struct WriteApproval: Hashable, Sendable, RawRepresentable {
  /// Half of a SHA-256.
  private struct Digest: Hashable, Comparable {
    let high: UInt64
    let low: UInt64

    static func < (left: Digest, right: Digest) -> Bool {
      (left.high, left.low) < (right.high, right.low)
    }
  }

  private var digests: Set<Digest> = []

  package init() {}

  package init?(rawValue: String) {
    let digits = Array(rawValue.utf8)
    guard digits.count.isMultiple(of: 32) else { return nil }
    func number(_ start: Int) -> UInt64? {
      UInt64(String(decoding: digits[start..<start + 16], as: UTF8.self), radix: 16)
    }
    for start in stride(from: 0, to: digits.count, by: 32) {
      guard let high = number(start), let low = number(start + 16) else { return nil }
      digests.insert(Digest(high: high, low: low))
    }
  }

  package var rawValue: String {
    func digits(_ number: UInt64) -> String {
      let text = String(number, radix: 16)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }
    return digests.sorted().map { digits($0.high) + digits($0.low) }.joined()
  }

  package var count: Int { digests.count }

  /// Approves an operation of a request, for the item with this key.
  mutating func add(_ operation: BatchOperation, of request: String, _ key: String?) {
    digests.insert(Self.digest(of: operation, request, key))
  }

  /// Whether exactly this operation is approved for this request and item.
  func holds(_ operation: BatchOperation, of request: String, _ key: String?) -> Bool {
    digests.contains(Self.digest(of: operation, request, key))
  }

  private static func digest(
    of operation: BatchOperation, _ request: String, _ key: String?
  ) -> Digest {
    func strings(_ texts: [String]) -> JSON { .array(texts.map(JSON.string)) }
    let parts: JSON = [
      strings([request] + [key].compactMap(\.self)),
      strings([
        operation.method.rawValue, operation.version?.description ?? "", operation.path,
      ]),
      .array(operation.parameters.map { strings([$0.name, $0.value]) }),
      .array(operation.headers.map { strings([$0.name, $0.value]) }),
      .array(
        operation.files.map {
          strings([
            $0.partName, $0.fileName, $0.contentType,
            Hexadecimal.text(of: SHA256.hash(data: $0.contents)),
          ])
        }),
    ]
    let hash = Array(SHA256.hash(data: Array(parts.serialized().utf8)))
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    return Digest(high: number(hash[0..<8]), low: number(hash[8..<16]))
  }
}
