internal import GraphAPI

/// The requests that did not succeed, grouped for people: those that failed for the same reason are one
/// group, however many there are.
///
/// Two failures are the same if request, status, codes, reasons and failed expectations are equal, and
/// the messages have the same shape. Requests that were not sent are compared without their names.
/// Memory is bounded: after ``groupLimit`` groups, further ones are only counted.
package struct FailureGroups: Sendable {
  /// The most groups; what comes later is in one group for each status.
  static let groupLimit = 300
  private static let exampleLimit = 3
  private var indices: [FailureKind: Int] = [:]
  private var found: [Group] = []

  package init() {}

  /// Requests with the same failure.
  package struct Group: Sendable {
    /// The first three requests, in the order of the file and of the items, without their bodies.
    ///
    /// Members of a rest group differ in everything but their status.
    package fileprivate(set) var examples: [Report.Request]
    package fileprivate(set) var count = 1
    /// Whether it counts what came after the limit of groups.
    package let isRest: Bool
    fileprivate var last: Position
    fileprivate var hasOneName = true
    fileprivate let order: Int

    package var first: Report.Request { examples[0] }
    package var status: RequestStatus? { first.status }
    /// The failure of the first request.
    package var failure: Failure? { first.end?.failure }
    /// The name that all of them have; nil if the names differ.
    package var requestName: String? { hasOneName ? first.facts.name : nil }
    /// The name of the last request, in the order of the file and of the items.
    package var lastName: String {
      let name = first.allFacts[last.request].name
      return last.item.map { "\(name)[\($0.key)]" } ?? name
    }
  }

  /// The groups: in doubt, failed, cancelled, skipped, and without an outcome; the first of each in the
  /// order of the file, and what came after the limit at the end.
  package var groups: [Group] {
    found.sorted { left, right in
      let (one, other) = (left.sortingRank, right.sortingRank)
      return one == other ? left.order < right.order : one < other
    }
  }

  /// Adds a request, unless it succeeded or counts as success; returns whether it began a group.
  @discardableResult
  package mutating func add(_ request: Report.Request) -> Bool {
    guard request.isProblem else { return false }
    var kind = FailureKind(of: request)
    var known = indices[kind]
    if known == nil, found.count >= FailureGroups.groupLimit {
      kind = FailureKind(restOf: request.status)
      known = indices[kind]
    }
    let position = Position(request)
    guard let index = known else {
      indices[kind] = found.count
      found.append(
        Group(
          examples: [request.withoutBody], isRest: kind.text == nil, last: position,
          order: found.count))
      return true
    }
    found[index].count += 1
    if request.index != found[index].last.request { found[index].hasOneName = false }
    if found[index].last < position { found[index].last = position }
    found[index].addExample(request, at: position)
    return false
  }

  /// A request's place in the file, and its item's place.
  fileprivate struct Position: Comparable, Sendable {
    let request: Int
    let item: ItemID?

    init(_ request: Report.Request) { (self.request, item) = (request.index, request.item) }

    static func < (left: Position, right: Position) -> Bool {
      if left.request != right.request { return left.request < right.request }
      let (one, other) = (left.item?.index ?? -1, right.item?.index ?? -1)
      return one == other ? (left.item?.key ?? "") < (right.item?.key ?? "") : one < other
    }
  }

  /// What the members of a group have in common.
  private struct FailureKind: Hashable {
    let status: RequestStatus?
    /// Nil for requests that were not sent.
    var request: Int?
    var code: Int?
    var subcode: Int?
    var reason: FailureReason?
    var skipReason: SkipReason?
    var uncertainty: Report.Uncertainty?
    /// The shape of the message, the failed expectations and the cause of a skip; nil for a rest.
    var text: String?

    init(restOf status: RequestStatus?) { self.status = status }

    init(of request: Report.Request) {
      status = request.status
      if !request.isUnsent { self.request = request.index }
      uncertainty = request.uncertainty
      let end = request.uncertainty == nil ? request.end : nil
      let failure = end?.failure
      (code, subcode) = (failure?.error.code, failure?.error.subcode)
      (reason, skipReason) = (failure?.reason, end?.skipReason)
      var shape = MessageShape(besides: request.item?.key)
      shape.add(failure?.error.message)
      shape.add(end?.skipDetail)
      var text = shape.text
      for result in end?.expectations ?? [] where !result.passed { text += "\n" + result.check }
      self.text = text
    }
  }
}

extension FailureGroups.Group {
  fileprivate var sortingRank: (Int, Int, Int, Int) {
    let status =
      switch first.status {
      case .inDoubt: 0
      case .failed: 1
      case .cancelled: 2
      case .skipped: 3
      case .succeeded, nil: 4
      }
    return (status, isRest ? 1 : 0, first.index, first.item?.index ?? -1)
  }

  fileprivate mutating func addExample(
    _ request: Report.Request, at position: FailureGroups.Position
  ) {
    let place = examples.firstIndex { position < FailureGroups.Position($0) } ?? examples.count
    guard place < FailureGroups.exampleLimit else { return }
    examples.insert(request.withoutBody, at: place)
    if examples.count > FailureGroups.exampleLimit { examples.removeLast() }
  }
}

extension Report.Request {
  /// Whether it needs attention.
  package var isProblem: Bool { status != .succeeded && end?.countsAsSuccess != true }
  /// Whether no attempt at it was made.
  var isUnsent: Bool { attempts.isEmpty && uncertainty == nil && end?.resolvedPath == nil }

  fileprivate var withoutBody: Report.Request {
    var request = self
    if request.end?.body != nil { request.end?.body = nil }
    return request
  }
}

/// The shape of a message: what differs between items is replaced by an ellipsis.
///
/// That is an item's key, a text in quotation marks, and each word with a digit.
struct MessageShape {
  /// Longer messages are compared by their beginnings.
  private static let lengthLimit = 500
  private let key: [UInt8]
  private var output: [UInt8] = []

  /// Makes the shape of messages about an item with this key.
  init(besides key: String?) { self.key = Array((key ?? "").utf8) }

  var text: String { String(decoding: output, as: UTF8.self) }

  /// Adds a message, on a line of its own.
  mutating func add(_ message: String?) {
    guard var text = message else { return }
    output.reserveCapacity(output.count + min(text.utf8.count, MessageShape.lengthLimit) + 8)
    output.append(UInt8(ascii: "\n"))
    text.withUTF8 { add(UnsafeBufferPointer(rebasing: $0.prefix(MessageShape.lengthLimit))) }
  }

  private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    var position = 0
    while position < bytes.count {
      if let end = endOfKey(in: bytes, at: position) ?? endOfQuotation(in: bytes, at: position) {
        output.append(contentsOf: "…".utf8)
        position = end
        continue
      }
      let end = bytes[position...].firstIndex { !MessageShape.isWord($0) } ?? bytes.count
      let word = bytes[position..<max(end, position + 1)]
      if word.contains(where: { (0x30...0x39).contains($0) }) {
        addNumber()
      } else {
        output.append(contentsOf: word)
      }
      position = word.endIndex
    }
  }

  /// Adds a word with a digit; `2.5`, `10:30` and `1,000` are one.
  private mutating func addNumber() {
    let placeholder = Array("…".utf8)
    let joiners = Array(".,:".utf8)
    let isJoined = output.last.map(joiners.contains) == true
    if isJoined, output.dropLast().suffix(placeholder.count).elementsEqual(placeholder) {
      output.removeLast()
    } else {
      output += placeholder
    }
  }

  /// The end of the item's key, if it begins there and is a word of its own.
  private func endOfKey(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
    let end = start + key.count
    guard !key.isEmpty, end <= bytes.count, bytes[start] == key[0],
      start == 0 || !MessageShape.isWord(bytes[start - 1]),
      end == bytes.count || !MessageShape.isWord(bytes[end]),
      bytes[start..<end].elementsEqual(key)
    else { return nil }
    return end
  }

  /// The end of a quotation that begins there; an apostrophe within a word begins none.
  private func endOfQuotation(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
    let mark = bytes[start]
    guard mark == UInt8(ascii: "'") || mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "`"),
      start == 0 || !MessageShape.isWord(bytes[start - 1])
    else { return nil }
    return bytes[(start + 1)...].firstIndex(of: mark).map { $0 + 1 }
  }

  /// Letters and digits of any script, and what joins them to a word.
  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
      true
    default: false
    }
  }
}
