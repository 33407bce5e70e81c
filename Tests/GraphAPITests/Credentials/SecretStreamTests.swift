import Testing

@testable import GraphAPI

/// The masking of a stream of chunks.
struct SecretStreamTests {
  /// A generator of numbers that depends only on its seed (SplitMix64).
  private struct Chance {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return Int((value ^ (value >> 31)) % UInt64(bound))
    }
  }

  private static let secrets = [
    "hunter2-hunter2", "EAAshort", "EAAshort-and-longer", "4711|abcdef/+=%\"", "hunter2-hunter3x",
  ]

  /// Without the short forms, which disable the skip filter.
  private static let longSecrets = secrets.filter { $0.utf8.count > 8 }

  private func mask(_ secrets: [String] = Self.secrets) throws -> SecretMask {
    var mask = SecretMask()
    for secret in secrets { mask.record(try #require(AccessToken(secret))) }
    return mask
  }

  /// A naive masker that has all bytes at once and compares every form at every position.
  private func naivelyMasked(_ text: [UInt8], _ secrets: [String]) -> [UInt8] {
    let forms = secrets.flatMap { SecretForms.forms(of: $0) }
    var output: [UInt8] = []
    var index = 0
    while index < text.count {
      let form = forms.filter { text[index...].starts(with: $0) }.map(\.count).max()
      let rest = String(decoding: text[index...], as: UTF8.self)
      let before = index == 0 ? " " : String(decoding: [text[index - 1]], as: UTF8.self)
      let isInWord = before.wholeMatch(of: /[A-Za-z0-9_]/) != nil
      let shape = isInWord ? nil : rest.prefixMatch(of: /EAA[A-Za-z0-9_\-]{20,}/)?.0.utf8.count
      let isApp = rest.prefixMatch(of: /[0-9]{6,20}\|[A-Za-z0-9_\-]{16,}/)
      let app = isInWord ? nil : isApp?.0.utf8.count
      // A recorded secret may start within an app's id, and is replaced first.
      if let length = form ?? shape ?? app {
        output += Array("***".utf8)
        index += length
      } else {
        output.append(text[index])
        index += 1
      }
    }
    return output
  }

  private static let parts: [String] =
    secrets.flatMap {
      SecretForms.forms(of: $0).map { String(decoding: $0, as: UTF8.self) }.sorted()
    }
    + [
      "EAA", "EA", "E", "EAAGm0PX4ZCpsBAxxxxxxxxxx", "EAAGm0PX4ZCpsBAxxxx",
      "123456|abcdefghijklmnop",
      "12345|abcdefghijklmnop", "123456|abcdefghijklmno", "123456789012345678901|abcdefghijklmnopq",
      "|", "_", "-", " ", "\n", "{\"id\":\"122\"}", "hunter2", "aHVudGVy", "%25", "Zoë",
      String(repeating: "x1", count: 40),
    ]

  @Test(arguments: 0..<120) func `chunks are masked like the whole text, and as by a naive masker`(
    _ seed: UInt64
  ) throws {
    var chance = Chance(state: seed)
    let secrets = seed % 2 == 0 ? Self.secrets : Self.longSecrets
    let mask = try mask(secrets)
    let text = (0..<12).map { _ in Self.parts[chance.below(Self.parts.count)] }.joined()
    let bytes = Array(text.utf8)
    let naive = naivelyMasked(bytes, secrets)

    #expect(mask.redactedByValue(bytes) ?? bytes == naive, "\(text)")
    var whole = SecretStream(mask)
    #expect(whole.finish(bytes) == naive, "\(text)")
    for _ in 0..<20 {
      var stream = SecretStream(mask)
      var output: [UInt8] = []
      var rest = bytes[...]
      let longest = [1, 2, 7, 40, 300][chance.below(5)]
      while !rest.isEmpty {
        let piece = rest.prefix(1 + chance.below(longest))
        output += stream.process(Array(piece))
        rest = rest.dropFirst(piece.count)
      }
      output += stream.finish()
      #expect(output == naive, "\(text)")
    }
  }

  @Test func `a secret is masked wherever the chunks are divided`() throws {
    let text = Array(
      "before EAAGm0PX4ZCpsBAxxxxxxxxxx, hunter2-hunter2; 123456|abcdefghijklmnop.".utf8)
    let expected = Array("before ***, ***; ***.".utf8)
    for first in 0...text.count {
      for second in first...text.count {
        var stream = SecretStream(try mask())
        let output =
          stream.process(Array(text[..<first])) + stream.process(Array(text[first..<second]))
          + stream.finish(Array(text[second...]))
        #expect(output == expected)
      }
    }
  }

  @Test func `an endless token is replaced, and little of it is buffered`() throws {
    var stream = SecretStream(try mask())
    #expect(stream.process(Array("a EAA".utf8)).count <= 2)
    var output: [UInt8] = []
    for _ in 0..<1000 { output += stream.process([UInt8](repeating: 0x41, count: 1000)) }
    #expect(
      output + stream.finish(Array(" b".utf8)) == Array("a *** b".utf8).suffix(output.count + 2))
  }

  @Test func `a text without secrets passes unchanged`() {
    for text in [
      "", "E", "EAA", "1|2", "122000000000002_122000000000093", "{\"paging\":{}}", "é|è",
    ] {
      var stream = SecretStream(SecretMask())
      #expect(stream.finish(Array(text.utf8)) == Array(text.utf8))
      #expect(SecretMask().redactedByValue(Array(text.utf8)) == nil)
    }
  }
}
