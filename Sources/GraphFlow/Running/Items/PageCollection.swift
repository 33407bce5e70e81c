import GraphAPI
import JSONPath

/// The pages of an edge that were read so far, and the way to the next one.
///
/// Source: Graph API, "Paginated Results". Only a missing `next` ends the pages: one may be empty.
struct PageCollection: Hashable, Sendable {
  private let pagination: Workflow.Pagination
  private var data: [JSON] = []
  private var pageCount = 0
  /// The parameters of the next page, out of its link.
  private var next: [BatchOperation.Parameter] = []
  private var seen: Set<[String]> = []
  /// Whether the next page has to be asked for.
  private(set) var hasMore = false
  /// Whether the pages ended because a link led to a page that was read already.
  private(set) var hasRepeated = false

  init(_ pagination: Workflow.Pagination) {
    self.pagination = pagination
  }

  /// What a body is among the pages.
  enum Addition: Hashable, Sendable {
    case page
    /// No page: it has no list `data`.
    case noPage
    /// A page with a link to the next one that is wanted and cannot be followed.
    case brokenLink
  }

  /// Adds a page, if the body is one.
  mutating func add(_ body: JSON) -> Addition {
    guard let items = body["data"]?.array else { return .noPage }
    data += items
    pageCount += 1
    (next, hasMore, hasRepeated) = ([], false, false)
    let isFull =
      pageCount >= pagination.maxPages ?? .max || data.count >= pagination.maxItems ?? .max
    guard !isFull, let link = body["paging"]?["next"], !link.isNull else { return .page }
    next = link.string.map(PageCollection.parameters) ?? []
    guard !next.isEmpty else { return .brokenLink }
    // A link that repeats would go on for ever.
    let isNew = seen.insert(next.map { "\($0.name)=\($0.value)" }).inserted
    hasMore = isNew
    hasRepeated = !isNew
    return .page
  }

  /// Turns an operation to the next page.
  ///
  /// Its own path, host and token stay, whatever the link names; the link's parameters win over the
  /// operation's own.
  func turn(_ operation: inout BatchOperation) {
    let names = Set(next.map(\.name))
    operation.parameters = operation.parameters.filter { !names.contains($0.name) } + next
  }

  /// What is told of an edge whose link to the next page repeats.
  static let repetitionNote =
    "the link to the next page repeats, so the pages end here; there may be more"

  /// The body that dependents and the report see.
  var body: JSON {
    ["data": .array(Array(data.prefix(pagination.maxItems ?? .max)))]
  }

  /// The parameters of a link, without the access token and what only Graph itself may send back; none
  /// if it is no address of the web.
  private static func parameters(of link: String) -> [BatchOperation.Parameter] {
    let address = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
    let start = address.prefix { $0 != ":" }.count + 3
    guard ["https://", "http://"].contains(address.prefix(start).lowercased()),
      let host = address.dropFirst(start).first, !"/?:@".contains(host)
    else { return [] }
    let query = address.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    return query.split(separator: "&").compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = PercentEncoding.decoded(String(parts[0]))
      // What says who asks, and what, is the request's own; a cursor may be called `page_token`.
      guard parts.count == 2, !name.hasPrefix("_fb_batch_"),
        !["access_token", "appsecret_proof", "fields", "method", "batch"].contains(name)
      else { return nil }
      return BatchOperation.Parameter(name: name, value: PercentEncoding.decoded(String(parts[1])))
    }
  }
}
