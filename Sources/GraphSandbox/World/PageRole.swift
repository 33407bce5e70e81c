/// What a user may do on a page, and the page token that goes with it.
struct PageRole: Hashable, Sendable {
  let token: String
  let tasks: [String]
}
