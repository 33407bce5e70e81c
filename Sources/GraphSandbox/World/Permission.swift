/// A permission that a user was asked for, and the answer (graph-api facts §7.1).
struct Permission: Hashable, Sendable {
  enum Status: String, Hashable, Sendable {
    case granted
    case declined
    case expired
  }

  let name: String
  var status: Status
}
