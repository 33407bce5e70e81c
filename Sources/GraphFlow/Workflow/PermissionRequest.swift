/// The command that asks a person for permissions: every message about missing ones ends with it.
package enum PermissionRequest {
  /// The command for some permissions.
  ///
  /// - Parameters:
  ///   - names: The permissions.
  ///   - profile: The profile whose login asks. Left out are a name that a shell would not take as it
  ///     is, such as the text of a reference, and the profile of a page, whose person grants.
  ///   - options: What the command needs besides.
  /// - Returns: The command, as a shell takes it.
  package static func command(
    _ names: some Sequence<String>, profile: String = "default", options: String = ""
  ) -> String {
    let isPlain =
      !["default", "page"].contains(profile) && profile.utf8.allSatisfy(WorkflowName.isPart)
    return "graphflow permissions request " + names.joined(separator: " ")
      + (isPlain ? " --profile \(profile)" : "") + options
  }
}
