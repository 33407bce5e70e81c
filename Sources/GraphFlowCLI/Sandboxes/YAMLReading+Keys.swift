import GraphFlow

/// Reads the values of keys of a map; nil for a missing value, or an invalid one, which is reported.
extension YAMLReading {
  mutating func text(_ key: String, in members: YAMLMembers) -> String? {
    members[key].flatMap { text($0, Subject(key: key)) }
  }

  mutating func filledText(_ key: String, in members: YAMLMembers) -> String? {
    members[key].flatMap { filledText($0, Subject(key: key)) }
  }

  mutating func boolean(_ key: String, in members: YAMLMembers) -> Bool? {
    members[key].flatMap { boolean($0, Subject(key: key)) }
  }

  mutating func integer(
    _ key: String, in members: YAMLMembers, from range: ClosedRange<Int>
  ) -> Int? { members[key].flatMap { integer($0, Subject(key: key), in: range) } }

  mutating func duration(
    _ key: String, in members: YAMLMembers, allowsZero: Bool = false
  ) -> Duration? {
    members[key].flatMap { duration($0, Subject(key: key), allowsZero: allowsZero) }
  }

  /// The entries of a map; none if the key is missing.
  mutating func entries(_ key: String, in members: YAMLMembers) -> [YAMLNode.Entry] {
    members[key].flatMap { entries(of: $0, Subject(key: key)) } ?? []
  }

  /// Checks the version of the file's language, the value of the key that names its kind.
  mutating func checkVersion(_ key: String, in members: YAMLMembers, of subject: Subject) {
    _ = required(key, in: members, of: subject, hint: "write \(key): 1")
    _ = integer(key, in: members, from: 1...1)
  }
}
