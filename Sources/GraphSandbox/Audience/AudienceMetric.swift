import JSONPath

/// A metric of `metrics.txt`: which requests have it, and how it is made of counts.
struct AudienceMetric: Sendable {
  /// What a metric is about.
  enum Subject: String, Sendable {
    case page, post, video, account, media

    /// The subject that objects of a type are; nil: they have no such insights.
    init?(_ type: NodeType) {
      switch type {
      case .page: self = .page
      case .post: self = .post
      case .video: self = .video
      case .instagramAccount: self = .account
      case .instagramMedia: self = .media
      default: return nil
      }
    }
  }

  /// How a value is made.
  enum Figure: Sendable {
    /// A part of a count, which days add up; people that come on several days count once.
    case sum(AudienceCount, permille: Int, isPeople: Bool)
    /// The count of the last day.
    case state(AudienceCount)
    case quotient(AudienceCount, AudienceCount)
    /// A state or sum, divided.
    indirect case divided(Figure, dimension: String)
    case map([(key: String, count: AudienceCount)])
    /// Of this the sandbox's worlds have none.
    case nothing
  }

  let name: String
  private let traits: Set<Substring>
  let figure: Figure
  let breakdowns: [String]
  let title: String
  let description: String

  /// Whether it has a period, a type or a product, or needs something; the words are explained in
  /// `metrics.txt`.
  func has(_ trait: String) -> Bool { traits.contains(Substring(trait)) }

  /// A metric that Graph has ended: since when, and which one replaces it.
  struct Retirement: Sendable {
    let day: String
    let successor: String?
  }

  private typealias Table = (
    metrics: [Subject: [String: AudienceMetric]], unserved: Set<String>,
    retired: [String: Retirement], dimensions: [String: [(weight: Int, value: String)]]
  )

  static func named(_ name: String, of subject: Subject) -> AudienceMetric? {
    table.metrics[subject]?[name]
  }

  /// Whether Graph has a metric that the sandbox has not.
  static func isUnserved(_ name: String) -> Bool { table.unserved.contains(name) }

  static func retirement(of name: String) -> Retirement? { table.retired[name] }

  /// The values of a breakdown, with weights of about a thousand in all.
  static func values(of dimension: String) -> [(weight: Int, value: String)] {
    table.dimensions[dimension] ?? []
  }

  /// Whether Graph has a breakdown.
  static func isDimension(_ name: String) -> Bool {
    table.dimensions[name] != nil && !["click_type", "hour"].contains(name)
  }

  static var dimensions: [String] { table.dimensions.keys.filter(isDimension).sorted() }

  // MARK: - The table

  private static let table: Table = {
    var table: Table = ([:], [], [:], [:])
    var section: Substring = ""
    // `retired.txt` is the table that the client's advice is made of.
    let text = PackageResources.metrics_txt + PackageResources.retired_txt
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n")
    where !line.hasPrefix("#") {
      switch section {
      case _ where line.hasPrefix("["): section = line.dropFirst().dropLast()
      case _ where section.hasPrefix("metric "): addRetired(line, to: &table)
      case "unserved": table.unserved.formUnion(line.split(separator: " ").map(String.init))
      case "dimensions":
        let (name, pairs) = (line.prefix { $0 != " " }, line.drop { $0 != " " })
        table.dimensions[String(name)] = pairs.split(separator: ";").map { pair in
          let words = pair.split(separator: " ", maxSplits: 1)
          return (Int(words[0]) ?? 0, String(words[1]))
        }
      default:
        guard let subject = Subject(rawValue: String(section)) else { continue }
        let metric = AudienceMetric(line)
        table.metrics[subject, default: [:]][metric.name] = metric
      }
    }
    return table
  }()

  private init(_ line: Substring) {
    let words = line.split(separator: " ", maxSplits: 4)
    let texts = words[4].split(separator: " | ")
    name = String(words[0])
    traits = Set(words[1].split(separator: ","))
    figure = Figure(words[2])
    breakdowns = words[3] == "-" ? [] : words[3].split(separator: ",").map(String.init)
    title = String(texts[0])
    description = String(texts[texts.count - 1])
  }

  /// Adds the metrics of a row of `retired.txt`, which begins with the end and whose they are.
  private static func addRetired(_ line: Substring, to table: inout Table) {
    let words = line.split(separator: " ")
    let day = words[0].split(separator: "/").last.map(String.init) ?? ""
    var names: [String] = []
    for word in words.dropFirst(2) + ["="] {
      guard word.hasPrefix("=") || word.hasPrefix(">") else {
        names.append(String(word))
        continue
      }
      let successor = word.count > 1 ? String(word.dropFirst()) : nil
      for name in names { table.retired[name] = Retirement(day: day, successor: successor) }
      names = []
    }
  }
}

extension AudienceMetric.Figure {
  /// Reads the notation of `metrics.txt`.
  fileprivate init(_ text: Substring) {
    func count(_ text: some StringProtocol) -> AudienceCount {
      guard let count = AudienceCount.byName[String(text)] else {
        preconditionFailure("\(text) is no count")
      }
      return count
    }
    if text == "0" {
      self = .nothing
    } else if text.hasPrefix("{") {
      self = .map(
        text.dropFirst().dropLast().split(separator: ",").map { pair in
          let parts = pair.split(separator: "=")
          return (String(parts[0]), count(parts[1]))
        })
    } else if text.hasPrefix("=") {
      self = .state(count(text.dropFirst()))
    } else if let slash = text.firstIndex(of: "/") {
      let (first, second) = (text[..<slash], text[text.index(after: slash)...])
      self =
        AudienceCount.byName[String(second)].map { .quotient(count(first), $0) }
        ?? .divided(
          first == "followers" ? .state(.followers) : Self(first), dimension: String(second))
    } else {
      let parts = text.split { $0 == "*" || $0 == "~" }
      let permille = parts.count > 1 ? Int(parts[1]) ?? 0 : 1_000
      self = .sum(count(parts[0]), permille: permille, isPeople: text.hasPrefix("~"))
    }
  }

  /// The number that a span of days has.
  func number(_ days: ArraySlice<AudienceCounts>) -> Int {
    switch self {
    case .sum(let count, let permille, let isPeople):
      let parts = days.map { $0[count] * permille / 1_000 }
      let sum = parts.reduce(0, &+)
      guard isPeople, parts.count > 1, let largest = parts.max() else { return sum }
      return Audience.people(sum, largest: largest)
    case .state(let count): return days.last?[count] ?? 0
    case .quotient(let first, let second):
      let divisor = days.reduce(0) { $0 + $1[second] }
      return divisor == 0 ? 0 : days.reduce(0) { $0 + $1[first] } / divisor
    case .divided(let figure, _): return figure.number(days)
    case .map, .nothing: return 0
    }
  }

  /// The numbers by key, if the value is a map.
  func map(_ days: ArraySlice<AudienceCounts>) -> [(key: String, number: Int)]? {
    switch self {
    case .map(let parts):
      parts.map { part in (part.key, days.reduce(0) { $0 + $1[part.count] }) }
    case .divided(let figure, let dimension):
      Self.divided(figure.number(days), by: [dimension]).map { ($0.values[0], $0.number) }
    default: nil
    }
  }

  /// A number, dealt out to the values of dimensions, which are combined.
  static func divided(
    _ number: Int, by dimensions: [String]
  ) -> [(values: [String], number: Int)] {
    var parts: [(values: [String], number: Int)] = [([], number)]
    for dimension in dimensions {
      parts = parts.flatMap { part in
        var deal = Deal(part.number, over: 1_000)
        return AudienceMetric.values(of: dimension).map {
          (part.values + [$0.value], deal.next($0.weight))
        }
      }
    }
    return parts
  }

  /// The value in an answer; keys of a map without a number are left out.
  func value(_ days: ArraySlice<AudienceCounts>) -> JSON {
    guard let map = map(days) else { return .number(.init(number(days))) }
    return .object(
      JSON.Object(map.filter { $0.number > 0 }.map { ($0.key, .number(.init($0.number))) }))
  }
}
