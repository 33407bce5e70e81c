import GraphAPI
import GraphFlow
import JSONPath

/// How fast texts become something that can be asked.
enum DocumentBench {
  /// The figures: JSON, batch answers, YAML, queries.
  static var figures: [BenchFigure] {
    [
      BenchFigure(name: "JSON into a document, 5 MB of posts") { stopwatch in
        let text = BenchData.posts(count: 12_500)
        return Stopwatch.rate(
          bytes: text.count,
          in: try stopwatch.best { _ = try JSON.Document(parsing: text) }
        )
      },
      BenchFigure(name: "JSON into a tree of values, 5 MB of posts") { stopwatch in
        let text = BenchData.posts(count: 12_500)
        return Stopwatch.rate(
          bytes: text.count,
          in: try stopwatch.best { _ = try JSON(parsing: text) }
        )
      },
      BenchFigure(name: "batch answer, outer level, 50 bodies") { stopwatch in
        let (request, response) = try BenchData.batch(postsPerBody: 75)
        let time = stopwatch.best { _ = request.answer(from: response) }
        return Stopwatch.rate(bytes: response.body.count, in: time)
      },
      BenchFigure(name: "YAML into located values, 5 MB of requests") { stopwatch in
        let source = BenchData.workflow(requests: 50_000)
        return Stopwatch.rate(
          bytes: source.bytes.count,
          in: stopwatch.best { _ = YAMLNode.reading(source) }
        )
      },
      BenchFigure(name: "JSONPath, $.data[7].id over 25 posts") { stopwatch in
        try queries("$.data[7].id", stopwatch)
      },
      BenchFigure(name: "JSONPath, filter over 25 posts") { stopwatch in
        try queries("$.data[?@.likes.summary.total_count > 20].id", stopwatch)
      },
    ]
  }

  private static func queries(_ text: String, _ stopwatch: Stopwatch) throws -> String {
    let count = 2000
    let query = try Query(text)
    let document = try JSON.Document(parsing: BenchData.page(of: 25))
    let time = try stopwatch.best {
      for _ in 0..<count { _ = try query.values(in: document) }
    }
    return Stopwatch.rate(count: count, of: "queries", in: time)
  }
}
