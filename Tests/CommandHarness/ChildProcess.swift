#if canImport(Glibc)
package import Glibc
#elseif canImport(Darwin)
package import Darwin
#endif

/// A program with its streams on pipes.
package final class ChildProcess {
  /// A system call that failed, with the text of its error number.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(_ what: String, _ number: Int32 = errno) {
      description = "\(what): \(String(cString: strerror(number)))"
    }
  }

  /// How a program ended.
  package enum End: Hashable {
    /// Exited with this code.
    case exited(Int32)
    /// Killed by this signal.
    case killed(Int32)
  }

  package let id: pid_t
  package private(set) var standardOutput: [UInt8] = []
  package private(set) var standardError: [UInt8] = []
  /// The processor time that it used, once it has ended.
  package private(set) var cpuTime = Duration.zero
  private var output: Int32
  private var error: Int32
  private var end: End?
  private let words: [String]
  private let environment: [String: String]

  /// Starts a program in a folder, with exactly this environment.
  ///
  /// The shell only changes the folder: `exec` replaces it with the program, in the same process.
  /// On a terminal, the program's input and messages are on a pseudo terminal.
  package init(
    _ words: [String], environment: [String: String], input: [UInt8], folder: String,
    onTerminal: Bool = false
  ) throws {
    self.words = words
    self.environment = environment
    let outputs = try ChildProcess.makePipe()
    let errors = try onTerminal ? ChildProcess.makeTerminal() : ChildProcess.makePipe()
    let stdin =
      try onTerminal ? fcntl(errors.writing, F_DUPFD_CLOEXEC, 3) : ChildProcess.inputFile(input)
    defer { close(stdin) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, stdin, 0)
    posix_spawn_file_actions_adddup2(&actions, outputs.writing, 1)
    posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Files of tests that run at the same time must not count as open files of the program.
    #if canImport(Glibc)
    // glibc has this function since version 2.34; its headers show it to GNU's dialect of C only.
    typealias AddCloseFrom =
      @convention(c) (
        UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32
      ) -> Int32
    if let function = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") {
      _ = unsafeBitCast(function, to: AddCloseFrom.self)(&actions, 3)
    }
    #else
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_CLOEXEC_DEFAULT))
    #endif
    let line = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder] + words
    var arguments = line.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var id: pid_t = 0
    let result = posix_spawn(&id, "/bin/sh", &actions, &attributes, &arguments, &variables)
    close(outputs.writing)
    close(errors.writing)
    self.id = id
    output = outputs.reading
    error = errors.reading
    guard result == 0 else { throw Failure("cannot start \(words.first ?? "nothing")", result) }
  }

  deinit {
    if end == nil {
      kill(id, SIGKILL)
      waitpid(id, nil, 0)
    }
    if output >= 0 { close(output) }
    if error >= 0 { close(error) }
    KeptOutput.keep(words, environment, [standardOutput, standardError])
  }

  /// Sends a signal.
  package func signal(_ number: Int32) { kill(id, number) }

  /// Reads until `isEnough` returns true or both streams end.
  ///
  /// - Throws: `ETIMEDOUT` after `patience` seconds, after killing the program.
  package func read(for patience: Int = 120, until isEnough: (ChildProcess) -> Bool) throws {
    let deadline = ContinuousClock.now.advanced(by: .seconds(patience))
    while (output >= 0 || error >= 0) && !isEnough(self) {
      guard ContinuousClock.now < deadline else {
        kill(id, SIGKILL)
        throw Failure("the program takes too long", ETIMEDOUT)
      }
      var waiting = [
        pollfd(fd: output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: error, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&waiting, 2, 1000) > 0 else { continue }
      if waiting[0].revents != 0 { ChildProcess.drain(&output, into: &standardOutput) }
      if waiting[1].revents != 0 { ChildProcess.drain(&error, into: &standardError) }
    }
  }

  /// Reads all output and waits for the end.
  package func wait() throws -> End {
    if let end { return end }
    try read { _ in false }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(id, &status, 0, &usage) < 0 && errno == EINTR {}
    for time in [usage.ru_utime, usage.ru_stime] {
      cpuTime += .seconds(Int(time.tv_sec)) + .microseconds(Int(time.tv_usec))
    }
    let end: End = status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .killed(status & 0x7F)
    self.end = end
    return end
  }

  private static func drain(_ descriptor: inout Int32, into bytes: inout [UInt8]) {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    #if canImport(Glibc)
    let count = Glibc.read(descriptor, &chunk, chunk.count)
    #else
    let count = Darwin.read(descriptor, &chunk, chunk.count)
    #endif
    if count > 0 {
      bytes += chunk[..<count]
    } else if count == 0 || errno != EINTR {
      close(descriptor)
      descriptor = -1
    }
  }

  package static func makePipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Failure("no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// The two ends of a pseudo terminal.
  private static func makeTerminal() throws -> (reading: Int32, writing: Int32) {
    var (reading, writing): (Int32, Int32) = (-1, -1)
    guard openpty(&reading, &writing, nil, nil, nil) == 0 else { throw Failure("no terminal") }
    for end in [reading, writing] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (reading, writing)
  }

  /// An unnamed file that holds the input: unlike a pipe, it never fills up.
  private static func inputFile(_ bytes: [UInt8]) throws -> Int32 {
    guard let file = tmpfile() else { throw Failure("no temporary file") }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count, fflush(file) == 0 else {
      throw Failure("cannot write the input")
    }
    rewind(file)
    let descriptor = fcntl(fileno(file), F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { throw Failure("no descriptor") }
    lseek(descriptor, 0, SEEK_SET)
    return descriptor
  }
}
