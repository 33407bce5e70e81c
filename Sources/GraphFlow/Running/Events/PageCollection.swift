package import GraphAPI
package import JSONPath

/// The pages of an edge that were read so far, and the parameters of the next one.
///
/// Source: Graph API, "Paginated Results". Only a missing `next` ends the pages: a page may be
/// empty.
package struct PageCollection: Hashable, Sendable {
  private let pagination: Workflow.Pagination
  /// The ids of elements that are left out.
  private let known: Set<String>
  /// Whether the newest elements come first: nothing new follows a page of which everything is known.
  private let isNewestFirst: Bool
  /// The elements of all pages, separated by commas: as text they take a quarter of the memory.
  private var elements: [UInt8] = []
  /// Whether the elements are kept; without them the body is empty.
  package var keepsElements = true {
    didSet { if !keepsElements { elements = [] } }
  }
  private var count = 0
  package private(set) var pageCount = 0
  /// The parameters of the next page, from its link.
  private var next: [BatchOperation.Parameter] = []
  private var seen: Set<[String]> = []
  /// Whether the next page has to be read.
  package private(set) var hasMore = false
  /// Whether the pages ended with a link to a page that was read before.
  package private(set) var hasRepeated = false

  package init(
    _ pagination: Workflow.Pagination, without known: [String] = [], isNewestFirst: Bool = false
  ) {
    (self.pagination, self.known) = (pagination, Set(known))
    self.isNewestFirst = isNewestFirst
  }

  /// The result of adding a body.
  package enum Addition: Hashable, Sendable {
    case page
    /// The body is not a page: it has no list `data`.
    case noPage
    /// The body is a page, but its link to the next page is needed and cannot be followed.
    case brokenLink
  }

  package mutating func add(_ body: JSON) -> Addition {
    guard let items = body["data"]?.array else { return .noPage }
    let news =
      known.isEmpty ? items : items.filter { $0["id"]?.idText.map(known.contains) != true }
    let page = news.prefix(pagination.maxItems.map { $0 - count } ?? .max)
    if keepsElements {
      if count > 0, !page.isEmpty { elements.append(UInt8(ascii: ",")) }
      elements += JSON.array(Array(page)).serialized().utf8.dropFirst().dropLast()
    }
    count += page.count
    pageCount += 1
    (next, hasMore, hasRepeated) = ([], false, false)
    let isFull =
      pageCount >= pagination.maxPages ?? .max || count >= pagination.maxItems ?? .max
      || isNewestFirst && news.isEmpty && !items.isEmpty
    guard !isFull, let link = body["paging"]?["next"], !link.isNull else { return .page }
    next = link.string.map(PageCollection.parameters) ?? []
    guard !next.isEmpty else { return .brokenLink }
    // Following a repeated link would never end.
    let isNew = seen.insert(next.map { "\($0.name)=\($0.value)" }).inserted
    hasMore = isNew
    hasRepeated = !isNew
    return .page
  }

  /// Sets the parameters of an operation to those of the next page.
  ///
  /// The operation keeps its own path, host and token, whatever the link contains. The link's
  /// parameters replace the operation's own.
  package func turn(_ operation: inout BatchOperation) {
    let names = Set(next.map(\.name))
    operation.parameters = operation.parameters.filter { !names.contains($0.name) } + next
  }

  /// The note of a request whose link to the next page repeats.
  package static let repetitionNote =
    "the link to the next page repeats, so the pages end here; there may be more"

  /// The body for dependents and the report.
  package var text: [UInt8] { Array(#"{"data":["#.utf8) + elements + Array("]}".utf8) }

  package var body: JSON { (try? JSON(parsing: text)) ?? .null }

  /// The parameters of a link, without the token and those that belong to the request itself.
  ///
  /// - Returns: The parameters; none if the link is not an HTTP URL.
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
      // Token and fields are the request's own. Names are compared exactly, because a cursor may be
      // called `page_token`.
      guard parts.count == 2, !name.hasPrefix("_fb_batch_"),
        !["access_token", "appsecret_proof", "fields", "method", "batch"].contains(name)
      else { return nil }
      return BatchOperation.Parameter(name: name, value: PercentEncoding.decoded(String(parts[1])))
    }
  }
}
