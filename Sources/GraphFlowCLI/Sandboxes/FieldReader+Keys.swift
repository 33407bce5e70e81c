import GraphFlow

/// Reads the values of keys of a map; nil for a missing value, or an invalid one, which is reported.
extension FieldReader {
  mutating func text(_ key: String, in members: Members) -> String? {
    members[key].flatMap { text($0, Subject(key: key)) }
  }

  mutating func filledText(_ key: String, in members: Members) -> String? {
    members[key].flatMap { filledText($0, Subject(key: key)) }
  }

  mutating func boolean(_ key: String, in members: Members) -> Bool? {
    members[key].flatMap { boolean($0, Subject(key: key)) }
  }

  mutating func integer(_ key: String, in members: Members, from range: ClosedRange<Int>) -> Int? {
    members[key].flatMap { integer($0, Subject(key: key), in: range) }
  }

  mutating func duration(_ key: String, in members: Members, allowsZero: Bool = false) -> Duration?
  { members[key].flatMap { duration($0, Subject(key: key), allowsZero: allowsZero) } }

  mutating func choice<Word: RawRepresentable<String> & CaseIterable>(
    _ key: String, in members: Members
  ) -> Word? { members[key].flatMap { choice($0, Subject(key: key)) } }

  /// The elements of a list, or the entries of a map; none if the key is missing.
  mutating func elements(_ key: String, in members: Members) -> [YAMLNode] {
    members[key].flatMap { elements(of: $0, Subject(key: key)) } ?? []
  }

  mutating func entries(_ key: String, in members: Members) -> [YAMLNode.Entry] {
    members[key].flatMap { entries(of: $0, Subject(key: key)) } ?? []
  }

  /// Reports that a key is missing, unless a misspelt key was meant for it.
  mutating func require(
    _ key: String, in members: Members, of subject: Subject, hint: String? = nil
  ) {
    guard !members.mentions(key) else { return }
    report(.missingKey, "\(subject) needs '\(key)'", at: members.location, hint: hint)
  }

  /// Checks the version of the file's language, the value of the key that names its kind.
  mutating func checkVersion(_ key: String, in members: Members, of subject: Subject) {
    require(key, in: members, of: subject, hint: "write \(key): 1")
    _ = integer(key, in: members, from: 1...1)
  }
}
