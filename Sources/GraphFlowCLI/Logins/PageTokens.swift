import GraphAPI
import JSONPath

/// The pages that a person may act as, each with its token.
///
/// Source: Pages API, "Get Started", `GET me/accounts`.
struct PageTokens: Sendable {
  private var pages: [(page: NamedID, token: AccessToken?)] = []
  /// The most pages that a message lists.
  private static let shown = 10

  /// Reads all pages of a person's list, page by page.
  init(
    of person: AccessToken, by client: GraphClient, appSecret: AppSecret?
  ) async throws {
    var cursor: String?
    repeat {
      let parameters =
        [("fields", "id,name,access_token"), ("limit", "100")]
        + (cursor.map { [("after", $0)] } ?? [])
      let body = try await client.body(
        of: SingleRequest(
          operation: BatchOperation(
            method: .get, path: "me/accounts",
            parameters: parameters.map { BatchOperation.Parameter(name: $0, value: $1) }),
          accessToken: person, version: client.version, appSecret: appSecret))
      guard let data = body["data"]?.array else { throw client.unusableAnswer }
      for entry in data {
        guard let page = NamedID(entry) else { continue }
        let token = entry["access_token"]?.string.flatMap { AccessToken($0) }
        if let token { ProcessRedactor.record(token) }
        pages.append((page, token))
      }
      let after =
        body["paging"]?["next"] == nil ? nil : body["paging"]?["cursors"]?["after"]?.string
      guard after != cursor else { break }
      cursor = after
    } while cursor != nil
  }

  /// The token of the page with this id or name, whatever the case of its letters.
  ///
  /// - Throws: if there is none, there are several, or the person may not act as the page.
  func token(of name: String) throws -> AccessToken {
    let found = pages.filter {
      $0.page.id == name || $0.page.name?.lowercased() == name.lowercased()
    }
    guard let (page, token) = found.first else {
      throw CommandFailure(
        .notPermitted, "the person has no page '\(name)'",
        hint: pages.isEmpty
          ? "the app needs pages_show_list, and the person chooses the pages at the login"
          : "the pages are: \(list(pages.map(\.page)))")
    }
    guard found.count == 1 else {
      throw CommandFailure(
        .usage, "the person has \(found.count) pages '\(name)'",
        hint: "name one by its id: \(list(found.map(\.page)))")
    }
    guard let token else {
      throw CommandFailure(.notPermitted, "the person may not act as \(page.text)")
    }
    return token
  }

  private func list(_ pages: [NamedID]) -> String {
    let more = pages.count > Self.shown ? ", and \(pages.count - Self.shown) more" : ""
    return pages.prefix(Self.shown).map(\.text).joined(separator: ", ") + more
  }
}
