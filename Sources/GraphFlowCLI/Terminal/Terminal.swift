import GraphFlow
import JSONPath
import Synchronization

/// The command's streams: results go to standard output, everything else to standard error.
enum Terminal {
  static func printResult(_ bytes: [UInt8]) throws {
    try printUnmasked(ProcessRedactor.redacted(bytes))
  }

  static func printResult(_ text: String) throws {
    try printResult(Array(text.utf8) + [UInt8(ascii: "\n")])
  }

  /// Writes untrusted text as a result, made safe to display.
  static func printText(_ text: String) throws {
    try printResult(Array(Untrusted.shown(text).utf8))
  }

  /// Writes JSON text as a result; escaping keeps it the same JSON.
  static func printJSON(_ text: [UInt8]) throws { try printResult(Untrusted.json(text)) }

  /// Writes JSON as a result and ends the line.
  static func printJSON(_ json: JSON, pretty: Bool = false) throws {
    try printJSON(Array((json.serialized(pretty: pretty) + "\n").utf8))
  }

  /// Writes values as results, one a line: as compact JSON or, if they are raw, texts without quotes.
  ///
  /// Raw text is exact, for programs; a terminal gets it with control characters escaped.
  static func printValues(_ values: some Sequence<JSON>, raw: Bool) throws {
    try printResult(lines(of: values, raw: raw))
  }

  /// The lines of ``printValues(_:raw:)``.
  static func lines(of values: some Sequence<JSON>, raw: Bool) -> [UInt8] {
    var lines: [UInt8] = []
    for value in values {
      if raw, case .string(let text) = value {
        lines += (isatty(STDOUT_FILENO) == 1 ? Untrusted.shown(text) : text).utf8
      } else {
        lines += Untrusted.json(Array(value.serialized().utf8))
      }
      lines.append(UInt8(ascii: "\n"))
    }
    return lines
  }

  /// Writes a JSON list as a result, each element on its own line.
  static func printJSON(list: [JSON]) throws {
    let elements = list.map { "\n  " + $0.serialized() }.joined(separator: ",")
    try printJSON(Array((list.isEmpty ? "[]\n" : "[\(elements)\n]\n").utf8))
  }

  /// The weight of a message on standard error.
  enum Level: String {
    case info, warning, error
  }

  private static let logFormat = Atomic(false)

  /// Whether standard error takes objects for programs instead of lines for people.
  static var isStructured: Bool { kept == nil && logFormat.load(ordering: .relaxed) }

  /// The messages that a task keeps instead of printing them.
  final class KeptMessages: Sendable {
    fileprivate let text = Mutex("")
  }

  @TaskLocal private static var kept: KeptMessages?

  /// Does work whose messages are kept, and returns them.
  static func keepingMessages(_ work: () async throws -> Void) async rethrows -> String {
    let messages = KeptMessages()
    try await $kept.withValue(messages, operation: work)
    return messages.text.withLock(\.self)
  }

  /// Takes `--log-format`, which every command has, out of the words of the command line.
  static func takeLogFormat(from words: inout [String]) throws {
    let option = "--log-format"
    let end = words.firstIndex(of: "--") ?? words.endIndex
    guard
      let index = words[..<end].firstIndex(where: { $0 == option || $0.hasPrefix(option + "=") })
    else { return }
    let word = words.remove(at: index)
    let value =
      word == option
      ? (index < words.endIndex ? words.remove(at: index) : "")
      : String(word.dropFirst(option.count + 1))
    guard ["text", "json"].contains(value) else {
      throw CommandFailure(.usage, "\(option) is '\(value)', but must be text or json")
    }
    logFormat.store(value == "json", ordering: .relaxed)
  }

  /// Prints a message on standard error, with tokens masked; a failure is ignored.
  ///
  /// It is a line for people, or an object with all that is known.
  static func notify(_ text: String, _ level: Level = .info, _ fields: JSON.Object = [:]) {
    if isStructured {
      var members: JSON.Object = [
        "time": .string(WallClock.now().description), "level": .string(level.rawValue),
        "message": .string(TokenShape.masking(text)),
      ]
      for (name, value) in fields { members[name] = value }
      return notify(object: JSON.object(members).serialized())
    }
    let line = TokenShape.masking(text) + "\n"
    if let kept { return kept.text.withLock { $0 += line } }
    _ = write(Array(line.utf8), to: STDERR_FILENO)
  }

  /// Prints an object for programs as a line on standard error, with tokens masked.
  static func notify(object: String) {
    let line = Untrusted.json(Array(TokenShape.masking(object).utf8))
    _ = write(line + [UInt8(ascii: "\n")], to: STDERR_FILENO)
  }

  static func warn(_ text: String) {
    notify((isStructured ? "" : "warning: ") + Untrusted.shown(text), .warning)
  }

  static func printFailure(_ failure: CommandFailure) {
    guard !failure.message.isEmpty else { return }
    let message = Untrusted.shown(failure.message)
    let hint = failure.hint.map(Untrusted.shown)
    guard !isStructured else {
      return notify(
        message, .error,
        [
          "hint": hint.map(JSON.string) ?? .null,
          "exit_code": .number(.init(Int(failure.status.rawValue))),
        ])
    }
    let label = hasColor(STDERR_FILENO) ? "\u{1B}[1;31merror:\u{1B}[0m" : "error:"
    notify(label + " " + message)
    if let hint { notify("  " + hint) }
  }

  /// Whether a stream takes colours: `NO_COLOR` overrides `CLICOLOR_FORCE`, which overrides whether
  /// it is a terminal.
  ///
  /// See https://no-color.org and https://bixense.com/clicolors.
  static func hasColor(_ descriptor: Int32) -> Bool {
    if descriptor == STDERR_FILENO, isStructured { return false }
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

  /// Writes tokens of a sandbox, which is the one place that prints them: they are worth nothing
  /// elsewhere.
  static func printTokens(_ text: String) throws {
    try printUnmasked(Array(text.utf8) + [UInt8(ascii: "\n")])
  }

  /// Writes a result in which nothing is masked: data that the user has handed in.
  static func printUnmasked(_ bytes: [UInt8]) throws {
    guard let error = send(bytes, to: STDOUT_FILENO) else { return }
    throw CommandFailure(.cannotWrite, "cannot write to standard output: \(error)")
  }

  /// Writes bytes to a descriptor, with secrets masked; returns the error if it fails.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> SystemError? {
    guard descriptor == STDERR_FILENO else {
      return send(ProcessRedactor.redacted(bytes), to: descriptor)
    }
    // Lines go above the block, which is drawn again later.
    return block.withLock { send($0.erasure() + ProcessRedactor.redacted(bytes), to: descriptor) }
  }

  /// The block of progress on standard error.
  private static let block = Mutex(TerminalBlock())

  /// Draws a block at the bottom in place of the last one, with one write and only if it has changed;
  /// false if the terminal is gone.
  static func draw(block lines: [String]) -> Bool {
    block.withLock { block in
      let bytes = block.drawing(lines)
      return bytes.isEmpty || send(ProcessRedactor.redacted(bytes), to: STDERR_FILENO) == nil
    }
  }

  private static func send(_ bytes: [UInt8], to descriptor: Int32) -> SystemError? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { writeBytes(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR && errno != EAGAIN {
        return SystemError.last
      }
    }
    return nil
  }
}

/// `write(2)`, which the method of that name would hide.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

extension String {
  /// The text with spaces after it, up to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

/// Diagnostics on the command's streams.
enum Diagnostics {
  /// The diagnostics, with their lines of the source, without the last line break.
  static func text(of diagnostics: [Diagnostic], in source: SourceFile?, on stream: Int32) -> String
  {
    let text = diagnostics.text(in: source, color: Terminal.hasColor(stream))
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// Prints errors and warnings on standard error; only `validate` prints notes.
  static func report(_ diagnostics: [Diagnostic], of source: SourceFile?, onlyErrors: Bool = false)
  {
    let diagnostics = diagnostics.filter {
      $0.severity == .error || $0.severity == .warning && !onlyErrors
    }
    guard !diagnostics.isEmpty else { return }
    guard !Terminal.isStructured else {
      for diagnostic in diagnostics {
        Terminal.notify(
          Untrusted.shown(diagnostic.message), diagnostic.severity == .error ? .error : .warning,
          diagnostic.json.object ?? [:])
      }
      return
    }
    Terminal.notify(text(of: diagnostics, in: source, on: STDERR_FILENO))
  }
}

/// Text from servers, files and arguments, made safe to display.
enum Untrusted {
  /// The text with tokens masked and with control and bidirectional characters escaped.
  ///
  /// Line feeds stay. What a CI system would take for a command is escaped, so that the system does
  /// not obey it.
  static func shown(_ text: String) -> String {
    CommandSafeText.lines(
      text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { DisplayText.safe(String($0)) }
        .joined(separator: "\n"))
  }

  /// JSON text with control characters, bidirectional overrides and commands of CI systems as `\u`
  /// escapes.
  ///
  /// It stays the same JSON: such characters occur only inside strings, where the escape means the
  /// character.
  static func json(_ bytes: [UInt8]) -> [UInt8] { CommandSafeText.json(withoutControls(bytes)) }

  private static func withoutControls(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: { $0 == 0xE2 || $0 == 0xC2 || $0 == 0xD8 || $0 == 0x7F }) else {
      return bytes
    }
    var escaped = ""
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      // Control characters beyond ASCII, and those that reorder text on a screen (Unicode UAX #9).
      case 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
        let digits = String(scalar.value, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return Array(escaped.utf8)
  }
}

extension Terminal {
  /// Whether a person can be asked: both the input and the messages are on a terminal.
  static var hasPerson: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Asks a question whose answer has to be `yes`; nil if there is no terminal to ask on.
  static func confirms(_ question: String) throws -> Bool? {
    guard hasPerson else { return nil }
    notify(question + " Type yes:")
    // A signal may cancel the task, which must not wait for the end of a line.
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    while poll(&input, 1, 100) <= 0 { try Task.checkCancellation() }
    return readLine() == "yes"
  }
}
