import GraphFlow

/// What stands under the keys of a map; nil for what is not there, and for what cannot be used, which
/// has been reported then.
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

  mutating func integer(
    _ key: String,
    in members: Members,
    from range: ClosedRange<Int>
  ) -> Int? {
    members[key].flatMap { integer($0, Subject(key: key), in: range) }
  }

  mutating func duration(
    _ key: String,
    in members: Members,
    allowsZero: Bool = false
  ) -> Duration? {
    members[key].flatMap { duration($0, Subject(key: key), allowsZero: allowsZero) }
  }

  mutating func choice<Word: RawRepresentable<String> & CaseIterable>(
    _ key: String,
    in members: Members
  ) -> Word? {
    members[key].flatMap { choice($0, Subject(key: key)) }
  }

  /// The elements of a list, and the entries of a map; none where there is none.
  mutating func elements(_ key: String, in members: Members) -> [YAMLNode] {
    members[key].flatMap { elements(of: $0, Subject(key: key)) } ?? []
  }

  mutating func entries(_ key: String, in members: Members) -> [YAMLNode.Entry] {
    members[key].flatMap { entries(of: $0, Subject(key: key)) } ?? []
  }

  /// Reports that a key is missing, unless a misspelt one was meant for it.
  mutating func require(
    _ key: String,
    in members: Members,
    of subject: Subject,
    hint: String? = nil
  ) {
    guard !members.mentions(key) else { return }
    report(.missingKey, "\(subject) needs '\(key)'", at: members.location, hint: hint)
  }

  /// Expects the only version there is of a file's language under the key that tells its kind.
  mutating func checkVersion(_ key: String, in members: Members, of subject: Subject) {
    require(key, in: members, of: subject, hint: "write \(key): 1")
    _ = integer(key, in: members, from: 1...1)
  }
}
