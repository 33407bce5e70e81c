/// Runs a program and takes what it prints.
enum ChildProcess {
  /// Why there is no output; the message goes after the program's name.
  struct Failure: Error {
    /// A phrase such as `ended with exit code 1`; it never holds output.
    let message: String
  }

  /// What a program prints on standard output; standard error is thrown away.
  ///
  /// The program is looked up in `PATH`; no shell sees the arguments. It reads from `/dev/null`,
  /// and it is killed when time is up or when it prints too much.
  static func output(
    of words: [String],
    limit: Int,
    within patience: Duration
  ) throws(Failure) -> [UInt8] {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw Failure(message: "cannot be started: \(SystemError.last)")
    }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    defer { close(ends[0]) }
    let child = spawned(words, standardOutput: ends[1])
    close(ends[1])
    switch child {
    case .failure(let error):
      throw Failure(message: "cannot be started: \(error)")
    case .success(let process):
      let deadline = ContinuousClock.now.advanced(by: patience)
      let result: Result<[UInt8], Failure>
      do throws(Failure) {
        result = .success(try collected(from: ends[0], limit: limit, until: deadline))
      } catch {
        result = .failure(error)
      }
      let status = end(of: process, until: (try? result.get()) == nil ? .now : deadline)
      let output = try result.get()
      try expectSuccess(status)
      return output
    }
  }

  private static func spawned(
    _ words: [String],
    standardOutput: Int32
  ) -> Result<pid_t, SystemError> {
    guard let program = words.first else { return .failure(SystemError(number: EINVAL)) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, standardOutput, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    // Our threads block signals; the program must not inherit that.
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
    let error = posix_spawnp(
      &process,
      program,
      &actions,
      &attributes,
      arguments,
      environment
    )
    return error == 0 ? .success(process) : .failure(SystemError(number: error))
  }

  private static func collected(
    from descriptor: Int32,
    limit: Int,
    until deadline: ContinuousClock.Instant
  ) throws(Failure) -> [UInt8] {
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let rest = ContinuousClock.now.duration(to: deadline).components
      let milliseconds = rest.seconds * 1000 + rest.attoseconds / 1_000_000_000_000_000
      guard milliseconds > 0 else {
        throw Failure(message: "took too long")
      }
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

  /// The status of a child that has ended, or is killed when time is up.
  private static func end(of process: pid_t, until deadline: ContinuousClock.Instant) -> Int32 {
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
    guard status & 0x7F == 0 else {
      throw Failure(message: "was ended by signal \(status & 0x7F)")
    }
    let code = (status >> 8) & 0xFF
    guard code == 0 else { throw Failure(message: "ended with exit code \(code)") }
  }
}
