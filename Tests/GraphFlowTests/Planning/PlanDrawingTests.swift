import JSONPath
import Testing

@testable import GraphFlow

/// Drawings of plans: their content and size; no text of a file breaks them.
struct PlanDrawingTests {
  /// A quote with a combining mark is one character, but two scalars.
  private static let marked = "\"\u{301}"
  private static let hostile = marked + #"x"]; </text><script>&amp; --> %%{init}%% \N `;#quot;"#
  /// The part of it that a path may hold.
  private static let hostilePath = marked + #"x"];</text><script>&amp;-->`;"#

  private func drawing(_ text: String, items: [Plan.Items] = []) throws -> PlanDrawing {
    PlanDrawing(of: Plan(for: try workflow(text), items: items))
  }

  private func hostileDrawing() throws -> PlanDrawing {
    let path = JSON.string(Self.hostilePath).serialized()
    return try drawing(
      """
      graphflow: 1
      name: \(JSON.string(Self.hostile).serialized())
      requests:
        a: {get: \(path)}
        b: {get: me, depends_on: [a]}
        c: {get: "{result=a:$.x[-1]}"}
        each: {get: \(path), for_each: [1]}
      """, items: [.known([Self.hostile + "\u{202e}\u{0}\u{1b}[31m"])])
  }

  @Test func `an SVG is well-formed for any file`() throws {
    let svg = try hostileDrawing().svg

    let elements = try #require(XMLScan(svg).elements)
    #expect(!elements.contains("script"))
    #expect(elements.filter { $0 == "title" }.count >= 4 && elements.contains("desc"))
    #expect(svg.contains("&lt;script&gt;&amp;amp;"))
    #expect(!svg.contains("\u{202e}") && !svg.contains("\u{1b}") && !svg.contains("\u{0}"))
    #expect(!svg.contains("href") && !svg.contains("@import"))
  }

  @Test func `a DOT file keeps texts inside their quotes`() throws {
    let dot = try hostileDrawing().dot

    for line in dot.split(separator: "\n") {
      var isInside = false
      var isEscaped = false
      var outside = ""
      for scalar in line.unicodeScalars {
        if isEscaped {
          isEscaped = false
        } else if scalar == "\\" {
          isEscaped = isInside
        } else if scalar == "\"" {
          isInside.toggle()
        } else if !isInside {
          outside.unicodeScalars.append(scalar)
        }
      }
      #expect(!isInside && !outside.contains("script") && !outside.contains("%%"), "\(line)")
    }
    #expect(dot.contains(#"x\"]; &lt;/text&gt;&lt;script&gt;"#))
    #expect(dot.contains(#"\\N"#))
  }

  @Test func `a Mermaid file escapes special characters as numbers`() throws {
    let mermaid = try hostileDrawing().mermaid

    #expect(!mermaid.contains("<") && !mermaid.contains("%%") && !mermaid.contains("`"))
    for line in mermaid.split(separator: "\n") {
      #expect(line.count { $0 == "\"" } % 2 == 0, "\(line)")
    }
    #expect(mermaid.contains("c0 ==> c1"))
    #expect(mermaid.contains("o0_0 -.-> o0_"))
  }

  @Test func `a Mermaid file has its name as YAML, and no keyword that swallows a semicolon`()
    throws
  {
    let mermaid = try drawing(
      """
      graphflow: 1
      name: "a \\"b\\" %% <é>"
      requests:
        style: {get: "me/a;b"}
        classDef: {get: "{result=style:$.id}"}
      """
    ).mermaid

    #expect(mermaid.contains(#"title: "a \U00000022b\U00000022 \U00000025\U00000025 "#))
    #expect(mermaid.contains(#"\U000000e9\U0000003e: 2 operations, 1 call, 1 round""#))
    #expect(mermaid.contains("#115;tyle: GET me") && mermaid.contains("#99;lassDef: GET"))
    #expect(!mermaid.contains("style") && !mermaid.contains("classDef"))
  }

  @Test func `soft edges stay in their box, hard ones run between boxes`() throws {
    let drawing = try drawing(
      """
      graphflow: 1
      requests:
        a: {get: me}
        b: {get: "{result=a:$.id}"}
        c: {get: "{result=b:$.x[-1]}"}
        d: {get: "{result=a:$.x[-1]}", params: {x: "{result=c:$..id}"}}
      """)

    #expect(drawing.boxes.map(\.after) == [[], [0], [1]], "what is implied is not drawn")
    #expect(drawing.softLines(of: drawing.boxes[0].card).map(\.from) == [0])
    let elements = try #require(XMLScan(drawing.svg).elements)
    #expect(elements.count { $0 == "circle" } == 1)
    #expect(drawing.svg.components(of: "marker-end").count == 3)
  }

  @Test(arguments: [500, 100_000])
  func `a drawing of many requests has a bounded size and states what is missing`(
    _ count: Int
  )
    throws
  {
    let requests = (0..<count).map { "  r\($0): {get: me}\n" }.joined()
    let drawing = try drawing("graphflow: 1\nrequests:\n" + requests)

    let svg = drawing.svg
    #expect(svg.utf8.count < 500_000)
    #expect(svg.contains("more calls not drawn") == (count > 2500))
    #expect(try #require(XMLScan(svg).elements).count > count.clamped(to: 500))
    let small = PlanDrawing(of: drawing.plan, rowLimit: 500)
    #expect(small.mermaid.utf8.count < 50_000)
    #expect(drawing.dot.utf8.count < 500_000)
  }

  @Test func `a million items are one box`() throws {
    let drawing = try drawing(
      """
      graphflow: 1
      requests:
        each:
          for_each: {file: items.csv}
          requests:
            post: {post: me/feed, idempotent: false}
            verify: {get: "{result=post:$.id}"}
      """, items: [.counted(20_000)])

    #expect(drawing.boxes.count == 1 && drawing.bands.map(\.rounds) == [1...20])
    #expect(drawing.svg.contains("each.post × 20000"))
    #expect(drawing.svg.utf8.count < 5000)
  }

  @Test func `an empty plan is a drawing, too`() throws {
    let drawing = try drawing(
      "graphflow: 1\nrequests:\n  a: {get: me, for_each: []}\n", items: [.known([])])

    #expect(XMLScan(drawing.svg).elements != nil)
    #expect(drawing.plan.title == "test: 0 operations, 0 calls, 0 rounds")
  }
}

/// Parses XML strictly enough to detect text that has become markup.
private struct XMLScan {
  /// The names of the elements in order; nil if the text is not well-formed.
  let elements: [String]?

  init(_ text: String) { elements = XMLScan.scan(text) }

  private static func scan(_ text: String) -> [String]? {
    var (names, open): ([String], [String]) = ([], [])
    // XML is a sequence of scalars: a combining mark is not a part of what it follows.
    var rest = text.unicodeScalars.map { Character($0) }[...]
    while let start = rest.firstIndex(where: { $0 == "<" || $0 == "&" || $0 == ">" }) {
      switch rest[start] {
      case "&":
        let entities = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"]
        guard entities.contains(where: { rest[start...].starts(with: $0) }) else { return nil }
        rest = rest[rest.index(after: start)...]
      case "<":
        guard let end = rest[start...].firstIndex(of: ">") else { return nil }
        let tag = rest[rest.index(after: start)..<end]
        rest = rest[rest.index(after: end)...]
        guard tag.filter({ $0 == "\"" }).count % 2 == 0 else { return nil }
        if tag.first == "/" {
          guard open.popLast() == String(tag.dropFirst()) else { return nil }
        } else {
          let name = String(tag.prefix { $0.isLetter })
          names.append(name)
          if tag.last != "/" { open.append(name) }
        }
      default: return nil
      }
    }
    return open.isEmpty ? names : nil
  }
}

extension String {
  fileprivate func components(of mark: String) -> [Substring] { split(separator: mark) }
}

extension Int {
  fileprivate func clamped(to limit: Int) -> Int { self < limit ? self : limit }
}
