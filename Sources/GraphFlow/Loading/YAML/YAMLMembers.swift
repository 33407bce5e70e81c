/// The members of a YAML map, by key.
package struct YAMLMembers {
  /// The members in the order written.
  package let entries: [YAMLNode.Entry]
  /// Where to report a missing key: the location of the map or of its owner.
  package let location: SourceLocation
  /// Keys that an unknown key was probably meant for; they are not also reported as missing.
  var meant: Set<String> = []

  init(entries: [YAMLNode.Entry], location: SourceLocation) {
    self.entries = entries
    self.location = location
  }

  /// The value of a key.
  package subscript(key: String) -> YAMLNode? { entries.first { $0.key == key }?.value }

  /// The location of a key; ``location`` if the map does not have it.
  package func keyLocation(_ key: String) -> SourceLocation {
    entries.first { $0.key == key }?.keyLocation ?? location
  }

  /// Whether the map has a key, or an unknown key that was probably meant for it.
  package func mentions(_ key: String) -> Bool { self[key] != nil || meant.contains(key) }
}
