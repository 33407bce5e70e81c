import TestSupport
import Testing

@testable import GraphFlow

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite
struct AtomicFileTests {
  @Test
  func `a file is replaced, owner only, and nothing else is left in its folder`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path + "/report.json"
    try ScratchFolder.write(Array("an older and longer report".utf8), to: path)
    chmod(path, 0o666)
    for size in [0, 1, 3_000_000] {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
      try writeAtomically(bytes, to: path)
      #expect(try contents(of: path) == bytes)
      #expect(ScratchFolder.mode(of: path) == 0o600)
      #expect(ScratchFolder.names(in: scratch.path) == ["report.json"])
    }
  }

  @Test(arguments: ["missing/report.json", "folder", "", "a-file/report.json"])
  func `a failed write leaves nothing behind`(name: String) throws {
    let scratch = try ScratchFolder()
    mkdir(scratch.path + "/folder", 0o700)
    try ScratchFolder.write([1], to: scratch.path + "/a-file")
    let path = name.isEmpty ? "" : scratch.path + "/" + name
    let error = #expect(throws: ReportWriteError.self) { try writeAtomically([1], to: path) }
    #expect(error?.exitCode == 73)
    #expect(ScratchFolder.names(in: scratch.path) == ["a-file", "folder"])
  }

  @Test
  func `a symbolic link is replaced and its target stays`() throws {
    let scratch = try ScratchFolder()
    let target = scratch.path + "/target"
    let link = scratch.path + "/link"
    try ScratchFolder.write([7], to: target)
    symlink(target, link)
    try writeAtomically([1, 2], to: link)
    #expect(try contents(of: target) == [7])
    #expect(try contents(of: link) == [1, 2])
  }

  @Test
  func `a full device is reported, and a device is not replaced`() throws {
    try #require(access("/dev/full", W_OK) == 0)
    let error = #expect(throws: ReportWriteError.self) { try writeAtomically([1], to: "/dev/full") }
    #expect(error?.exitCode == 74)
    try writeAtomically([1], to: "/dev/null")
    #expect(ScratchFolder.mode(of: "/dev/null") != 0o600)
  }

  @Test
  func `a file that is written in pieces exists only at the end`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path + "/report.jsonl"
    let file = try AtomicFile(at: path)
    // Longer than what stays in the page cache.
    let pieces = (0..<600).map { Array(repeating: UInt8($0 % 251), count: 50_000) }
    for piece in pieces { try file.append(piece) }
    #expect(!ScratchFolder.names(in: scratch.path).contains("report.jsonl"))
    try file.finish()
    #expect(try contents(of: path) == Array(pieces.joined()))
    #expect(ScratchFolder.mode(of: path) == 0o600)
  }

  @Test
  func `a file with two names appears under both, and replaces what had them`() throws {
    let scratch = try ScratchFolder()
    mkdir(scratch.path + "/state", 0o700)
    let paths = ["report.jsonl", "state/report.jsonl"].map { "\(scratch.path)/\($0)" }
    for bytes: [UInt8] in [[1], [2, 3]] {
      let file = try AtomicFile(at: paths[0])
      try file.append(bytes)
      #expect(file.addName(paths[1]))
      #expect(ScratchFolder.names(in: scratch.path + "/state").count == Int(bytes[0]))
      try file.finish()
      for path in paths { #expect(try contents(of: path) == bytes) }
      #expect(ScratchFolder.names(in: scratch.path + "/state") == ["report.jsonl"])
    }
    #expect(paths.map { FileKind(of: $0)?.links } == [2, 2])
  }

  @Test
  func `a file gets no name on another file system, or beside a device`() throws {
    let scratch = try ScratchFolder()
    let file = try AtomicFile(at: scratch.path + "/report.jsonl")
    #expect(!file.addName("/proc/self/report.jsonl"))
    #expect(!file.addName("/dev/null"))
    #expect(!(try AtomicFile(at: "/dev/null")).addName(scratch.path + "/report.jsonl"))
    try file.finish()
    #expect(ScratchFolder.names(in: scratch.path) == ["report.jsonl"])
  }

  @Test
  func `a name that is a folder by the end is reported`() throws {
    let scratch = try ScratchFolder()
    let file = try AtomicFile(at: scratch.path + "/one")
    #expect(file.addName(scratch.path + "/two"))
    mkdir(scratch.path + "/two", 0o700)
    let error = #expect(throws: ReportWriteError.self) { try file.finish() }
    #expect(error?.path == scratch.path + "/two")
  }

  @Test
  func `an abandoned file leaves nothing behind`() throws {
    let scratch = try ScratchFolder()
    do {
      let file = try AtomicFile(at: scratch.path + "/report.jsonl")
      try file.append([1])
      #expect(file.addName(scratch.path + "/other.jsonl"))
    }
    #expect(ScratchFolder.names(in: scratch.path).isEmpty)
  }
}
