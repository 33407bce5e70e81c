/// Facts that readers of world files need.
extension WorldDescription {
  /// Reads a time: seconds since 1970, a day, or a day and a time in UTC.
  package static func time(_ text: String) -> Int? { GraphTime.seconds(text) }

  /// Whether the sandbox answers with this version.
  package static func isUsable(version: String) -> Bool {
    VersionTable().answering(version) == version
  }
}

extension WorldDescription.User {
  /// The fields that may be described beside those with keys of their own, sorted.
  package static let fieldNames = NodeType.user.describableFields
}

extension WorldDescription.Page {
  /// The fields that may be described beside those with keys of their own, sorted.
  package static let fieldNames = NodeType.page.describableFields
}

extension NodeType {
  fileprivate var describableFields: [String] {
    let others: Set = ["access_token", "id", "instagram_business_account", "name", "tasks"]
    return fields.subtracting(others).sorted()
  }
}
