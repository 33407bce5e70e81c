import JSONPath

/// Arrays of JSON that may be cut at their end.
enum PartialJSON {
  /// The elements of an array that are whole.
  static func elements(of text: [UInt8]) -> [JSON] {
    var elements: [JSON] = []
    var (depth, isText, isEscaped) = (0, false, false)
    var start = text.startIndex
    func end(_ index: Int) {
      if let element = try? JSON(parsing: Array(text[start..<index])) { elements.append(element) }
      start = index + 1
    }
    for (index, byte) in text.enumerated() {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isText: isEscaped = true
      case UInt8(ascii: "\""): isText.toggle()
      case _ where isText: break
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        if depth == 1 { start = index + 1 }
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if depth == 0 { end(index) }
      case UInt8(ascii: ",") where depth == 1: end(index)
      default: break
      }
    }
    return elements
  }
}
