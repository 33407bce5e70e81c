/// The command that asks a person for permissions: every message about missing ones ends with it.
package enum PermissionRequest {
  /// - Parameter options: What the command needs besides: a profile, or another host.
  package static func command(_ names: some Sequence<String>, options: String = "") -> String {
    "graphflow permissions request " + names.joined(separator: " ") + options
  }
}
