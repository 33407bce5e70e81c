/// Replaces secrets in a stream of bytes to a file or a terminal, regardless of chunk boundaries.
///
/// It is the last safeguard, after the code that keeps secrets out of texts: it replaces the recorded
/// secrets of a ``SecretMask``, in all forms, and texts that look like a token of Graph.
///
/// - Complexity: Each byte is scanned once; it buffers little more than the longest form.
package struct SecretStream: Sendable {
  private let mask: SecretMask
  private let lookahead: Int
  /// The bytes that may belong to an incomplete secret.
  private var rest: [UInt8] = []
  /// The number of bytes of the rest at which no recorded secret starts.
  private var scanned = 0
  /// The byte before the rest.
  private var previous: UInt8 = 0
  /// Whether the stream is within a token whose beginning was replaced.
  private var isInToken = false

  package init(_ mask: SecretMask) {
    self.mask = mask
    lookahead = max(mask.longestForm, SecretShape.lookahead) - 1
  }

  /// Processes a chunk, and returns the bytes that can be written.
  package mutating func process(_ bytes: [UInt8]) -> [UInt8] { process(bytes, isEnd: false) }

  /// Processes the last chunk, and returns all remaining bytes.
  package mutating func finish(_ bytes: [UInt8] = []) -> [UInt8] { process(bytes, isEnd: true) }

  private mutating func process(_ bytes: [UInt8], isEnd: Bool) -> [UInt8] {
    let text = rest.isEmpty ? bytes : rest + bytes
    var output: [UInt8] = []
    let kept = text.withUnsafeBufferPointer { scan($0, isEnd: isEnd, into: &output) }
    rest = Array(text[kept...])
    if kept > 0 { previous = text[kept - 1] }
    return output
  }

  /// Copies the bytes that belong to no secret; returns the index of the first byte to keep.
  private mutating func scan(
    _ text: UnsafeBufferPointer<UInt8>, isEnd: Bool, into output: inout [UInt8]
  ) -> Int {
    let limit = isEnd ? text.count : text.count - lookahead
    var index = isInToken ? SecretShape.endOfToken(in: text, from: 0) : scanned
    isInToken = isInToken && index == text.count && !isEnd
    var copied = isInToken || scanned == 0 ? index : 0
    let isOpen = mask.replaceSecrets(
      in: text, from: &index, to: limit, &copied, after: previous, into: &output)
    isInToken = (isInToken || isOpen) && !isEnd
    let kept = isEnd ? text.count : max(copied, index - SecretShape.lookbehind)
    scanned = index - kept
    output += text[copied..<kept]
    return kept
  }
}

extension SecretMask {
  /// Copies a text, and replaces the recorded secrets and token-like texts between an index and a
  /// limit; the bytes after the last secret are not copied.
  ///
  /// - Returns: whether the text ends in a token that may continue.
  @inline(__always)
  func replaceSecrets(
    in text: UnsafeBufferPointer<UInt8>, from index: inout Int, to limit: Int, _ copied: inout Int,
    after previous: UInt8, into output: inout [UInt8]
  ) -> Bool {
    var isOpen = false
    while index < limit {
      let length = lengthOfForm(at: index, in: text)
      let token = length == nil ? SecretShape.token(at: index, in: text, after: previous) : nil
      guard let secret = length.map({ index..<index + $0 }) ?? token, secret.lowerBound >= copied
      else {
        index = min(nextCandidate(after: index, in: text), limit)
        continue
      }
      output += text[copied..<secret.lowerBound]
      output += Secret.mask.utf8
      index = secret.upperBound
      copied = index
      isOpen = token != nil && index == text.count
    }
    return isOpen
  }
}
