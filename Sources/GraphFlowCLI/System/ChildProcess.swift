import GraphFlow

/// Runs a program and reads its output.
enum ChildProcess {
  /// Why there is no output; the message follows the program's name.
  struct Failure: Error {
    /// A phrase such as `ended with exit code 1`; it never holds output.
    let message: String
  }

  /// The standard output of a program; its standard error is discarded.
  ///
  /// The program is searched in `PATH`, without a shell. It reads from `/dev/null`, and it is
  /// killed if it takes too long or prints too much.
  static func output(
    of words: [String], limit: Int, within timeout: Duration
  ) throws(Failure) -> [UInt8] {
    let (process, source): (pid_t, Int32)
    do { (process, source) = try started(words) } catch {
      throw Failure(message: "cannot be started: \(error)")
    }
    defer { close(source) }
    let deadline = ContinuousClock.now.advanced(by: timeout)
    let output = Result { () throws(Failure) in
      try collected(from: source, limit: limit, until: deadline)
    }
    let status = wait(for: process, until: (try? output.get()) == nil ? .now : deadline)
    let bytes = try output.get()
    try expectSuccess(status)
    return bytes
  }

  /// Starts the program; its output can be read from the descriptor.
  private static func started(_ words: [String]) throws(SystemError) -> (pid_t, Int32) {
    var ends: [Int32] = [-1, -1]
    try SystemError.check(pipe(&ends))
    defer { close(ends[1]) }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    do { return (try spawned(words, standardOutput: ends[1]), ends[0]) } catch {
      close(ends[0])
      throw error
    }
  }

  private static func spawned(_ words: [String], standardOutput: Int32) throws(SystemError) -> pid_t
  {
    guard let program = words.first else { throw SystemError(number: EINVAL) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, standardOutput, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    // Threads of this process block signals; the program must not inherit that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    let environment = Environment.forChildren()
    var process: pid_t = 0
    let error = posix_spawnp(&process, program, &actions, &attributes, arguments, environment)
    guard error == 0 else { throw SystemError(number: error) }
    return process
  }

  private static func collected(
    from descriptor: Int32, limit: Int, until deadline: ContinuousClock.Instant
  ) throws(Failure) -> [UInt8] {
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let milliseconds = ContinuousClock.now.duration(to: deadline).milliseconds
      guard milliseconds > 0 else { throw Failure(message: "took too long") }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, Int32(milliseconds)) > 0 else { continue }
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return output }
      output += chunk[..<count]
      guard output.count <= limit else {
        throw Failure(message: "printed more than \(limit / 1024) KiB")
      }
    }
  }

  /// Waits for a child to end, and kills it at the deadline; returns its status.
  private static func wait(for process: pid_t, until deadline: ContinuousClock.Instant) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, WNOHANG) == 0 {
      if ContinuousClock.now >= deadline {
        kill(process, SIGKILL)
        waitpid(process, &status, 0)
        break
      }
      usleep(1000)
    }
    return status
  }

  private static func expectSuccess(_ status: Int32) throws(Failure) {
    guard status & 0x7F == 0 else { throw Failure(message: "was ended by signal \(status & 0x7F)") }
    let code = (status >> 8) & 0xFF
    guard code == 0 else { throw Failure(message: "ended with exit code \(code)") }
  }
}
