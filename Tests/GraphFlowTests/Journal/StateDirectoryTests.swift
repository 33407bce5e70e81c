import Testing

@testable import GraphFlow

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite
struct StateDirectoryTests {
  @Test(arguments: [
    (["XDG_STATE_HOME": "/x/state", "HOME": "/home/u"], "/x/state/graphflow"),
    (["XDG_STATE_HOME": "relative", "HOME": "/home/u"], "/home/u/.local/state/graphflow"),
    (["XDG_STATE_HOME": "", "HOME": "/home/u"], "/home/u/.local/state/graphflow"),
    (["HOME": "/"], "/.local/state/graphflow"),
  ])
  func `the user's folder follows the desktop specification`(
    environment: [String: String], path: String
  ) { #expect(StateDirectory.standard(environment: environment) == path) }

  @Test
  func `without any environment the folder is an absolute path`() {
    let path = StateDirectory.standard(environment: [:])
    #expect(path.hasPrefix("/") && path.hasSuffix("/.local/state/graphflow"))
  }

  /// Each version finds the runs of other versions by these names, so they are literal here.
  @Test
  func `the lock of a file has the same name in every version`() {
    let names = [("/no/such/a.yaml", "default"), ("/no/such/a.yaml", "night")].map {
      StateDirectory.name(ofLock: $0, $1)
    }
    #expect(names == ["ac3d120eec91fbc3.lock", "de02cb3d6d683f44.lock"])
  }

  @Test
  func `before the first run no folder exists and none is made`() throws {
    let scratch = try ScratchFolder()
    let state = StateDirectory(path: scratch.path + "/a/b")
    #expect(try state.runs().isEmpty)
    #expect(try state.latest() == nil)
    #expect(ScratchFolder.names(in: scratch.path).isEmpty)
  }

  @Test
  func `runs are listed newest first and other files are ignored`() async throws {
    let scratch = try ScratchFolder()
    let state = StateDirectory(path: scratch.path)
    var generator = SystemRandomNumberGenerator()
    let ids = [3, 1, 2].map { RunID(startedAt: SampleRuns.timestamp($0), using: &generator) }
    for id in ids { try await state.createJournal(for: id).close() }
    mkdir(scratch.path + "/runs/not-a-run", 0o700)
    #expect(try state.runs() == ids.sorted(by: >))
    #expect(try state.latest() == ids[0])
    let error = #expect(throws: JournalError.self) { try state.createJournal(for: ids[0]) }
    #expect(error?.kind == .cannotCreate)
  }

  @Test(arguments: [0o000, 0o022, 0o277])
  func `files and folders are for their owner whatever the umask`(mask: UInt32) async throws {
    let scratch = try ScratchFolder()
    let path = scratch.path
    // The umask applies to the whole process, so a separate process changes it.
    await #expect(processExitsWith: .success) { [path = path as String, mask] in
      umask(mode_t(mask))
      let state = StateDirectory(path: path + "/x/state")
      let journal = try state.createJournal(for: SampleRuns.id)
      try await journal.append(SampleRuns.succeeded, durably: true)
      _ = try state.lock(file: "a", profile: "b")
      try writeAtomically([1], to: state.reportPath(SampleRuns.id))
      let run = path + "/x/state/runs/\(SampleRuns.id)"
      let files = ScratchFolder.names(in: run)
      #expect(files.count == 5, "journal, -wal, -shm, reserve, report: \(files)")
      for file in files { #expect(ScratchFolder.mode(of: run + "/" + file) == 0o600, "\(file)") }
      for folder in ["/x", "/x/state", "/x/state/runs", "/x/state/locks"] {
        #expect(ScratchFolder.mode(of: path + folder) == 0o700, "\(folder)")
      }
      #expect(ScratchFolder.mode(of: run) == 0o700)
      #expect(ScratchFolder.mode(of: path + "/x/state/intents") == 0o700)
      #expect(ScratchFolder.mode(of: path + "/x/state/intents/\(SampleRuns.id)") == 0o600)
      try await journal.close()
      #expect(ScratchFolder.names(in: run) == ["journal.sqlite", "report.json"])
    }
  }

  @Test
  func `a file in the place of a folder is an error`() throws {
    let scratch = try ScratchFolder()
    try ScratchFolder.write([1], to: scratch.path + "/state")
    let state = StateDirectory(path: scratch.path + "/state")
    let error = #expect(throws: JournalError.self) { try state.createJournal(for: SampleRuns.id) }
    #expect(error?.kind == .cannotCreate)
    #expect(throws: JournalError.self) { try state.runs() }
  }

  @Test
  func `a workflow file runs once at a time for each profile, by whatever path`() throws {
    let scratch = try ScratchFolder()
    let state = StateDirectory(path: scratch.path)
    let file = scratch.path + "/a.yaml"
    try ScratchFolder.write([], to: file)
    do {
      let first = try state.lock(file: file, profile: "default")
      #expect(try !isFree(scratch.path + "/./a.yaml", "default", in: state))
      #expect(try isFree(file, "other", in: state))
      #expect(try isFree(file + "2", "default", in: state))
      let isStillHeld = isHeld(first)
      #expect(isStillHeld)
    }
    #expect(try isFree(file, "default", in: state))
  }

  @Test
  func `a key is deleted with its run, unless it is in use`() async throws {
    let scratch = try ScratchFolder()
    let state = StateDirectory(path: scratch.path)
    let id = try #require(RunID("01KAG7VWM08MFTCYQM9T8M89ZJ"))
    for key in ["monday", "tuesday"] {
      guard let lock = try state.lock(key: key, of: "a.yaml") else { continue }
      try lock.record(id)
    }
    try await state.createJournal(for: id).close()
    try state.removeLeftovers()
    #expect(try lastRun(ofKey: "monday", in: state) == .run(id))

    try state.remove(id)
    do {
      let held = try state.lock(key: "tuesday", of: "a.yaml")
      try state.removeLeftovers()
      let isStillHeld = isHeld(held)
      #expect(isStillHeld)
      #expect(try lastRun(ofKey: "tuesday", in: state) == nil)
    }
    #expect(try lastRun(ofKey: "monday", in: state) == .unknown)
    // As long as a key refers to the run, its remaining files record that it was pruned.
    #expect(try lastRun(ofKey: "tuesday", in: state) == .run(id))
    #expect(try state.evidenceUnlessPruned(of: id) == nil)
    try state.removeLeftovers()
    #expect(try lastRun(ofKey: "tuesday", in: state) == .unknown)
    #expect(ScratchFolder.names(in: scratch.path + "/runs").isEmpty)
    #expect(ScratchFolder.names(in: scratch.path + "/intents").isEmpty)
  }

  @Test
  func `a lock records that its last run was pruned, and does not report a lost run`() async throws
  {
    let scratch = try ScratchFolder()
    let state = StateDirectory(path: scratch.path)
    let other = try #require(RunID("01KAG7VWM08MFTCYQM9T8M89ZJ"))
    for id in [other, SampleRuns.id] {
      guard let lock = try state.lock(file: "\(id)", profile: "p") else { continue }
      try lock.record(id)
      let journal = try state.createJournal(for: id, named: RunNames(lock: lock.name))
      try await journal.append(SampleRuns.succeeded, durably: true)
      try await journal.close()
    }
    let ids = try state.runs()
    try state.remove(ids[0])
    for name in ScratchFolder.names(in: scratch.path + "/runs/\(ids[1])") {
      unlink(scratch.path + "/runs/\(ids[1])/\(name)")
    }
    rmdir(scratch.path + "/runs/\(ids[1])")

    try state.removeLeftovers()

    #expect(try lastRun(ofFile: "\(ids[0])", in: state) == .pruned(ids[0]))
    #expect(try lastRun(ofFile: "\(ids[1])", in: state) == .run(ids[1]))
    #expect(try state.lostRuns() == [ids[1]])
    #expect(try state.evidenceUnlessPruned(of: ids[1])?.verdict == .damaged(.gone))
  }

  @Test
  func `a starting run is not lost, even if the runs were listed before it`() async throws {
    let scratch = try ScratchFolder()
    let state = StateDirectory(path: scratch.path)
    let folder = scratch.path + "/runs/\(SampleRuns.id)"
    let journal = try state.createJournal(for: SampleRuns.id)
    rename(folder, folder + "x")
    // Killed between its mark and its folder.
    #expect(try !state.isLost(SampleRuns.id) && state.lostRuns().isEmpty)
    rename(folder + "x", folder)
    try await journal.append(SampleRuns.succeeded, durably: true)
    try await journal.close()
    // A run that has a folder by the time its mark is read.
    #expect(!state.isLost(SampleRuns.id))
    rename(folder, folder + "x")
    #expect(try state.isLost(SampleRuns.id) && state.lostRuns() == [SampleRuns.id])
  }

  @Test
  func `a run with a mark without names is found by its start`() async throws {
    let scratch = try ScratchFolder()
    let state = StateDirectory(path: scratch.path)
    let journal = try state.createJournal(for: SampleRuns.id)
    try await journal.append(SampleRuns.succeeded, durably: true)
    try await journal.close()
    let found = try state.runs(where: { _ in false }, orStarted: { $0.id == SampleRuns.id })
    #expect(found == [SampleRuns.id])
    #expect(try state.runs(where: { _ in true }, orStarted: { _ in false }).isEmpty)
    let after = try state.runs(after: SampleRuns.id, where: { _ in true }, orStarted: { _ in true })
    #expect(after.isEmpty)
  }

  @Test
  func `files that another user may have put there are refused`() async throws {
    let scratch = try ScratchFolder()
    let state = StateDirectory(path: scratch.path)
    try await state.createJournal(for: SampleRuns.id).close()
    let journal = state.journalPath(SampleRuns.id)
    let runs = scratch.path + "/runs"
    func refused(_ path: String) {
      let error = #expect(throws: JournalError.self) { try state.reading(SampleRuns.id) }
      #expect(error?.kind == .foreign && error?.path == path, "\(String(describing: error))")
    }
    for (path, mode) in [(journal, 0o666), (runs + "/\(SampleRuns.id)", 0o777), (runs, 0o770)] {
      chmod(path, mode_t(mode))
      refused(path)
      chmod(path, 0o700)
    }
    rename(runs, scratch.path + "/elsewhere")
    symlink(scratch.path + "/elsewhere", runs)
    refused(runs)
    let error = #expect(throws: JournalError.self) { try state.runs() }
    #expect(error?.kind == .foreign)
    #expect(throws: JournalError.self) { try state.createJournal(for: SampleRuns.id) }
  }

  @Test
  func `a lock ends with the process that held it`() async throws {
    let scratch = try ScratchFolder()
    let path = scratch.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let lock = try StateDirectory(path: path).lock(file: "a", profile: "b")
      if isHeld(lock) { kill(getpid(), SIGKILL) }
    }
    #expect(try isFree("a", "b", in: StateDirectory(path: path)))
  }
}

/// Whether the lock can be acquired; it is released at once.
private func isFree(_ file: String, _ profile: String, in state: StateDirectory) throws -> Bool {
  isHeld(try state.lock(file: file, profile: profile))
}

private func isHeld(_ lock: borrowing RunLock?) -> Bool {
  switch lock {
  case .some: true
  case .none: false
  }
}

/// The last run in the lock of a file; nil while another process holds it.
private func lastRun(ofFile file: String, in state: StateDirectory) throws -> LastRun? {
  guard let lock = try state.lock(file: file, profile: "p") else { return nil }
  return lock.lastRun
}

/// The last run in a key; nil while another process holds it.
private func lastRun(ofKey key: String, in state: StateDirectory) throws -> LastRun? {
  guard let lock = try state.lock(key: key, of: "a.yaml") else { return nil }
  return lock.lastRun
}
