/// Requests of Koala's recordings that Graph has changed since, or has ended.
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

  static let rows = [
    Row("`GET search`: ended; pages are found at `pages/search`, with a feature that Meta reviews")
    {
      $0.path == "/search"
    },
    Row("`GET comments?ids=URL`, the comments of a web page: their plugin ended in February 2026") {
      $0.path == "/comments" && $0.arguments.contains("http")
    },
    Row("`GET {page}/events`: restricted since 2018; the sandbox lists events of the world file") {
      $0.path.hasSuffix("/events")
    },
    Row("`oauth/exchange_sessions`: ended, with the sessions from before OAuth 2.0") {
      $0.path == "/oauth/exchange_sessions"
    },
    Row("tokens of `oauth/access_token`: in a form then, in JSON since v2.3") {
      $0.path == "/oauth/access_token" && $0.status == 200
    },
    Row("a wrong code or token at `oauth/access_token`: one text then, one for each reason now") {
      $0.path == "/oauth/access_token" && $0.status == 400
    },
    Row("`fields` of `{app}/subscriptions`: names then, with their versions now") {
      $0.path.hasSuffix("/subscriptions") && $0.method == "get"
    },
    Row("a callback that does not answer: then without, now with the reason in the text") {
      $0.body.contains("#2200")
    },
    Row("test users without an installation: with a token then, without one now") {
      $0.arguments.hasPrefix("installed=false")
    },
    Row("the deletion of an unknown test user: then an error about a code") {
      $0.path == "/9999999991"
    },
    Row("reads without a token, but for pictures of users: answered then, refused now") {
      !$0.hasToken && $0.status == 200 && !$0.path.hasPrefix("/oauth")
        && !$0.path.hasPrefix("/koppel")
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

  static func isChanged(_ exchange: RecordedExchange) -> Bool {
    rows.contains { $0.matches(exchange) }
  }
}
