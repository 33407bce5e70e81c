/// A permission that a user was asked for, and the answer (docs/graph-api.md, Permissions).
struct Permission: Hashable, Sendable {
  enum Status: String, Hashable, Sendable {
    case granted
    case declined
    case expired
  }

  let name: String
  var status: Status
}
