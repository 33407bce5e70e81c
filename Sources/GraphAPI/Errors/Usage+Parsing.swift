internal import JSONPath

extension Usage {
  /// The JSON object in a header.
  static func json(_ name: String, in headers: [HeaderField]) -> JSON? {
    guard let text = headers[name], let json = try? JSON(parsing: text), json.object != nil else {
      return nil
    }
    return json
  }

  /// The higher of the app's and the ad account's percentage in a header of ads insights.
  static func insightsLoad(_ name: String, in headers: [HeaderField]) -> Double? {
    let load = json(name, in: headers)
    return larger(number(load?["app_id_util_pct"]), number(load?["acc_id_util_pct"]))
  }

  /// Whether headers in JSON text may include a usage header, even with escaped letters.
  ///
  /// If false, there is none.
  static func mayBePresent(in text: ArraySlice<UInt8>) -> Bool {
    text.withUnsafeBufferPointer { bytes in
      bytes.indices.contains { index in
        switch bytes[index] {
        case UInt8(ascii: "u"), UInt8(ascii: "U"): bytes.matches("usage", at: index)
        case UInt8(ascii: "t"), UInt8(ascii: "T"): bytes.matches("throttle", at: index)
        case UInt8(ascii: "\\"): bytes.matches("\\u", at: index)
        default: false
        }
      }
    }
  }

  /// A percentage or time, as a number or a string such as `28%`; nil if negative or above 10^9.
  static func number(_ value: JSON?) -> Double? {
    let number: Double?
    if let text = value?.string {
      number = Double(text.hasSuffix("%") ? String(text.dropLast()) : text)
    } else {
      number = value?.number?.double
    }
    guard let number, (0...1e9).contains(number) else { return nil }
    return number
  }

  /// The larger of two optional values.
  static func larger<Value: Comparable>(_ left: Value?, _ right: Value?) -> Value? {
    guard let left, let right else { return left ?? right }
    return max(left, right)
  }
}

extension Usage.Load {
  init(_ json: JSON) {
    callCount = Usage.number(json["call_count"])
    totalTime = Usage.number(json["total_time"])
    totalCPUTime = Usage.number(json["total_cputime"])
  }

  /// The highest of the percentages.
  var highest: Double? { [callCount, totalTime, totalCPUTime].compactMap(\.self).max() }

  static func larger(_ left: Self?, _ right: Self?) -> Self? {
    guard var result = left, let right else { return left ?? right }
    result.callCount = Usage.larger(result.callCount, right.callCount)
    result.totalTime = Usage.larger(result.totalTime, right.totalTime)
    result.totalCPUTime = Usage.larger(result.totalCPUTime, right.totalCPUTime)
    return result
  }
}

extension Usage.BusinessUseCase {
  /// Parses an entry, whose time is in minutes.
  init(id: String, _ json: JSON) {
    self.id = id
    type = json["type"]?.string ?? "unknown"
    load = Usage.Load(json)
    regainAccess = Usage.number(json["estimated_time_to_regain_access"]).map { .seconds($0 * 60) }
  }
}
