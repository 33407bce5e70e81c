import GraphFlow
import JSONPath

/// What somebody needs to know about a run to find a bug, as files without secrets.
struct RunBundle {
  /// One file, and what it holds, for people.
  struct Entry {
    let name: String
    let content: String
    let bytes: [UInt8]
  }

  private(set) var entries: [Entry] = []
  private let id: RunID

  init(_ id: RunID, in store: any StateStore) throws {
    self.id = id
    let events = try store.reading(id).events()
    let report = Pipeline.report(of: RunHistory(events))
    let (plan, file) = RunBundle.plan(of: report.start)
    var facts = RunBundle.facts
    facts["workflow_file"] = .string(file)
    if case .damaged(let damage)? = try store.evidenceUnlessPruned(of: id)?.verdict {
      facts["damage"] = .string("\(damage)")
    }
    let about = Array((JSON.object(facts).serialized(pretty: true) + "\n").utf8)
    add("about.json", "versions, the system, names of variables that are set", about)
    add("report.json", "the report, with paths and bodies of answers", report.json)
    if let plan { add("plan.json", "the plan of the workflow file", plan) }
    add("journal.jsonl", "the events of the journal", RunBundle.lines(of: events))
  }

  /// The files as an archive, in a folder named for the run.
  var archive: [UInt8] {
    var archive = TarArchive(time: id.startedAt.milliseconds / 1000)
    for entry in entries { archive.add("graphflow-\(id)/\(entry.name)", entry.bytes) }
    return archive.bytes
  }

  private mutating func add(_ name: String, _ content: String, _ bytes: [UInt8]) {
    // The events have no secrets; the names of files and requests went through no mask.
    let text = TokenShape.masking(String(decoding: ProcessRedactor.redacted(bytes), as: UTF8.self))
    entries.append(Entry(name: name, content: content, bytes: Array(text.utf8)))
  }

  /// The plan of a run's file, if that is as it was, and the state of the file.
  private static func plan(of start: RunStart?) -> (plan: [UInt8]?, file: String) {
    guard let start, start.file != "-",
      let source = try? SourceFile(path: start.path, bytes: FileReading.bytes(of: start.path)).whole
    else { return (nil, "gone") }
    guard source.digest == start.fileDigest else { return (nil, "changed") }
    guard let workflow = Pipeline.load(source).workflow,
      let printing = try? PlanPrinting(workflow, inputs: nil, limits: start.options.limits)
    else { return (nil, "invalid") }
    let plan = Collected()
    guard (try? printing.document { plan.bytes += $0 }) != nil else { return (nil, "invalid") }
    return (plan.bytes, "unchanged")
  }

  /// A class, because the closure that collects escapes.
  private final class Collected {
    var bytes: [UInt8] = []
  }

  private static func lines(of events: [RunEvent]) -> [UInt8] {
    var lines: [UInt8] = []
    for event in events {
      lines += Array("{\"event\":\"\(event.kind)\"".utf8)
      let members = event.json.dropFirst().dropLast()
      if !members.isEmpty { lines += [UInt8(ascii: ",")] + members }
      if let body = event.body {
        let text = JSON.string(String(decoding: body, as: UTF8.self)).serialized()
        lines += Array(",\"body\":\(text)".utf8)
      }
      lines += Array("}\n".utf8)
    }
    return lines
  }

  /// The program, the system, and the names of variables that change what the program does.
  private static var facts: JSON.Object {
    var system = utsname()
    uname(&system)
    let names = Environment.variables().filter { !$0.value.isEmpty }.keys.filter { name in
      name.hasPrefix("GRAPHFLOW_") || name.hasPrefix("OTEL_") || name.hasPrefix("LC_")
        || name.lowercased().hasSuffix("_proxy")
        || ["CI", "TERM", "LANG", "TZ", "COLUMNS", "NO_COLOR", "SSL_CERT_FILE", "XDG_STATE_HOME"]
          .contains(name)
    }
    return [
      "graphflow": .string(toolVersion), "system": .string(text(of: &system.sysname)),
      "release": .string(text(of: &system.release)), "machine": .string(text(of: &system.machine)),
      "processors": .number(.init(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))),
      "variables": .array(names.sorted().map(JSON.string)),
    ]
  }

  private static func text<Characters>(of characters: inout Characters) -> String {
    withUnsafeBytes(of: &characters) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
