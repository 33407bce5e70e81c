import CommandHarness
import JSONPath
import TestSupport
import Testing

/// `split` against the sandbox: its limits, its refusals and its faults.
struct SplitRunTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private static let fields =
    "clicks cost_per_inline_link_click cost_per_inline_post_engagement cpc cpm cpp ctr frequency "
    + "impressions inline_link_click_ctr inline_link_clicks inline_post_engagement reach spend "
    + "unique_clicks unique_ctr unique_inline_link_click_ctr unique_inline_link_clicks ad_name "
    + "adset_name campaign_name account_name account_currency objective"

  private func world(ads count: Int) throws -> String {
    let ads = (0..<count).map { "          - {name: ad \($0), impressions: \(900 + $0)}\n" }
    return try graphflow.folder.write(
      """
      world: 1
      users:
        lee: {name: Lee, permissions: {granted: [public_profile, ads_read]}}
      ad_accounts:
        main:
          name: Main
          users: [lee]
          campaigns:
            - name: C
              ad_sets:
                - name: S
                  ads:

      """ + ads.joined().replacing("          - ", with: "            - ")
        + "tokens:\n  default: {user: lee}\n", to: "world.yaml")
  }

  private func workflow(_ verb: String, fields: [String]) throws -> String {
    try graphflow.folder.write(
      """
      graphflow: 1
      permissions: [ads_read]
      requests:
        accounts: {get: me/adaccounts, params: {fields: id}, paginate: true}
        ads:
          get: "{result=accounts:$.data[0].id}/ads"
          params: {fields: id, limit: 100}
          paginate: true
        insights:
          for_each: "{result=accounts:$.data[*]}"
          key: "{item=$.id}"
          \(verb)
          params:
            level: ad
            fields: "ad_id,\(fields.joined(separator: ","))"
            time_range: {since: "{date=today-4d}", until: "{date=today-1d}"}
            time_increment: 1
            filtering: [{field: ad.id, operator: IN, value: "{result=ads:$.data[*].id}"}]
            limit: 500
          split: [window, ids, fields]
      outputs:
        rows:
          each: insights
          file: "out/{item=$.id}.jsonl"
          rows: "{result=insights:$.data[*]}"
          columns:
            day: "{row=$.date_start}"
            ad: "{row=$.ad_id}"
            clicks: "{row=$.clicks | 0}"
            spend: "{row=$.spend | 0}"
            name: "{row=$.ad_name | none}"

      """, to: "split.yaml")
  }

  /// Runs the workflow; the lines of its file, its report, and the entry of the manifest.
  private func run(
    _ workflow: String, _ world: String, faults: [String] = []
  ) throws -> (lines: Set<String>, report: JSON, entry: JSON, code: Int) {
    let file = try graphflow.folder.write(
      "graphflow-faults: 1\nfaults:\(faults.isEmpty ? " []" : "")\n"
        + faults.map { "  - {\($0)}\n" }.joined(), to: "faults.yaml")
    let (outcome, report) = try graphflow.report(
      "run", workflow, "--sandbox", "--world", world, "--faults", file)
    let manifest = try JSON(parsing: text(of: graphflow.folder.path + "/out/rows.manifest.json"))
    let entry = try manifest.one("$.files[0]")
    let rows = try text(of: graphflow.folder.path + "/out/\(entry["path"]?.string ?? "")")
    let lines = rows.split(separator: "\n").map(String.init)
    #expect(Set(lines).count == lines.count)
    return (Set(lines), report, entry, Int(outcome.code))
  }

  private static let get = "get: \"{item=$.id}/insights\"\n    paginate: true"
  private static let report = "report: \"{item=$.id}/insights\"\n    interval: 250ms"

  @Test func `reports with a bad field, a bad ad and too much data give all other rows`() throws {
    let names = Self.fields.split(separator: " ").map(String.init)
    let world = try world(ads: 40)
    let whole = try run(try workflow(Self.get, fields: names), world)
    #expect(whole.code == 0 && whole.lines.count == 160 && whole.entry["missing"] == nil)
    let ads = try whole.report.one("$.requests[1].body.data").array?.compactMap { $0["id"]?.string }
    let bad = try #require(ads?.dropFirst(17).first)

    let fields = names.prefix(11) + ["no_such_field"] + names.dropFirst(11)
    let field = try run(try workflow(Self.get, fields: Array(fields)), world)
    #expect(field.code == 1 && field.lines == whole.lines)
    #expect(try field.report.one("$.requests[2].missing") == [["fields": ["no_such_field"]]])
    #expect(field.entry["missing"] == [["fields": ["no_such_field"]]])
    let message = try field.report.one("$.requests[2].error.message").string ?? ""
    #expect(message.hasPrefix("25 fields were requested and 1 cannot be read: `no_such_field`: "))

    let refusal = "word: \"\(bad)\", operation: {error: {code: 100, message: \"(#100) bad ad\"}}"
    let ad = try run(try workflow(Self.get, fields: names), world, faults: [refusal])
    #expect(ad.code == 1 && ad.lines == whole.lines.filter { !$0.contains(bad) })
    #expect(ad.lines.count == 156)
    #expect(ad.entry["missing"] == [["ids": [.string(bad)]]])

    let large = "first: 3, path: \"*/insights\", operation: {error: {code: 100, subcode: 1487534}}"
    let parts = try run(try workflow(Self.get, fields: names), world, faults: [large])
    #expect(parts.code == 0 && parts.lines == whole.lines && parts.entry["missing"] == nil)

    let failed =
      "first: 1, method: POST, path: \"*/insights\", operation: {report: {code: 2, subcode: 1504038}}"
    let report = try run(try workflow(Self.report, fields: names), world, faults: [failed])
    #expect(report.code == 0 && report.lines == whole.lines)
  }
}
