internal import GraphAPI
internal import JSONPath

extension LintedFile {
  /// A POST whose effect is unknown if its answer is lost (docs/reference/language.md, "Writes in
  /// doubt").
  ///
  /// A note that any decision of the author removes, `idempotent: false` included.
  mutating func checkUnconfirmedWrite(_ request: Workflow.Request, _ node: YAMLNode) {
    guard request.method == .post, !request.isIdempotent, node.member("idempotent") == nil,
      node.member("confirm") == nil
    else { return }
    report(
      .unconfirmedWrite,
      "if the answer is lost, it is unknown whether '\(request.name)' took effect", as: .note,
      at: request.location,
      hint: "add confirm to check, or idempotent: true if repeating it does no harm, else false")
  }

  /// A `limit` beyond the longest page of most edges, which is a hundred items.
  ///
  /// Insights are left out: their pages may be longer, and large ones save calls.
  mutating func checkLimits(_ request: Workflow.Request, _ node: YAMLNode) {
    if request.method == .get {
      checkLimit(request.path, request.params, of: node)
      checkPages(request, node)
    } else if let confirmation = request.confirmation {
      checkLimit(confirmation.path, confirmation.params, of: node.member("confirm"))
    }
  }

  /// Shorter pages than Graph's own ("Paginated Results"), all of which are read: more calls.
  private mutating func checkPages(_ request: Workflow.Request, _ node: YAMLNode) {
    guard request.pagination == Workflow.Pagination(),
      case .literal(let value)? = request.params["limit"], let limit = value.limit,
      limit < JSON.Number(25), let place = node.member("params")?.member("limit")
    else { return }
    report(
      .smallLimit,
      "all pages are read, and pages of \(limit.lexeme.short) take more calls than Graph's own of 25",
      as: .note, at: place.location, hint: "write limit: 100")
  }

  private mutating func checkLimit(
    _ path: Template, _ params: [Workflow.Parameter], of node: YAMLNode?
  ) {
    guard case .literal(let value)? = params["limit"], let limit = value.limit,
      limit > JSON.Number(100), !path.text.isOfInsights,
      let place = node?.member("params")?.member("limit")
    else { return }
    report(
      .largeLimit,
      "most edges return at most 100 items a page, but this requests "
        + limit.lexeme.short, as: .note, at: place.location, hint: "write limit: 100")
  }

  /// Insights of ads that lack rows, or have a day too many.
  mutating func checkInsights(_ request: Workflow.Request, _ node: YAMLNode) {
    guard let insights = AdsInsights(request, in: workflow), let params = node.member("params")
    else { return }
    if let (fault, hint) = insights.lateEnd {
      report(
        .inclusiveUntil, "'until' belongs to the range, and \(fault)",
        at: (params.member("time_range")?.member("until") ?? params).location, hint: hint)
    }
    // A POST that starts a report by hand is not checked.
    if request.method == .get, let level = insights.incompleteLevel {
      report(
        .missingArchived,
        "insights at level '\(level)' leave out what has been archived or deleted since",
        at: (params.member("level") ?? params).location,
        hint: "filter by \(level).effective_status, with ARCHIVED and DELETED among its values")
    }
  }

  /// Numbers of people in the rows of windows, which invite adding them up.
  mutating func checkPeople(in output: Workflow.Output) {
    for placeholder in output.each == nil ? [] : output.placeholders {
      guard let name = placeholder.query?.segments.last?.onlyName, AdsInsights.countsPeople(name),
        let source = placeholder.reference ?? output.rows?.reference,
        AdsInsights(workflow.requests[source.request], in: workflow)?.isCutIntoWindows == true
      else { continue }
      report(
        .addedReach,
        "the '\(name)' of several windows cannot be added: each counts the same people",
        as: .note, at: placeholder.location, hint: "for a longer range, request that range")
    }
  }

  /// An answer that holds personal data and would be kept, unless the author has decided.
  mutating func checkPersonalData(_ request: Workflow.Request, _ path: EdgePath, _ node: YAMLNode) {
    guard request.method == .get, let edge = path.edge, EdgePath.personalEdges.contains(edge),
      node.member("omit_response") == nil
    else { return }
    report(
      .personalData, "journal and report keep the answer of '\(edge)', which holds personal data",
      as: .note, at: request.path.location,
      hint: "add omit_response: true, or false if they may keep it")
  }

  /// A request that only a page can make, with the token of a user (docs/reference/language.md,
  /// "Acting as a page").
  mutating func checkToken(_ request: Workflow.Request, _ path: EdgePath) {
    guard case .profile(let profile) = request.token, let edge = path.edge,
      EdgePath.edgesOfPages[request.method]?.contains(edge) == true,
      path.begins(at: .other, in: workflow), userProfiles.contains(profile)
    else { return }
    let page = path.node.map(String.init) ?? path.placeholder?.text ?? ""
    report(
      .userToken,
      "\(request.method.rawValue) \(edge) of a page needs the page's token, and this one is a user's: "
        + "it reads me/accounts", at: request.path.location,
      hint: "write as: {page: \"\(page)\"}")
  }

  /// A version that Graph no longer has, or ends soon.
  mutating func checkVersion(_ version: GraphVersion?, _ node: YAMLNode) {
    guard let version, let place = node.member("version") else { return }
    if let end = version.end(before: settings.today) {
      report(
        .retiredVersion,
        "Graph treats \(version) as its oldest available version"
          + (end.isEmpty ? "" : ", since \(end)"),
        at: place.location, hint: "write \(GraphVersion.current)")
    } else if let end = version.release?.usableUntil, end <= settings.horizon {
      report(
        .retiredVersion, "Graph ends \(version) on \(end)", at: place.location,
        hint: "write \(GraphVersion.current)")
    }
  }

  static func userProfiles(of workflow: Workflow) -> Set<String> {
    Set(
      workflow.requests.compactMap { request in
        guard case .profile(let profile) = request.token, EdgePath.listsPages(request) else {
          return nil
        }
        return profile
      })
  }

  /// Meta's limits for batches that create ads: no two ad sets of one campaign in a batch, and at
  /// most ten ads.
  ///
  /// Sources: Graph API, "Batch Requests"; Marketing API, "Batch Requests".
  mutating func checkAdsBatch(_ request: Workflow.Request, _ path: EdgePath) {
    // The number of a group's items, and their campaigns, are unknown here.
    guard request.method == .post, request.group == nil, !request.isAlone else { return }
    switch path.edge {
    case "adsets":
      guard let campaign = Self.text(of: request.params["campaign_id"]) else { return }
      guard let first = adsBatch.firstAdSets[campaign] else {
        adsBatch.firstAdSets[campaign] = request.name
        return
      }
      report(
        .adsBatch,
        "'\(request.name)' and '\(first)' create ad sets of one campaign and may share a batch",
        at: request.location, hint: "write batch: alone")
    case "ads":
      adsBatch.ads += 1
      guard adsBatch.ads == AdsBatch.maximumAds + 1 else { return }
      report(
        .adsBatch, "this is the eleventh ad that one batch may create; Meta asks for at most ten",
        at: request.location, hint: "write batch: alone, or run with --batch-size 10")
    default: return
    }
  }

  /// The text of a parameter, as written; nil for a value of another type.
  private static func text(of value: ValueTemplate?) -> String? {
    switch value {
    case .literal(.string(let text))?: text
    case .literal(.number(let number))?: number.lexeme
    case .template(let template)?: template.text
    default: nil
    }
  }

  /// A permission that an edge is known to need and that `permissions` does not list
  /// (docs/reference/language.md, "Permissions").
  ///
  /// Without the list the request is sent and refused, instead of being skipped with advice.
  mutating func checkPermissions(_ request: Workflow.Request, _ path: EdgePath) {
    guard let row = EdgePermissions.row(of: request, path, in: workflow) else { return }
    // A `when` that names the permission checks for it.
    func isMissing(_ name: String) -> Bool {
      !request.permissions.contains(name) && !workflow.permissions.contains(name)
        && request.when?.text.contains(name) != true
    }
    guard let least = row.shortage(isMissing) else { return }
    let list = least.joined(separator: ", ")
    let isCertain = row.source != nil
    report(
      .missingPermission,
      "\(request.method.rawValue) \(row.shown) \(isCertain ? "" : "probably ")needs \(list)",
      as: isCertain ? .warning : .note, at: request.path.location,
      hint: "write permissions: [\((request.permissions + least).joined(separator: ", "))]; "
        + "to get what a token lacks: \(PermissionRequest.command(least))")
  }
}

/// The ads and ad sets that a file creates and that may share a batch.
struct AdsBatch {
  static let maximumAds = 10
  /// The name of the first request that creates an ad set, by campaign.
  var firstAdSets: [String: String] = [:]
  var ads = 0
}

extension String {
  /// Whether a path, as written, ends in the edge `insights`.
  fileprivate var isOfInsights: Bool {
    let path = prefix { $0 != "?" }
    return path.split(separator: "/").last?.lowercased() == "insights"
  }
}

extension JSON {
  fileprivate var limit: JSON.Number? {
    if let number { return number }
    guard case .string(let text) = self, case .number(let number)? = try? JSON(parsing: text)
    else { return nil }
    return number
  }
}
