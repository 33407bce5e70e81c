/// Requests of Koala's recordings that the sandbox does not serve or answers differently.
enum RecordedDifferences {
  /// A kind of request.
  struct Row: Sendable {
    /// As `docs/reference/sandbox.md` lists it.
    let title: String
    let matches: @Sendable (RecordedExchange) -> Bool

    init(_ title: String, _ matches: @Sendable @escaping (RecordedExchange) -> Bool) {
      self.title = title
      self.matches = matches
    }
  }

  static let unserved = [
    Row("`POST me/videos`") { $0.path == "/me/videos" },
    Row("`GET {page}/events`") { $0.path.hasSuffix("/events") },
    Row("`GET comments?ids=URL`, the comments of a web page") {
      $0.path == "/comments" && $0.arguments.contains("http")
    },
    Row("`GET search`") { $0.path == "/search" },
    Row("`metadata=1`") { $0.arguments == "metadata=1" },
    Row("`POST {app}` with `restrictions`") { $0.arguments.hasPrefix("restrictions") },
    Row("`{app}/subscriptions` with a callback on another machine") {
      $0.path.hasSuffix("/subscriptions")
    },
    Row("`oauth/access_token` with a `code`, and `oauth/exchange_sessions`") {
      $0.path.hasPrefix("/oauth")
    },
    Row("`GET {app}/app_event_types`") { $0.arguments.contains("app_event_types") },
    Row("`GET {user}/likes`") { $0.path == "/koppel/likes" },
  ]

  /// Requests recorded from an older version, or written by hand.
  static let different = [
    Row("test users without an installation: with a token then, without one now") {
      $0.arguments.hasPrefix("installed=false")
    },
    Row("the deletion of an unknown test user: then an error about a code") {
      $0.path == "/9999999991"
    },
    Row("reads without a token, pictures too: answered then, refused now") {
      !$0.hasToken && $0.status != 400 && !$0.path.hasPrefix("/oauth")
    },
    Row("`me` without a token: then the text of error 104, now that of 2500") {
      !$0.hasToken && $0.status == 400 && $0.path.hasPrefix("/me")
    },
    Row("an unknown name in a reference: then error 190, now the text that names it") {
      $0.arguments.contains("i-dont-exist")
    },
    Row("a photo on the wall of somebody else: ended in 2013") {
      $0.arguments.contains("barackobama/photos")
    },
    Row("the title that a client gave a link: ended in 2017") {
      $0.method == "get" && ["/FEED_ITEM_CONTEXT", "/FEED_ITEM_DICTIONARY"].contains($0.path)
    },
    Row("an edge without a node: then a status of 500, now error 803") {
      $0.path == "/comments" && $0.arguments.isEmpty
    },
  ]

  static func isUnserved(_ exchange: RecordedExchange) -> Bool {
    (unserved + different).contains { $0.matches(exchange) }
  }
}
