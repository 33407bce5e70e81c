import GraphAPI
import Testing

@testable import GraphFlow

/// The table of what Graph has ended, and the advice that comes from it.
struct RetirementTests {
  private static let day: Int64 = CalendarDay(year: 2026, month: 11, day: 1).daysSince1970

  private func diagnostics(
    _ requests: String, on day: Int64 = day, version: GraphVersion = .current,
    target: GraphVersion? = nil
  ) -> [String] {
    let text = "graphflow: 1\nrequests:\n  a: \(requests)\n"
    let settings = LintSettings(daysSince1970: day, version: version, target: target)
    return Workflow.reading(
      SourceFile(path: "a.yaml", bytes: Array(text.utf8)), settings: settings
    ).diagnostics.filter { $0.rule.hasPrefix("retired-") }.map(\.message)
  }

  private func version(_ major: Int) throws -> GraphVersion {
    try #require(GraphVersion("v\(major).0"))
  }

  @Test func `every row of the table has a place, a source and an end`() {
    #expect(RetiredNames.all.count > 200)
    for row in RetiredNames.all {
      #expect(!row.places.isEmpty && !row.replacement.isEmpty, "\(row)")
      #expect(row.source?.contains("/") == true, "\(row)")
      // A warning needs a page of Meta's.
      #expect(row.severity == .note || row.source?.hasPrefix("/") == true, "\(row)")
      #expect(row.day.map { $0.count == 10 } ?? true, "\(row)")
      // Meta says when; of others it is not always known.
      let hasEnd = row.day != nil || row.version != nil || row.isUnheardOf
      #expect(hasEnd || row.kind == .permission || row.severity == .note, "\(row)")
      #expect(row.fix.map { row.replacement.contains($0) } ?? true, "\(row)")
    }
    for kind in [RetiredName.NameKind.permission, .edge, .field, .parameter, .metric] {
      let rows = RetiredNames.all.filter { $0.kind == kind }
      let keys = rows.map { "\($0.name) \($0.places) \($0.method.map(\.rawValue) ?? "")" }
      #expect(!rows.isEmpty && Set(keys).count == keys.count, "\(kind)")
    }
  }

  @Test func `no successor has ended itself`() {
    for row in RetiredNames.all {
      guard let fix = row.fix else { continue }
      #expect(RetiredNames.permission(fix) == nil && RetiredNames.metric(fix) == nil, "\(row)")
    }
  }

  @Test func `an end is reported from ninety days before it`() {
    let end = CalendarDay(year: 2027, month: 1, day: 21).daysSince1970
    let request = "{get: me, version: v21.0}"
    #expect(diagnostics(request, on: end - 91) == [])
    #expect(diagnostics(request, on: end - 90) == ["Graph ends v21.0 on 2027-01-21"])
    #expect(diagnostics(request, on: end) == ["Graph ends v21.0 on 2027-01-21"])
    #expect(
      diagnostics(request, on: end + 1)
        == ["Graph treats v21.0 as its oldest available version, since 2027-01-21"])

    let metric = CalendarDay(year: 2026, month: 6, day: 15).daysSince1970
    let insights = "{get: 1/insights, params: {metric: post_impressions_unique}}"
    let name = "the metric 'post_impressions_unique'"
    #expect(diagnostics(insights, on: metric - 91) == [])
    #expect(diagnostics(insights, on: metric - 90) == ["Graph ends \(name) on 2026-06-15"])
    #expect(diagnostics(insights, on: metric) == ["Graph no longer has \(name), since 2026-06-15"])
  }

  @Test func `a name that ended with a version is reported from that version on`() throws {
    let request = "get: act_1/adcreatives, params: {fields: instagram_actor_id}"
    let what = "no longer has the field 'instagram_actor_id', since v22.0"
    let (old, new) = (try version(21), try version(22))
    #expect(diagnostics("{\(request)}", version: old) == [])
    #expect(diagnostics("{\(request)}", version: new) == ["Graph \(what)"])
    #expect(diagnostics("{\(request), version: v23.0}", version: old) == ["Graph \(what)"])
    // Compared with another version, the request's own is the other side.
    #expect(diagnostics("{\(request)}", version: old, target: new) == ["Graph v22.0 \(what)"])
    #expect(diagnostics("{\(request)}", version: old, target: old) == [])
    #expect(diagnostics("{\(request)}", version: new, target: old) == ["Graph \(what)"])
  }

  @Test(arguments: [
    "{get: 1/posts}", "{get: me/posts, params: {fields: id}}",
    "{get: 1/links/2}", "{get: 1/likes}", "{post: 1/photos, params: {url: x, caption: y}}",
    "{post: 1, params: {description: x}}", "{get: 1, params: {fields: \"link,type\"}}",
    "{get: 1/posts, params: {fields: \"attachments{description,type}\"}}",
    "{get: act_1/insights, params: {fields: impressions}}", "{get: search, params: {q: user}}",
    "{get: 1/insights, params: {metric: \"page_follows,views\"}}",
    "{get: me, token: page, params: {fields: \"name,website,cover\"}}",
  ])
  func `what Graph still has is not reported`(_ request: String) {
    #expect(diagnostics(request) == [])
  }

  @Test(arguments: [
    ("$.data[0].id", true), ("$.data[?@.message == 'x'].id", true),
    ("$.data[0].from.id", false), ("$.data[0].object_id", false),
    ("$.data[0].likes.data[0].id", false),
  ])
  func `a node that a feed only mentions is no post`(_ query: String, _ isPost: Bool) {
    let requests = """
      {get: me/feed, params: {fields: "id,from,likes"}}
        b: {get: "{result=a:\(query)}", params: {fields: "id,name"}}
      """
    #expect(diagnostics(requests).isEmpty == !isPost)
  }

  @Test(arguments: [
    ("$.data", "$.id", true), ("$.data[*].id", "$", true), ("$.data[*].from", "$.id", false),
    ("$.data", "$.from.id", false),
  ])
  func `an item that a feed only mentions is no post`(
    _ source: String, _ query: String, _ isPost: Bool
  ) {
    let item = query == "$" ? "{item}" : "{item=\(query)}"
    let requests = """
      {get: me/feed, params: {fields: "id,from"}}
        b: {for_each: "{result=a:\(source)}", get: "\(item)", params: {fields: "id,name"}}
      """
    #expect(diagnostics(requests).isEmpty == !isPost)
  }

  @Test func `a comment silences a retired name`() {
    let request = "{get: me/home} # graphflow: ignore retired-edge"
    #expect(diagnostics("{get: me/home}") == ["Graph no longer has 'me/home', since v2.4"])
    #expect(diagnostics(request) == [])
  }

  @Test(arguments: [
    ("{metric: page_fans}", "{metric: page_follows}"),
    ("{metric: [page_views_total, page_fans]}", "{metric: [page_views_total, page_follows]}"),
    (
      "{metric: \"page_fans,page_impressions\"}", "{metric: \"page_follows,page_media_view\"}"
    ),
    // It has the successor already.
    ("{metric: \"page_fans,page_follows\"}", nil),
    // It reads the old name in the answer.
    ("{metric: page_fans}, expect: [\"$.data[0].name == 'page_fans'\"]", nil),
    // The successor takes other values.
    ("{metric: page_fan_adds}", nil),
  ])
  func `a metric is renamed unless the file has the name elsewhere`(
    _ params: String, _ expected: String?
  ) {
    let head = "graphflow: 1\nrequests:\n  a: {get: 1/insights, params: "
    let source = SourceFile(path: "a.yaml", bytes: Array("\(head)\(params)}\n".utf8))
    let (fixed, count) = source.fixed()
    #expect(String(decoding: fixed.bytes, as: UTF8.self) == "\(head)\(expected ?? params)}\n")
    #expect((count > 0) == (expected != nil))
  }
}
