/// What a message is about: `'timeout'`, or `the request 'status-post'`.
///
/// The description is computed only when a message needs it, which is rare.
package struct Subject: ExpressibleByStringLiteral, CustomStringConvertible {
  private let text: String
  private let name: String?

  package init(stringLiteral text: String) {
    self.text = text
    name = nil
  }

  package init(key: String) {
    text = ""
    name = key
  }

  package init(_ text: String, _ name: String) {
    self.text = text
    self.name = name
  }

  package var description: String {
    name.map { "\(text)\(text.isEmpty ? "" : " ")'\($0.short)'" } ?? text
  }
}
