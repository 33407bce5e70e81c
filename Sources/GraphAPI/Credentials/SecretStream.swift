/// Takes secrets out of bytes on their way to a file or a screen, however they are cut into pieces.
///
/// It is the net under everything that keeps secrets out of texts by construction: it takes out what
/// a ``SecretMask`` knows, in all its forms, and what has the shape of a token of Graph.
///
/// - Complexity: each byte is looked at once; what is held back is little more than the longest form.
package struct SecretStream: Sendable {
  private let mask: SecretMask
  private let lookahead: Int
  /// What may belong to a secret that is not whole yet.
  private var rest: [UInt8] = []
  /// How many bytes of the rest begin no secret that the mask knows.
  private var scanned = 0
  /// The byte before the rest.
  private var previous: UInt8 = 0
  /// Whether the end of a token is awaited whose beginning was taken out.
  private var isInToken = false

  /// Makes a stream that takes out these secrets, and what looks like a token.
  package init(_ mask: SecretMask) {
    self.mask = mask
    lookahead = max(mask.longestForm, SecretShape.behind) - 1
  }

  /// Takes in bytes, and returns what may go on.
  package mutating func passing(_ bytes: [UInt8]) -> [UInt8] { pass(bytes, isEnd: false) }

  /// Takes in the last bytes, and returns everything that is left.
  package mutating func finishing(_ bytes: [UInt8] = []) -> [UInt8] { pass(bytes, isEnd: true) }

  private mutating func pass(_ bytes: [UInt8], isEnd: Bool) -> [UInt8] {
    let text = rest.isEmpty ? bytes : rest + bytes
    var output: [UInt8] = []
    let kept = text.withUnsafeBufferPointer { scan($0, isEnd: isEnd, into: &output) }
    rest = Array(text[kept...])
    if kept > 0 { previous = text[kept - 1] }
    return output
  }

  /// Copies what belongs to no secret; returns where begins what may.
  private mutating func scan(
    _ text: UnsafeBufferPointer<UInt8>,
    isEnd: Bool,
    into output: inout [UInt8]
  ) -> Int {
    let limit = isEnd ? text.count : text.count - lookahead
    var index = isInToken ? SecretShape.endOfToken(in: text, from: 0) : scanned
    isInToken = isInToken && index == text.count && !isEnd
    var copied = isInToken || scanned == 0 ? index : 0
    let isOpen = mask.replaceSecrets(
      in: text,
      from: &index,
      to: limit,
      &copied,
      after: previous,
      into: &output
    )
    isInToken = (isInToken || isOpen) && !isEnd
    let kept = isEnd ? text.count : max(copied, index - SecretShape.before)
    scanned = index - kept
    output += text[copied..<kept]
    return kept
  }
}

extension SecretMask {
  /// Copies a text with `***` in place of every secret, known or of a token's looks, that is told
  /// between an index and a limit; what follows the last one is not copied.
  ///
  /// - Returns: whether the text ends in a token that may go on.
  @inline(__always)
  func replaceSecrets(
    in text: UnsafeBufferPointer<UInt8>,
    from index: inout Int,
    to limit: Int,
    _ copied: inout Int,
    after previous: UInt8,
    into output: inout [UInt8]
  ) -> Bool {
    var isOpen = false
    while index < limit {
      let length = lengthOfForm(at: index, in: text)
      let token = length == nil ? SecretShape.token(at: index, in: text, after: previous) : nil
      guard let secret = length.map({ index..<index + $0 }) ?? token, secret.lowerBound >= copied
      else {
        index = min(nextPlace(behind: index, in: text), limit)
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
