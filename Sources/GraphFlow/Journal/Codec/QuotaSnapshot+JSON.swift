internal import GraphAPI
internal import JSONPath

/// The JSON form of what is known about limits.
extension QuotaSnapshot {
  private static let version = 1

  /// The snapshot as JSON; equal snapshots give equal bytes.
  var json: [UInt8] {
    var limits = JSON.Object()
    for (key, record) in records.sorted(by: { $0.key < $1.key }) { limits[key.text] = record.json }
    var tokens = JSON.Object()
    for (key, links) in links.sorted(by: { $0.key < $1.key }) {
      tokens[key.text] = .array(links.sorted().map { .string($0.text) })
    }
    let object = JSON.Object([
      ("graphflow_quota", .number(JSON.Number(QuotaSnapshot.version))),
      ("limits", .object(limits)), ("tokens", .object(tokens)),
    ])
    return Array(JSON.object(object).serialized().utf8)
  }

  /// Reads a snapshot; invalid values of a limit are ignored.
  ///
  /// - Throws: an error if the file is damaged or has a later version.
  init(json bytes: [UInt8]) throws(EventDecodingError) {
    guard let json = try? JSON(parsing: bytes), json.object != nil else {
      throw EventDecodingError(message: "it is not JSON")
    }
    guard let version = json["graphflow_quota"]?.integer else {
      throw EventDecodingError(message: "it has no version")
    }
    guard version == QuotaSnapshot.version else {
      throw EventDecodingError(message: "it has version \(version), which a later graphflow wrote")
    }
    self.init()
    for (name, value) in json["limits"]?.object ?? JSON.Object() {
      if let key = Fingerprint(name) { records[key] = QuotaRecord(value) }
    }
    for (name, value) in json["tokens"]?.object ?? JSON.Object() {
      guard let key = Fingerprint(name), let limits = value.array else { continue }
      links[key] = Set(limits.compactMap { $0.string.flatMap { Fingerprint($0) } })
    }
  }
}

extension QuotaRecord {
  fileprivate var json: JSON {
    var object = JSON.Object()
    object["usage"] = usage.flatMap(QuotaRecord.number)
    object["read_at"] = readAt.map(QuotaRecord.number)
    object["cost"] = cost.flatMap(QuotaRecord.number)
    object["capacity"] = capacity.flatMap(QuotaRecord.number)
    object["capacity_found_at"] = capacityFoundAt.map(QuotaRecord.number)
    object["silent_until"] = silentUntil.map(QuotaRecord.number)
    object["silent_since"] = silentSince.map(QuotaRecord.number)
    object["refusals"] = .number(JSON.Number(refusals))
    object["changed_at"] = changedAt.map(QuotaRecord.number)
    object["minutes"] = .array(
      history.counts.sorted { $0.key < $1.key }.map { minute, count in
        .array([.number(JSON.Number(Int(minute))), .number(JSON.Number(count))])
      })
    return .object(object)
  }

  fileprivate init(_ json: JSON) {
    self.init()
    usage = QuotaRecord.double(json["usage"])
    readAt = QuotaRecord.timestamp(json["read_at"])
    cost = QuotaRecord.double(json["cost"])
    capacity = QuotaRecord.double(json["capacity"])
    capacityFoundAt = QuotaRecord.timestamp(json["capacity_found_at"])
    silentUntil = QuotaRecord.timestamp(json["silent_until"])
    silentSince = QuotaRecord.timestamp(json["silent_since"])
    refusals = min(max(json["refusals"]?.integer ?? 0, 0), 1000)
    changedAt = QuotaRecord.timestamp(json["changed_at"])
    var counts: [Int64: Int] = [:]
    for entry in json["minutes"]?.array ?? [] {
      guard let pair = entry.array, pair.count == 2, let minute = pair[0].integer,
        let count = pair[1].integer, (0...4_000_000_000).contains(minute)
      else { continue }
      counts[Int64(minute)] = count
    }
    history = OperationHistory(counts: counts)
  }

  private static func number(_ value: Double) -> JSON? {
    JSON.Number(lexeme: "\(value)").map(JSON.number)
  }

  private static func number(_ time: Timestamp) -> JSON {
    .number(JSON.Number(Int(time.milliseconds)))
  }

  private static func double(_ json: JSON?) -> Double? {
    guard let value = json?.number?.double, (0...1e12).contains(value) else { return nil }
    return value
  }

  private static func timestamp(_ json: JSON?) -> Timestamp? {
    guard let value = json?.integer, (0...253_402_300_799_999).contains(value) else { return nil }
    return Timestamp(milliseconds: Int64(value))
  }
}
