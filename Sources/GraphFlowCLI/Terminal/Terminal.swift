import GraphFlow

/// The two streams of the command: results go to standard output, everything else to standard error.
enum Terminal {
  /// Writes a result.
  ///
  /// - Throws: a ``CommandFailure`` with ``ExitStatus/cannotWrite``, such as on a full disk.
  static func printResult(_ bytes: [UInt8]) throws {
    guard let error = write(bytes, to: STDOUT_FILENO) else { return }
    throw CommandFailure(.cannotWrite, "cannot write to standard output: \(error)")
  }

  /// Writes a result and ends the line.
  static func printResult(_ text: String) throws {
    try printResult(Array(text.utf8) + [UInt8(ascii: "\n")])
  }

  /// Tells people something; there is nowhere to complain if that fails.
  ///
  /// What looks like a token is masked, wherever it came from.
  static func say(_ text: String) {
    _ = write(Array(TokenShape.masking(text).utf8) + [UInt8(ascii: "\n")], to: STDERR_FILENO)
  }

  /// Says why a command ends.
  static func sayFailure(_ failure: CommandFailure) {
    guard !failure.message.isEmpty else { return }
    say(styled("error:", .failure, on: STDERR_FILENO) + " " + Untrusted.shown(failure.message))
    if let hint = failure.hint { say("  " + Untrusted.shown(hint)) }
  }

  /// Whether a stream takes colours: `NO_COLOR` over `CLICOLOR_FORCE` over what it is.
  ///
  /// See https://no-color.org and https://bixense.com/clicolors.
  static func hasColor(_ descriptor: Int32) -> Bool {
    if Environment.value("NO_COLOR") != nil { return false }
    if let force = Environment.value("CLICOLOR_FORCE"), force != "0" { return true }
    if Environment.value("TERM") == "dumb" { return false }
    return isatty(descriptor) == 1
  }

  /// The width of lines: `COLUMNS`, else the terminal's, else 80.
  static func width(of descriptor: Int32) -> Int {
    if let columns = Environment.value("COLUMNS").flatMap({ Int($0) }), columns > 0 {
      return min(columns, 1000)
    }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  private enum Style: String {
    case failure = "1;31"
  }

  private static func styled(_ text: String, _ style: Style, on descriptor: Int32) -> String {
    guard hasColor(descriptor) else { return text }
    return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
  }

  /// Writes a token because that is what was asked for: those of a sandbox, worth nothing elsewhere.
  static func printTokens(_ text: String) throws {
    guard let error = send(Array(text.utf8) + [UInt8(ascii: "\n")], to: STDOUT_FILENO) else {
      return
    }
    throw CommandFailure(.cannotWrite, "cannot write to standard output: \(error)")
  }

  /// Writes all bytes but secrets to a descriptor; returns the error that prevented it.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> SystemError? {
    send(SecretNet.netted(bytes), to: descriptor)
  }

  private static func send(_ bytes: [UInt8], to descriptor: Int32) -> SystemError? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { buffer in
        #if canImport(Glibc)
        Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        #else
        Darwin.write(descriptor, buffer.baseAddress, buffer.count)
        #endif
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR && errno != EAGAIN {
        return SystemError.last
      }
    }
    return nil
  }
}
