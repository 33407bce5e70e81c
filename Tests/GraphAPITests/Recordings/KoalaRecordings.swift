import TestSupport
import Testing

/// A batch that Koala's authors recorded: the request and the answer.
struct KoalaRecording: CustomTestStringConvertible {
  /// The line of the file.
  let line: Int

  /// The `batch` parameter, as JSON.
  let batch: String

  /// The names of the attached parts.
  let parts: [String]

  let status: Int
  let answer: String

  var testDescription: String { "mock_facebook_responses.yml:\(line)" }
}

extension KoalaRecording {
  /// All recorded batches; empty if the shared files are absent.
  static let all: [KoalaRecording] = {
    guard let path = SharedFiles.path("fixtures/koala/mock_facebook_responses.yml"),
      let text = try? text(of: path)
    else { return [] }
    return recordings(in: text)
  }()

  /// Parses `batch=<%= JSON.dump(RUBY) %>&PART=[FILE]:` and the answer after it.
  private static func recordings(in text: String) -> [KoalaRecording] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var recordings: [KoalaRecording] = []
    for (index, line) in lines.enumerated() where line.hasPrefix("    batch=<%= JSON.dump(") {
      let ruby = line.between("JSON.dump(", ") %>")
      let parts = line.between(") %>", "").split(separator: "&").map { part in
        String(part.prefix { $0 != "=" })
      }
      let (status, answer) = answer(under: lines[(index + 1)...])
      recordings.append(
        KoalaRecording(
          line: index + 1, batch: json(ofRuby: ruby), parts: parts.filter { $0 != ":" },
          status: status, answer: answer))
    }
    return recordings
  }

  private static func answer(under lines: ArraySlice<String>) -> (Int, String) {
    var status = 200
    for line in lines.dropFirst() {
      if line.contains(" code: ") { status = Int(line.between("code: ", "")) ?? 0 }
      if line.contains(" with_token: '") || line.contains(" body: '") {
        return (status, line.between("'", "").dropLastQuote)
      }
    }
    return (status, "")
  }

  /// Converts a Ruby literal of arrays and hashes to JSON, with `#{…}` evaluated.
  private static func json(ofRuby ruby: String) -> String {
    var text = ruby
    while let start = text.firstRange(of: "#{CGI.escape \""),
      let end = text[start.upperBound...].firstRange(of: "\"}")
    {
      let inner = text[start.upperBound..<end.lowerBound]
      text.replaceSubrange(start.lowerBound..<end.upperBound, with: cgiEscaped(inner))
    }
    text.replace("#{CGI.escape APP_ACCESS_TOKEN}", with: cgiEscaped("app|token"))
    text.replace("#{OAUTH_DATA[\"app_id\"]}", with: "app")
    return text.replacing("=>", with: ":")
  }

  /// The result of Ruby's `CGI.escape`.
  private static func cgiEscaped(_ text: some StringProtocol) -> String {
    text.utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      if character == " " { return "+" }
      if byte < 128, character.isLetter || character.isNumber || "-_.~".contains(character) {
        return String(character)
      }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}

extension String {
  fileprivate var dropLastQuote: String { last == "'" ? String(dropLast()) : self }
}
