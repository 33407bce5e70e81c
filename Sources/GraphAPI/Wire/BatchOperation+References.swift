extension BatchOperation {
  /// The names of the operations that this one refers to, by `depends_on` or `{result=…}`.
  var predecessorNames: Set<String> {
    var names: Set<String> = []
    if let dependsOn { names.insert(dependsOn) }
    Self.collectNames(in: PercentEncoding.decoded(path), into: &names)
    for parameter in parameters {
      Self.collectNames(in: parameter.value, into: &names)
      Self.collectNames(in: parameter.name, into: &names)
    }
    return names
  }

  private static func collectNames(in text: String, into names: inout Set<String>) {
    for text in text.utf8.split(separator: "{result=".utf8, omittingEmptySubsequences: false)
      .dropFirst()
    {
      let name = text.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "}") }
      names.insert(String(decoding: name, as: UTF8.self))
    }
  }
}
