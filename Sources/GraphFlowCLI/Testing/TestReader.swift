import GraphFlow
import GraphSandbox
import JSONPath

/// Reads a test file.
///
/// It continues after errors, so that all problems are reported at once. World, faults and checks are
/// read by the readers of their own files.
struct TestReader: YAMLReading {
  static let key = "graphflow-test"
  /// How the name of a test file ends.
  static let ending = ".test.yaml"

  typealias Key<Whole: SendableMetatype> = YAMLKey<Self, Whole>
  let findings: Findings
  private let source: SourceFile
  private let workflow: Workflow

  static func reading(_ source: SourceFile) -> (file: TestFile?, diagnostics: [Diagnostic]) {
    let file = FieldReader(source)
    let test = file.root.flatMap { TestReader.file($0, source, file) }
    return (file.hasErrors ? nil : test, file.diagnostics)
  }

  private static let fileKeys = [key, "description", "workflow", "cases"]

  private static func file(
    _ root: YAMLNode, _ source: SourceFile, _ file: FieldReader
  ) -> TestFile? {
    let keys = fileKeys + givenKeys.map(\.name)
    guard let members = file.members(of: root, "a test file", known: keys) else { return nil }
    file.checkVersion(key, in: members)
    _ = members.value("description") { file.text($0, $1) }
    let cases = file.required("cases", in: members, hint: "write cases: {NAME: {…}}")
    let path = members["workflow"].map { file.filledText($0, "'workflow'") } ?? own(source.path)
    guard let path, let workflow = file.workflow(path, members, besides: source) else { return nil }
    var reader = TestReader(findings: file.findings, source: source, workflow: workflow)
    var given = TestFile.Given()
    reader.read(members, into: &given, by: givenKeys)
    let entries = cases.flatMap { reader.entries(of: $0, "'cases'") } ?? []
    if let cases, entries.isEmpty {
      file.report(.missingKey, "a test file needs at least one case", at: cases.location)
    }
    return TestFile(
      source: source, workflow: workflow, cases: entries.compactMap { reader.read($0, over: given) }
    )
  }

  /// The workflow that a test file is named after, in its folder; nil if it has another name.
  private static func own(_ path: String) -> String? {
    let name = FilePlace(path).name
    return name.hasSuffix(ending) ? String(name.dropLast(ending.count)) + ".yaml" : nil
  }

  /// What a run begins with, for all cases or for one.
  private static let givenKeys: [Key<TestFile.Given>] = [
    Key("inputs", \.inputs) { $0.inputs($1, $2) },
    Key("files", \.files) { $0.files($1, $2) },
    Key("world", \.world) { $0.world($1, $2) },
    Key("faults", \.faults) { $0.faults($1, $2) },
    Key("clock", \.clock) { $0.time($1, $2) },
    Key("profile", \.profile) { $0.filledText($1, $2) },
  ]

  private static let expectedKeys: [Key<TestFile.Expected>] = [
    Key("exit", \.exit) { reader, node, subject in
      reader.integer(node, subject, in: 0...255).map { .init(value: $0, location: node.location) }
    },
    Key("status", \.status) { reader, node, subject in
      let words = ["succeeded", "failed", "in_doubt", "cancelled", "unfinished"]
      return reader.choice(node, subject, among: words)
        .map { .init(value: $0, location: node.location) }
    },
    Key("requests", \.requests) { reader, node, subject in
      reader.named(node, subject, among: reader.workflow.requests.map(\.displayName), "request") {
        $0.outcomes($1, $2)
      }
    },
    Key("outputs", \.outputs) { reader, node, subject in
      reader.named(node, subject, among: reader.workflow.outputs.map(\.name), "output") {
        $0.value($1, $2)
      }
    },
    Key("calls", \.calls) { $0.count($1, $2) },
    Key("writes", \.writes) { $0.count($1, $2) },
    Key("objects", \.objects) { reader, node, subject in
      reader.entries(of: node, subject).flatMap { _ in reader.checks.reads(node) }
    },
    Key("expect", \.conditions) { reader, node, _ in reader.checks.conditions(node) },
  ]

  private var checks: CheckReader { CheckReader(of: workflow, in: source, findings) }

  private mutating func read(_ entry: YAMLNode.Entry, over given: TestFile.Given) -> TestFile.Case?
  {
    let subject = Subject("the case", entry.key)
    let keys = Self.givenKeys.map(\.name) + Self.expectedKeys.map(\.name)
    guard
      let members = members(of: entry.value, subject, known: keys, owner: entry.keyLocation)
    else { return nil }
    var (own, expected) = (given, TestFile.Expected())
    read(members, into: &own, by: Self.givenKeys)
    for (name, value) in given.inputs where own.inputs[name] == nil { own.inputs[name] = value }
    read(members, into: &expected, by: Self.expectedKeys)
    if expected.exit == nil, expected.status == nil {
      expected.exit = .init(value: 0, location: entry.keyLocation)
    }
    let tokens = own.world.tokens.map(\.key)
    if let profile = own.profile, !tokens.contains(profile) {
      let location = members["profile"]?.location ?? entry.keyLocation
      reportUnknown(profile, "the world has no token", tokens, at: location)
    }
    return TestFile.Case(
      name: entry.key, location: entry.keyLocation, given: own, expected: expected)
  }

  private func reportUnknown(
    _ name: String, _ what: String, _ known: [String], at location: SourceLocation
  ) {
    let nearest = suggestion(for: name, among: known)
    let list = known.isEmpty ? nil : "there are: \(known.prefix(10).joined(separator: ", "))"
    report(
      .unknownReference, "\(what) '\(name.prefix(60))'", at: location,
      hint: nearest.map { "did you mean '\($0)'?" } ?? list, fix: nearest)
  }

  /// The entries of a map whose keys are names of the workflow.
  private mutating func named<Value>(
    _ node: YAMLNode, _ subject: Subject, among names: [String], _ kind: String,
    _ read: (inout Self, YAMLNode, Subject) -> Value?
  ) -> [TestFile.Named<Value>] {
    (entries(of: node, subject) ?? []).compactMap { entry in
      guard names.contains(entry.key) else {
        reportUnknown(entry.key, "the workflow has no \(kind)", names, at: entry.keyLocation)
        return nil
      }
      return read(&self, entry.value, Subject("the \(kind)", entry.key)).map {
        .init(name: entry.key, expected: .init(value: $0, location: entry.value.location))
      }
    }
  }
}

// MARK: - Values

extension TestReader {
  private mutating func inputs(_ node: YAMLNode, _ subject: Subject) -> JSON.Object {
    let names = workflow.inputs.map(\.name.description)
    return JSON.Object(
      named(node, subject, among: names, "input") { $0.value($1, $2) }
        .map { ($0.name, $0.expected.value) })
  }

  private func files(_ node: YAMLNode, _ subject: Subject) -> [String: String] {
    let files = (entries(of: node, subject) ?? []).compactMap { entry in
      text(entry.value, Subject("the file", entry.key)).map { (entry.key, $0) }
    }
    return Dictionary(files) { first, _ in first }
  }

  private static let outcomes = ["succeeded", "failed", "skipped", "in_doubt", "cancelled"]

  private func outcomes(_ node: YAMLNode, _ subject: Subject) -> TestFile.Outcomes? {
    guard case .mapping = node.content else {
      return choice(node, subject, among: Self.outcomes).map { .all($0) }
    }
    guard let members = members(of: node, subject, known: Self.outcomes) else { return nil }
    let counts = members.entries.compactMap { entry in
      integer(entry.value, Subject(key: entry.key), in: 0...1_000_000_000).map { (entry.key, $0) }
    }
    return .counts(Dictionary(counts.filter { $0.1 > 0 }) { first, _ in first })
  }

  private func count(_ node: YAMLNode, _ subject: Subject) -> TestFile.Located<TestFile.Count>? {
    let range = 0...1_000_000_000
    guard case .mapping = node.content else {
      return integer(node, subject, in: range)
        .map { .init(value: .exactly($0), location: node.location) }
    }
    guard let members = members(of: node, subject, known: ["at_most"]) else { return nil }
    return required("at_most", in: members).flatMap { integer($0, "'at_most'", in: range) }
      .map { .init(value: .atMost($0), location: node.location) }
  }

  /// A world: a map, or the path of a world file.
  private func world(_ node: YAMLNode, _ subject: Subject) -> WorldDescription? {
    guard case .mapping = node.content else {
      return file(node, subject, .world) { WorldReader.reading($0) }
    }
    return WorldReader.world(in: node, findings)
  }

  /// Faults: a list, or the path of a faults file.
  private func faults(_ node: YAMLNode, _ subject: Subject) -> FaultPlan? {
    guard case .sequence = node.content else {
      return file(node, subject, .faults) { FaultReader.reading($0) }
    }
    return FaultPlan(FaultReader(findings: findings).rules(node))
  }

  private func file<Value>(
    _ node: YAMLNode, _ subject: Subject, _ kind: WorkflowFiles.Kind,
    _ read: (SourceFile) -> (Value?, [Diagnostic])
  ) -> Value? {
    filledText(node, subject).flatMap { load($0, kind, besides: source, at: node.location, read) }
  }
}

extension YAMLReading {
  /// The workflow of a test file.
  fileprivate func workflow(
    _ path: String, _ members: YAMLMembers, besides source: SourceFile
  ) -> Workflow? {
    let location = members["workflow"]?.location ?? members.location
    return load(path, .workflow, besides: source, at: location) { Pipeline.load($0) }
  }

  /// Loads another file, whose path is relative to the folder of this one; its own problems are not
  /// shown here.
  fileprivate func load<Value>(
    _ path: String, _ kind: WorkflowFiles.Kind, besides source: SourceFile,
    at location: SourceLocation, _ read: (SourceFile) -> (Value?, [Diagnostic])
  ) -> Value? {
    let folder = FilePlace(source.path).folder
    let place = folder == "." && path != "-" ? path : "\(folder)/\(path)"
    do {
      guard !path.hasPrefix("/"), let file = try WorkflowFiles.source(at: place, of: kind) else {
        report(
          .invalidValue, "'\(path.prefix(60))' is not a \(kind) file beside this one", at: location)
        return nil
      }
      if let value = read(file).0 { return value }
      report(
        .invalidValue, "the \(kind) file '\(path.prefix(60))' has errors", at: location,
        hint: "graphflow validate \(place)")
    } catch {
      report(.missingFile, "\(CommandFailure(error).message)", at: location)
    }
    return nil
  }
}
