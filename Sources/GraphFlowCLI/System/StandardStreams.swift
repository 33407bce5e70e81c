/// Standard input, output and error, any of which the parent may have closed.
enum StandardStreams {
  /// Opens `/dev/null` for those that are closed.
  ///
  /// Otherwise the next open file, such as a journal, would get the number of a stream, and
  /// messages would be written into it.
  static func fill() {
    for descriptor in STDIN_FILENO...STDERR_FILENO
    where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // This gets the lowest free number, which is the current one: those below it are open.
      _ = open("/dev/null", O_RDWR | O_NOCTTY)
    }
  }
}
