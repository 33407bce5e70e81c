/// What a message is about: `'timeout'`, or `the request 'status-post'`.
///
/// Put together only when there is something to say: most of the time there is not.
package struct Subject: ExpressibleByStringLiteral, CustomStringConvertible {
  private let text: String
  private let name: String?

  /// Something of the language's.
  package init(stringLiteral text: String) {
    self.text = text
    name = nil
  }

  /// One of the language's keys.
  package init(key: String) {
    text = ""
    name = key
  }

  /// Something of the author's, with the name that the author gave it.
  package init(_ text: String, _ name: String) {
    self.text = text
    self.name = name
  }

  package var description: String {
    name.map { "\(text)\(text.isEmpty ? "" : " ")'\(YAMLFault.short($0))'" } ?? text
  }
}
