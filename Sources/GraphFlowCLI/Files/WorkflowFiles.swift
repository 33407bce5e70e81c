import GraphAPI
import GraphFlow

extension LintSettings {
  /// The present day, and the version of workflows that name none.
  static func now(
    version: GraphVersion = Configuration.adviceVersion, comparedWith target: GraphVersion? = nil
  ) -> LintSettings {
    LintSettings(
      daysSince1970: Int64(WallClock.seconds() / 86_400), version: version, target: target)
  }
}

/// Reads workflow files: those that are named, and those in a folder.
enum WorkflowFiles {
  /// The largest workflow file, 64 MiB (docs/reference/language.md, "Limits").
  static let limit = 64 << 20

  /// Reads and checks one workflow; its diagnostics are printed on standard error.
  ///
  /// With `needsFiles` the files that it names must exist. With `quietly` only errors are printed. A
  /// `copy` of the file is read instead of it. It is reduced to a part.
  static func workflow(
    at path: String, copy: [UInt8]? = nil, part: WorkflowPart = .whole, needsFiles: Bool = true,
    quietly: Bool = false
  ) throws -> Workflow {
    let workflow = try checked(path, copy: copy, quietly: quietly) { source in
      let presence = needsFiles ? WorkflowFolder.presence(besides: path) : nil
      return Pipeline.load(
        source, filePresence: presence, part: part, settings: .now())
    }
    let known = workflow.outerNames
    guard let unknown = part.names.first(where: { !known.contains($0) }) else { return workflow }
    let option = if case .from = part { "--from" } else { "--only" }
    let group = unknown.split(separator: ".").first.map(String.init) ?? ""
    let hint =
      known.contains(group)
      ? "a group runs as a whole: \(option) \(group)"
      : NearestName.to(unknown, among: known).map { "did you mean '\($0)'?" }
    throw CommandFailure(
      .usage, "\(option): '\(path)' has no request or group '\(unknown)'",
      hint: hint ?? "it has: " + known.prefix(10).joined(separator: ", "))
  }

  /// Reads and checks a file that was named; its diagnostics are printed on standard error.
  static func checked<Value>(
    _ path: String, copy: [UInt8]? = nil, quietly: Bool = false,
    reading: (SourceFile) -> (Value?, [Diagnostic])
  ) throws -> Value {
    let source = try copy.map { SourceFile(path: path, bytes: $0).whole } ?? source(at: path)
    let (value, diagnostics) = reading(source)
    Diagnostics.report(diagnostics, of: source, onlyErrors: quietly)
    guard let value else { throw CommandFailure.silent(.invalid) }
    return value
  }

  /// One file's bytes; for a file beyond the limit only its beginning, which the reader refuses.
  ///
  /// A link that leads out of the file's folder to a file of another kind is refused, because
  /// diagnostics would show its keys.
  private static func source(at path: String) throws -> SourceFile {
    do {
      let source = try source(at: FilePlace(path))
      guard source.isShown || Kind(source) != nil else {
        throw CommandFailure(
          .unreadable,
          "cannot read '\(path)': The link leads out of its folder, to a file without a key "
            + "'graphflow'")
      }
      return source
    } catch var failure as CommandFailure {
      let near = [path + ".yaml", path + ".yml"].first { FileStatus($0) != nil }
      if failure.hint == nil, let near { failure.hint = "did you mean '\(near)'?" }
      throw failure
    }
  }

  /// The bytes of a file of a kind; nil for one of another kind.
  static func source(at path: String, of kind: Kind) throws -> SourceFile? {
    let source = try source(at: FilePlace(path))
    return Kind(source) == kind ? source : nil
  }

  /// The bytes of a file of any kind; its lines are shown only if it is in its folder.
  private static func source(at place: FilePlace) throws -> SourceFile {
    let path = place.path
    let isStream = path == "-" || FileReading.isDescriptor(path)
    if !isStream, let file = try? OpenFolder(place.folder).file(at: place.name),
      let (bytes, isWhole) = try? FileReading.beginning(of: file, limit: limit)
    {
      return SourceFile(path: path, bytes: bytes, isWhole: isWhole).whole
    }
    // A stream, a file outside, or one that cannot be read, for which this throws the reason.
    let (bytes, isWhole) = try FileReading.beginning(of: path, limit: limit)
    return SourceFile(path: path, bytes: bytes, isWhole: isWhole, isShown: isStream).whole
  }

  /// A file that may be a workflow.
  enum Candidate: Sendable {
    /// A file that was named: it must be a workflow.
    case named(String)
    /// A file in a folder that was searched, where other YAML files are skipped.
    case found(FilePlace)
    /// A folder that cannot be read.
    case unreadable(CommandFailure)

    var place: FilePlace? {
      switch self {
      case .named(let path): FilePlace(path)
      case .found(let place): place
      case .unreadable: nil
      }
    }

    /// The file's bytes; nil if it was found in a folder and is not a workflow.
    func source() throws -> SourceFile? {
      switch self {
      case .named(let path): return try WorkflowFiles.source(at: path)
      case .found(let place):
        let source = try WorkflowFiles.source(at: place)
        return Kind(source, inFolder: true) == nil ? nil : source
      case .unreadable(let failure): throw failure
      }
    }
  }

  static func candidates(at path: String) throws -> [Candidate] {
    guard path != "-", FileStatus(path)?.isFolder == true else { return [.named(path)] }
    return try FolderSearch.candidates(in: path)
  }

  /// What a file describes, according to the keys at the start of its lines.
  enum Kind {
    case faults, test, workflow, world

    /// Nil for a file of another kind.
    ///
    /// In a folder, other files may have the key of world files.
    init?(_ source: SourceFile, inFolder isFound: Bool = false) {
      func has(_ key: String) -> Bool {
        WorkflowFiles.hasLine(of: source.bytes, beginningWithKey: key)
      }
      if has(FaultReader.key) {
        self = .faults
      } else if has(TestReader.key) {
        self = .test
      } else if has("graphflow") {
        self = .workflow
      } else {
        let others = ["users", "pages", "tokens", "ad_accounts", "application"]
        guard has("world"), !isFound || others.contains(where: has) else { return nil }
        self = .world
      }
    }
  }

  /// Whether a line begins with a key, in quotes or without.
  private static func hasLine(of bytes: [UInt8], beginningWithKey key: String) -> Bool {
    let keys = [key, "\"\(key)\"", "'\(key)'"].map { Array($0.utf8) }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    return bytes.withUnsafeBufferPointer { bytes in
      // The bytes before each colon are checked, which is fast even for millions of lines.
      for colon in start..<max(bytes.count, start) where bytes[colon] == UInt8(ascii: ":") {
        let isKey = keys.contains { key in
          let first = colon - key.count
          return (first == start || first > start && bytes[first - 1] == UInt8(ascii: "\n"))
            && bytes[first..<colon].elementsEqual(key)
        }
        if isKey { return true }
      }
      return false
    }
  }
}

extension SourceFile {
  /// A workflow file with the files that it includes, which lie in its folder.
  var whole: SourceFile {
    guard isShown, WorkflowFiles.Kind(self) == .workflow else { return self }
    let folder = WorkflowFolder(of: path)
    return including { path in
      guard case .file = folder.presence(of: path) else {
        return .unusable(folder.presence(of: path))
      }
      do {
        let file = try folder.file(at: path)
        let (bytes, isWhole) = try FileReading.beginning(of: file, limit: WorkflowFiles.limit)
        return isWhole ? .bytes(bytes) : .unusable(.unusable("it is larger than 64 MiB"))
      } catch {
        return .unusable(.unusable(CommandFailure(error).message))
      }
    }
  }
}
