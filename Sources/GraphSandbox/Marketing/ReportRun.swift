import JSONPath

/// An asynchronous report: it runs for a while by the world's clock, then its rows can be read.
///
/// Source: Marketing API, Insights API, Asynchronous Jobs, and the reference of AdReportRun. The rows
/// are not stored; they are computed as of the time of the start.
struct ReportRun: Sendable {
  enum State: String, Sendable {
    case notStarted = "Job Not Started"
    case running = "Job Running"
    case completed = "Job Completed"
    case failed = "Job Failed"
    case skipped = "Job Skipped"
  }

  /// The id of the object that it is about.
  let subject: String
  /// The parameters of the request that started it.
  private let parameters: Parameters
  /// In seconds since 1970.
  let started: Int
  /// How many seconds it runs.
  private let length: Int
  /// How it ends.
  private let end: State
  /// Why it fails, in the names of its fields.
  private let errorFields: JSON?

  /// How long Graph keeps a run: 30 days.
  static let lifetime = 30 * 86_400

  /// Reads the run from the object that stands for it.
  init?(_ object: GraphObject) {
    guard let json = object.fields[AdFigures.field], let subject = json["subject"]?.string,
      let form = json["form"]?.string, let started = object.fields["time_ref"]?.integer
    else { return nil }
    self.subject = subject
    self.started = started
    parameters = Parameters(form: form.utf8)
    length = json["length"]?.integer ?? 0
    end = json["end"]?.string.flatMap(State.init) ?? .completed
    errorFields = json["error"]
  }

  /// The run at a place, which must have completed; nil if there is something else.
  static func completed(
    at place: ObjectTable.Place, in objects: ObjectTable, at now: Int
  ) throws(GraphFault) -> ReportRun? {
    guard objects[place]?.type == .adReportRun else { return nil }
    guard let run = objects[place].flatMap(ReportRun.init), run.state(at: now) == .completed else {
      throw .reportNotCompleted
    }
    return run
  }

  /// The parameters of its report; a request for rows may choose other fields.
  func parameters(of request: Parameters) -> Parameters {
    var all = parameters
    if let fields = request.bytes(of: "fields") { all.append("fields".utf8, fields) }
    return all
  }

  /// The object that stands for a new run.
  static func object(
    _ report: InsightsReport, of subject: GraphObject, _ parameters: Parameters, id: String,
    at now: Int
  ) -> GraphObject {
    var form: [UInt8] = []
    for (name, value) in parameters.effective.members
    where !["access_token", "appsecret_proof", "method"].contains(name) {
      if !form.isEmpty { form.append(UInt8(ascii: "&")) }
      FormText.appendEncoded(name, to: &form)
      form.append(UInt8(ascii: "="))
      FormText.appendEncoded(value, to: &form)
    }
    let days = (report.spans.first?.lowerBound ?? 0, report.spans.last?.upperBound ?? 0)
    var run = GraphObject(
      .adReportRun, id: id, owner: subject.owner,
      fields: [
        "account_id": .string(String(subject.owner.dropFirst(4))),
        "time_ref": .number(.init(now)),
        "date_start": .string(GraphTime.day(days.0 * 86_400)),
        "date_stop": .string(GraphTime.day(days.1 * 86_400)), "is_bookmarked": false,
        AdFigures.field: [
          "subject": .string(subject.id), "form": .string(String(decoding: form, as: UTF8.self)),
          "length": .number(.init(min(600, 2 + report.size.points / 50_000))),
        ],
      ])
    if report.exceeds(InsightsReport.asynchronousLimit) { run.end(with: .reportTooLarge) }
    return run
  }

  func isExpired(at now: Int) -> Bool { now - started >= Self.lifetime }

  func state(at now: Int) -> State {
    if now <= started { return .notStarted }
    if now <= started + length { return .running }
    return end
  }

  /// How much of it is done, in percent.
  ///
  /// As in Graph, all of it may be done while it still runs (facebook-php-business-sdk, issue 288).
  func percent(at now: Int) -> Int {
    switch state(at: now) {
    case .notStarted, .failed, .skipped: 0
    case .running: (now - started) * 100 / max(1, length)
    case .completed: 100
    }
  }

  /// The value of a field that changes with time; nil if it has none.
  func value(of field: String, at now: Int) -> JSON? {
    let state = state(at: now)
    switch field {
    case "async_status": return .string(state.rawValue)
    case "async_percent_completion": return .number(.init(percent(at: now)))
    case "is_running": return .bool(state == .notStarted || state == .running)
    case "time_completed":
      return state == end ? .number(.init(started + length + 1)) : nil
    default: return state == .failed ? errorFields?[field] : nil
    }
  }
}

extension GraphObject {
  /// Lets a report run fail with an error; without one it is skipped.
  mutating func end(with fault: GraphFault?) {
    guard var run = fields[AdFigures.field]?.object else { return }
    run["end"] = .string((fault == nil ? ReportRun.State.skipped : .failed).rawValue)
    if let fault {
      let fields: [(String, JSON?)] = [
        ("error_code", fault.code.map { .number(.init($0)) }),
        ("error_subcode", fault.subcode.map { .number(.init($0)) }),
        ("error_message", .string(fault.message)),
        ("error_user_title", fault.userTitle.map { .string($0) }),
        ("error_user_msg", fault.userMessage.map { .string($0) }),
      ]
      run["error"] = .object(
        JSON.Object(fields.compactMap { name, value in value.map { (name, $0) } }))
    }
    fields[AdFigures.field] = .object(run)
  }
}
