/// A user's tasks on a page, and the page token for them.
struct PageRole: Hashable, Sendable {
  let token: String
  let tasks: [String]
}
