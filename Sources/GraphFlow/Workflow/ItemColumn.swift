/// A column of a file of items, and the type of its values.
package struct ItemColumn: Hashable, Sendable {
  package let name: String
  package let type: InputType
  package let location: SourceLocation
}
