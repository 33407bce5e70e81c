/// What shows nothing secret, however it is printed: every textual form is its description.
package protocol Confidential: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{}

extension Confidential {
  /// The description.
  package var debugDescription: String { description }

  /// A mirror without children.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
