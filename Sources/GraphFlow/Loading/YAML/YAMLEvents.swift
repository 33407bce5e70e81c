internal import CLibYAML

/// libyaml's parser over bytes in memory, as a stream of events.
///
/// Marks of libyaml count lines and columns from 0, columns in characters.
struct YAMLEvents: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  /// The event that ``next()`` read last.
  let event: UnsafeMutablePointer<yaml_event_t>
  private var hasEvent = false

  /// Starts reading; nil if there is no memory for it.
  ///
  /// The bytes must stay where they are as long as the stream lives. They are UTF-8 without a byte
  /// order mark: libyaml is not asked to guess.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    guard yaml_parser_initialize(parser) == 1 else {
      parser.deallocate()
      return nil
    }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    self.parser = parser
    event = .allocate(capacity: 1)
  }

  deinit {
    if hasEvent { yaml_event_delete(event) }
    yaml_parser_delete(parser)
    event.deallocate()
    parser.deallocate()
  }

  /// Reads the next event; false at a fault, see ``fault``.
  mutating func next() -> Bool {
    if hasEvent { yaml_event_delete(event) }
    hasEvent = yaml_parser_parse(parser, event) == 1
    return hasEvent
  }

  /// What stopped the parser.
  var fault: Fault {
    let parser = parser.pointee
    return Fault(
      problem: parser.problem.map { String(cString: $0) } ?? "not enough memory",
      context: parser.context.map { String(cString: $0) },
      line: Int(clamping: parser.problem_mark.line) &+ 1,
      column: Int(clamping: parser.problem_mark.column) &+ 1,
      byteOffset: parser.error == YAML_READER_ERROR ? Int(clamping: parser.problem_offset) : nil,
      contextPlace: parser.context == nil
        ? nil
        : SourceLocation(
          line: Int(clamping: parser.context_mark.line) &+ 1,
          column: Int(clamping: parser.context_mark.column) &+ 1,
          endColumn: 0
        )
    )
  }

  /// libyaml's words about a fault.
  struct Fault {
    let problem: String
    let context: String?
    let line: Int
    let column: Int
    /// Where bytes that are no text stand; the mark means nothing then.
    let byteOffset: Int?
    /// Where the construct begins in which the fault is.
    let contextPlace: SourceLocation?
  }
}
