/// What shows nothing secret, however it is printed: every textual form is its description.
package protocol Confidential: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{}

extension Confidential {
  /// The description.
  public var debugDescription: String { description }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
