import GraphFlow

/// Runs a program and reads its output.
enum ChildProcess {
  /// The standard output of a program; its standard error is discarded.
  ///
  /// The program is searched in `PATH`, without a shell. Its input must fit into a pipe. It is killed
  /// if it takes too long or prints too much.
  ///
  /// - Throws: an error whose description follows the program's name, such as `ended with exit code
  ///   1`; it never holds output.
  static func output(
    of words: [String], reading input: [UInt8] = [], limit: Int, within timeout: Duration
  ) throws(SystemError) -> [UInt8] {
    let (process, source): (pid_t, InputFile)
    do { (process, source) = try started(words, reading: input) } catch {
      throw SystemError("cannot be started: \(error)")
    }
    let deadline = ContinuousClock.now.advanced(by: timeout)
    let output = Result { () throws(SystemError) in
      try collected(from: source, limit: limit, until: deadline)
    }
    let status = wait(for: process, until: (try? output.get()) == nil ? .now : deadline)
    let bytes = try output.get()
    let (signal, code) = (status & 0x7F, (status >> 8) & 0xFF)
    guard signal == 0 else { throw SystemError("was ended by signal \(signal)") }
    guard code == 0 else { throw SystemError("ended with exit code \(code)") }
    return bytes
  }

  /// Starts the program, whose output can be read from the file.
  private static func started(
    _ words: [String], reading bytes: [UInt8]
  ) throws(SystemError) -> (pid_t, InputFile) {
    let (output, standardOutput) = try pipeEnds()
    defer { close(standardOutput) }
    let (input, feed) = try pipeEnds()
    defer { close(feed) }
    // Before the program runs, so that neither waits for the other.
    _ = fcntl(feed, F_SETFL, O_NONBLOCK)
    guard write(feed, bytes, bytes.count) == bytes.count else {
      throw SystemError("its input does not fit into a pipe")
    }
    return (
      try spawned(words, standardInput: input.descriptor, standardOutput: standardOutput), output
    )
  }

  /// A pipe that child processes do not inherit.
  private static func pipeEnds() throws(SystemError) -> (output: InputFile, input: Int32) {
    var ends: [Int32] = [-1, -1]
    try SystemError.check(pipe(&ends))
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (InputFile(ends[0]), ends[1])
  }

  private static func spawned(
    _ words: [String], standardInput: Int32, standardOutput: Int32
  ) throws(SystemError) -> pid_t {
    guard let program = words.first else { throw SystemError(number: EINVAL) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, standardInput, STDIN_FILENO)
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
    var process: pid_t = 0
    let error = posix_spawnp(
      &process, program, &actions, &attributes, arguments, Environment.forChildren)
    guard error == 0 else { throw SystemError(number: error) }
    return process
  }

  private static func collected(
    from file: InputFile, limit: Int, until deadline: ContinuousClock.Instant
  ) throws(SystemError) -> [UInt8] {
    var output: [UInt8] = []
    while true {
      let milliseconds = ContinuousClock.now.duration(to: deadline).milliseconds
      guard milliseconds > 0 else { throw SystemError("took too long") }
      var waiting = pollfd(fd: file.descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, Int32(milliseconds)) > 0 else { continue }
      guard let chunk = try? file.read(4096), !chunk.isEmpty else { return output }
      output += chunk
      guard output.count <= limit else {
        throw SystemError("printed more than \(limit / 1024) KiB")
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
}
