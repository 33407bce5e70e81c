/// Standard input, output and error, of which a parent may have closed any.
enum StandardStreams {
  /// Opens `/dev/null` for those that are closed.
  ///
  /// Otherwise the next file that is opened, a journal for one, would get the number of a stream, and
  /// what is meant for people would be written into it.
  static func fill() {
    for descriptor in STDIN_FILENO...STDERR_FILENO
    where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // The lowest free number is this one, for those below it are open.
      _ = open("/dev/null", O_RDWR | O_NOCTTY)
    }
  }
}
