/// The groups of people, places or hours that a day of an ad is divided among.
///
/// A breakdown shows one of the texts of each cell. Cells with the same texts are shown together, so
/// that the rows of `age,gender` add up to those of `age`.
struct DeliveryCells: Sendable {
  /// How much of the delivery each cell has.
  let weights: [Int]
  /// By breakdown, the text of each cell.
  let values: [InsightsBreakdown: [String]]

  private init(
    _ names: [InsightsBreakdown], _ cells: [(weight: Int, values: [String])]
  ) {
    weights = cells.map(\.weight)
    values = Dictionary(
      uniqueKeysWithValues: names.enumerated().map { index, name in
        (name, cells.map { $0.values[index] })
      })
  }

  /// All cells, by what their breakdowns are about.
  static let all = [people, places, placements, hours]

  private static let people = DeliveryCells(
    [.age, .gender],
    [("18-24", 15), ("25-34", 27), ("35-44", 22), ("45-54", 16), ("55-64", 12), ("65+", 8)]
      .flatMap { age, weight in
        [("female", 52), ("male", 46), ("unknown", 2)].map { (weight * $1, [age, $0]) }
      })

  private static let places = DeliveryCells(
    [.country, .region],
    [
      (58, ["GB", "England"]), (9, ["GB", "Scotland"]), (5, ["GB", "Wales"]),
      (6, ["IE", "Dublin"]), (3, ["IE", "Cork"]), (5, ["DE", "Bavaria"]), (4, ["DE", "Berlin"]),
      (4, ["FR", "Brittany"]), (6, ["US", "California"]),
    ])

  private static let placements = DeliveryCells(
    [.publisherPlatform, .platformPosition, .impressionDevice, .devicePlatform],
    [
      ("facebook", "feed", 30, 0..<6), ("facebook", "facebook_reels", 12, 0..<5),
      ("facebook", "facebook_stories", 5, 0..<5), ("facebook", "marketplace", 4, 0..<6),
      ("facebook", "right_hand_column", 3, 5..<6), ("instagram", "feed", 18, 0..<5),
      ("instagram", "instagram_stories", 11, 0..<5), ("instagram", "instagram_reels", 10, 0..<5),
      ("audience_network", "an_classic", 4, 0..<4), ("messenger", "messenger_inbox", 3, 0..<4),
    ].flatMap { platform, position, weight, devices in
      [
        ("iphone", "mobile_app", 43), ("android_smartphone", "mobile_app", 37),
        ("ipad", "mobile_app", 4), ("android_tablet", "mobile_app", 2),
        ("android_smartphone", "mobile_web", 4), ("desktop", "desktop", 10),
      ][devices].map { device, kind, share in
        (weight * share, [platform, position, device, kind])
      }
    })

  static let hours = DeliveryCells(
    [.advertiserHour, .audienceHour],
    [14, 9, 6, 4, 4, 7, 16, 28, 36, 40, 43, 46, 52, 50, 45, 44, 48, 55, 62, 70, 74, 68, 48, 28]
      .enumerated().map { hour, weight in
        let hour = GraphTime.padded(hour, 2)
        let text = "\(hour):00:00 - \(hour):59:59"
        return (weight, [text, text])
      })
}
