#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// This command in a process of its own: its time from start to end, and its peak of memory.
struct BenchProcess {
  /// From the start to the end.
  let time: Duration
  /// What its threads and the system on its behalf computed.
  let processorTime: Duration
  /// The greatest resident size, in bytes.
  let peak: Int

  /// The peak in megabytes (10^6 bytes).
  var memory: String { "\(peak / 1_000_000) MB" }

  /// Runs the command to its end; what it says is thrown away.
  ///
  /// - Parameters:
  ///   - arguments: the command's.
  ///   - meanwhile: what this process does until the end of the pipe that it is given: that is when
  ///     the command has ended.
  /// - Throws: a ``CommandFailure`` if it does not succeed.
  init(_ arguments: [String], meanwhile: (Int32) -> Void = { _ in }) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw CommandFailure(.internalError, "the bench has no pipe: \(SystemError.last)")
    }
    defer { close(ends[0]) }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    for stream in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
    }
    let program = BenchProcess.program
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    var usage = rusage()
    var status: Int32 = 0
    let start = ContinuousClock.now
    let error = posix_spawn(&process, program, &actions, nil, &words, Environment.pointers)
    // Now only the command holds it, and lets it go when it ends.
    close(ends[1])
    guard error == 0 else {
      throw CommandFailure(
        .internalError,
        "cannot start '\(program)': \(SystemError(number: error))"
      )
    }
    meanwhile(ends[0])
    while wait4(process, &status, 0, &usage) < 0 && errno == EINTR {}
    time = start.duration(to: .now)
    let (user, system) = (usage.ru_utime, usage.ru_stime)
    processorTime =
      .seconds(user.tv_sec + system.tv_sec)
      + .microseconds(Int64(user.tv_usec) + Int64(system.tv_usec))
    #if canImport(Glibc)
    peak = usage.ru_maxrss * 1024
    #else
    peak = usage.ru_maxrss
    #endif
    guard status == 0 else {
      let command = arguments.joined(separator: " ")
      throw CommandFailure(.internalError, "'\(command)' ended with status \(status)")
    }
  }

  private static var program: String {
    guard let path = realpath("/proc/self/exe", nil) else { return CommandLine.arguments[0] }
    defer { free(path) }
    return String(cString: path)
  }
}

/// A folder for a bench's files, which goes with the body.
enum BenchFolder {
  /// Makes a folder, and removes it with all that is in it.
  static func with<Result>(
    _ name: String,
    _ body: (_ path: String) throws -> Result
  ) throws
    -> Result
  {
    let path = "/tmp/graphflow-bench-\(name)-\(getpid())"
    guard mkdir(path, 0o700) == 0 else {
      throw CommandFailure(.cannotCreate, "cannot make '\(path)': \(SystemError.last)")
    }
    defer { remove(path) }
    return try body(path)
  }

  /// Removes a file, or a folder with all that is in it.
  static func remove(_ path: String) {
    if FileReading.isFolder(path), !FileReading.isLink(path) {
      for name in (try? FileReading.entries(of: path)) ?? [] { remove(path + "/" + name) }
      rmdir(path)
    } else {
      unlink(path)
    }
  }
}
