import CommandHarness
import JSONPath
import TestSupport
import Testing

/// Dates and columns, as the command reads them before a run.
struct DateRunTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  /// The day in UTC, and the next one, in case that midnight passes during the test.
  private func days() throws -> [String] {
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests: {a: {get: me}}\n"
        + "outputs: {a: \"{date=today}\", b: \"{date=tomorrow}\"}\n", to: "days.yaml")
    let run = try graphflow("run", file, "--sandbox")
    let outputs = try JSON(parsing: run.output)
    return [outputs["a"]?.string, outputs["b"]?.string].compactMap(\.self)
  }

  @Test func `a file of items may be named after a day`() throws {
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        a:
          for_each: {file: "rows-{date=today}.csv"}
          key: "{item=$.id}"
          get: me
      """, to: "flow.yaml")
    let missing = try graphflow("run", file, "--sandbox")
    #expect(missing.code == 66 && missing.error.contains("cannot read"), "\(missing.error)")
    let days = try days()
    #expect(days.count == 2)
    for day in days { try graphflow.folder.write("id\n1\n2\n", to: "rows-\(day).csv") }
    let run = try graphflow("run", file, "--sandbox")
    #expect(run.code == 0 && run.error.contains("2 requests, 2 succeeded"), "\(run.error)")
    #expect(try graphflow("plan", file).output.contains("a × 2"))
  }

  @Test func `curl shows the dates of today`() throws {
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      inputs: {zone: timezone}
      requests:
        a: {get: me, params: {a: "{date=today@UTC}", b: "{date=today@input=zone}"}}
      """, to: "flow.yaml")
    let days = try days()
    let unknown = try graphflow("curl", file, "a")
    #expect(days.contains { unknown.output.contains("'a=\($0)'") }, "\(unknown.output)")
    #expect(unknown.output.contains("DATE_TODAY_INPUT_ZONE"))
    let known = try graphflow("curl", file, "a", "--input", "zone=UTC")
    #expect(days.contains { known.output.contains("'b=\($0)'") }, "\(known.output)")
  }

  @Test func `a column that the file does not have is an error before anything is sent`() throws {
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        a:
          for_each: {file: rows.csv, columns: {count: integer}}
          get: me
          params: {fields: "{item=$.feilds}", limit: "{item=$.cuont}"}
      """, to: "flow.yaml")
    let rows = try graphflow.folder.write("fields,count\nid,1\n", to: "rows.csv")
    let run = try graphflow("run", file, "--sandbox")
    #expect(run.code == 65)
    #expect(
      run.error == """
        error: \(file):6:23: in '\(rows)' no column is named 'feilds'
          did you mean 'fields'?
        error: \(file):6:49: in '\(rows)' no column is named 'cuont'
          did you mean 'count'?

        """)
    try graphflow.folder.write("feilds,cuont,count\nid,1,1\nid,1,x\n", to: "rows.csv")
    let typed = try graphflow("run", file, "--sandbox")
    #expect(typed.code == 65)
    #expect(typed.error.contains("rows.csv:3: 'x' in the column 'count' is not a whole number"))
  }
}
