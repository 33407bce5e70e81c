package import JSONPath

extension Usage {
  /// The usage for reports: known values only, in percent and seconds.
  package var json: JSON {
    var object = JSON.Object()
    if let app { object["app"] = Self.json(app) }
    if let page { object["page"] = Self.json(page) }
    if let adAccount {
      var members = JSON.Object()
      members["utilization"] = Self.json(adAccount)
      members["reset_seconds"] = adAccountReset.map { Self.json($0.inSeconds) }
      object["ad_account"] = .object(members)
    }
    if let adsInsights { object["ads_insights"] = Self.json(adsInsights) }
    if let adsInsightsReach { object["ads_insights_reach"] = Self.json(adsInsightsReach) }
    if !business.isEmpty { object["business"] = .array(business.map(Self.json)) }
    return .object(object)
  }

  private static func json(_ use: BusinessUseCase) -> JSON {
    var members = JSON.Object()
    members["id"] = .string(use.id)
    members["type"] = .string(use.type)
    for (name, value) in Self.json(use.load).object ?? JSON.Object() { members[name] = value }
    if let time = use.regainAccess { members["regain_access_seconds"] = json(time.inSeconds) }
    return .object(members)
  }

  private static func json(_ load: Load) -> JSON {
    var members = JSON.Object()
    members["call_count"] = load.callCount.map { json($0) }
    members["total_time"] = load.totalTime.map { json($0) }
    members["total_cputime"] = load.totalCPUTime.map { json($0) }
    return .object(members)
  }

  private static func json(_ number: Double) -> JSON {
    if let whole = Int(exactly: number) { return .number(JSON.Number(whole)) }
    return JSON.Number(lexeme: "\(number)").map(JSON.number) ?? .null
  }
}

extension Duration {
  /// The duration as a number of seconds.
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
