/// A change of the world before a call is executed.
package enum WorldFault: Hashable, Sendable {
  /// The token of the matching operation is in this state from now on.
  case token(TokenState)
  /// The user of that token declines a permission.
  case declined(permission: String)
}
