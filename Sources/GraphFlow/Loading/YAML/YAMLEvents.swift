internal import CLibYAML

/// The stream of events that libyaml's parser reads from bytes in memory.
///
/// libyaml's marks count lines and columns from 0, and columns in characters.
struct YAMLEvents: ~Copyable {
  /// The bytes that libyaml reads.
  private struct Input {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0
    /// Where reading stops unless an event comes first; libyaml reads a little ahead.
    var bound = 0
    var isExceeded = false
  }

  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeMutablePointer<Input>
  /// The event that ``next()`` read last.
  let event: UnsafeMutablePointer<yaml_event_t>
  private var hasEvent = false
  private var lastEnd = yaml_mark_t()

  /// Starts reading; nil if there is not enough memory.
  ///
  /// The bytes must stay valid as long as the stream exists. They are read as UTF-8, whatever their
  /// byte order mark: libyaml does not detect the encoding.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    guard yaml_parser_initialize(parser) == 1 else {
      parser.deallocate()
      return nil
    }
    let input = UnsafeMutablePointer<Input>.allocate(capacity: 1)
    let mark = SourceFile.markLength(of: bytes)
    input.initialize(to: Input(bytes: UnsafeBufferPointer(rebasing: bytes[mark...])))
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input(parser, { Self.read($0, $1, $2, $3) }, input)
    self.parser = parser
    self.input = input
    event = .allocate(capacity: 1)
  }

  deinit {
    if hasEvent { yaml_event_delete(event) }
    yaml_parser_delete(parser)
    event.deallocate()
    input.deallocate()
    parser.deallocate()
  }

  /// Gives libyaml the next bytes; returns 0, an error, if a value or comment is too long.
  ///
  /// Otherwise libyaml would keep it in memory twice before it could be rejected.
  private static func read(
    _ data: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ size: Int,
    _ count: UnsafeMutablePointer<Int>?
  ) -> Int32 {
    guard let input = data?.assumingMemoryBound(to: Input.self), let buffer, let count else {
      return 0
    }
    let position = input.pointee.position
    guard position < input.pointee.bound else {
      input.pointee.isExceeded = true
      return 0
    }
    let end = min(position + size, input.pointee.bytes.count)
    count.pointee = end - position
    if position < end, let base = input.pointee.bytes.baseAddress {
      buffer.update(from: base + position, count: end - position)
    }
    input.pointee.position = end
    return 1
  }

  /// Reads the next event; false at an error, see ``fault``.
  mutating func next() -> Bool {
    if hasEvent {
      lastEnd = event.pointee.end_mark
      yaml_event_delete(event)
    }
    let (bound, _) = input.pointee.position.addingReportingOverflow(LoadingLimits.valueSize)
    input.pointee.bound = bound
    hasEvent = yaml_parser_parse(parser, event) == 1
    return hasEvent
  }

  /// The range between the event's marks, or its first character if it spans several lines.
  var location: SourceLocation {
    let (start, end) = (start, self.end)
    return start.line == end.line
      ? SourceLocation(line: start.line, column: start.column, endColumn: end.column)
      : SourceLocation(line: start.line, column: start.column, endColumn: start.column + 1)
  }

  var start: SourceLocation { SourceLocation(event.pointee.start_mark, width: 0) }
  var end: SourceLocation { SourceLocation(event.pointee.end_mark, width: 0) }

  /// Where a too long value or comment begins, if that is what stopped the parser.
  var excess: SourceLocation? { input.pointee.isExceeded ? SourceLocation(lastEnd) : nil }

  var fault: ParserFault {
    let parser = parser.pointee
    return ParserFault(
      problem: parser.problem.map { String(cString: $0) } ?? "not enough memory",
      place: SourceLocation(parser.problem_mark),
      byteOffset: parser.error == YAML_READER_ERROR ? Int(clamping: parser.problem_offset) : nil,
      contextPlace: parser.context == nil ? nil : SourceLocation(parser.context_mark, width: 0))
  }

  /// An error as libyaml reports it.
  struct ParserFault {
    let problem: String
    let place: SourceLocation
    /// The offset of bytes that are not text; the location is then meaningless.
    let byteOffset: Int?
    /// Where the construct that contains the error begins.
    let contextPlace: SourceLocation?
  }
}

extension SourceLocation {
  /// The range of a number of characters from one of libyaml's marks.
  fileprivate init(_ mark: yaml_mark_t, width: Int = 1) {
    let column = Int(clamping: mark.column) &+ 1
    self.init(line: Int(clamping: mark.line) &+ 1, column: column, endColumn: column &+ width)
  }
}
