internal import CLibYAML

/// libyaml's parser over bytes in memory, as a stream of events.
///
/// Marks of libyaml count lines and columns from 0, columns in characters.
struct YAMLEvents: ~Copyable {
  /// What libyaml reads from.
  private struct Input {
    let bytes: UnsafeBufferPointer<UInt8>
    /// What has been read.
    var position = 0
    /// Where reading ends unless there is an event before; libyaml reads a little ahead.
    var bound = 0
    var isExceeded = false
  }

  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeMutablePointer<Input>
  /// The event that ``next()`` read last.
  let event: UnsafeMutablePointer<yaml_event_t>
  private var hasEvent = false
  /// Where that event ends.
  private var lastEnd = yaml_mark_t()

  /// Starts reading; nil if there is no memory for it.
  ///
  /// The bytes must stay where they are as long as the stream lives. They are UTF-8, whatever their
  /// byte order mark says: libyaml is not asked to guess.
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

  /// Gives libyaml the next bytes; 0, an error, where one value or comment is too long.
  ///
  /// libyaml would hold it in memory twice before anybody could refuse it.
  private static func read(
    _ data: UnsafeMutableRawPointer?,
    _ buffer: UnsafeMutablePointer<UInt8>?,
    _ size: Int,
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

  /// Reads the next event; false at a fault, see ``fault``.
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

  /// Behind which place a value or comment is too long, if that is what stopped the parser.
  var excess: SourceLocation? {
    input.pointee.isExceeded ? SourceLocation(lastEnd) : nil
  }

  /// What stopped the parser.
  var fault: Fault {
    let parser = parser.pointee
    return Fault(
      problem: parser.problem.map { String(cString: $0) } ?? "not enough memory",
      place: SourceLocation(parser.problem_mark),
      byteOffset: parser.error == YAML_READER_ERROR ? Int(clamping: parser.problem_offset) : nil,
      contextPlace: parser.context == nil
        ? nil : SourceLocation(parser.context_mark, width: 0)
    )
  }

  /// libyaml's words about a fault.
  struct Fault {
    let problem: String
    let place: SourceLocation
    /// Where bytes that are no text stand; the mark means nothing then.
    let byteOffset: Int?
    /// Where the construct begins in which the fault is.
    let contextPlace: SourceLocation?
  }
}

extension SourceLocation {
  /// So many characters from one of libyaml's marks on.
  fileprivate init(_ mark: yaml_mark_t, width: Int = 1) {
    let column = Int(clamping: mark.column) &+ 1
    self.init(line: Int(clamping: mark.line) &+ 1, column: column, endColumn: column &+ width)
  }
}
