import GraphAPI

/// What graphflow's own sandbox says about an answer that Graph would have given otherwise.
enum SandboxDifference {
  static let header = "X-GraphFlow-Sandbox"

  /// A sentence for each operation of an answer that has such a header.
  static func sentences(in answer: BatchAnswer) -> [Int: String] {
    guard case .items(let items) = answer else { return [:] }
    var sentences: [Int: String] = [:]
    for case (let index, .response(let response)) in items.enumerated() {
      sentences[index] = response.headers[header].flatMap(sentence)
    }
    return sentences
  }

  /// The header's value as a sentence; nil if the answer only has invented parts.
  private static func sentence(_ value: String) -> String? {
    let parts = value.split(separator: "; ").compactMap { part -> String? in
      if part == "not served" { return "Graph serves this, the sandbox does not" }
      guard part.hasPrefix("ignored ") else { return nil }
      let names = part.dropFirst(8).split(separator: ",").joined(separator: ", ")
      return "Graph would obey \(names), the sandbox does not"
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}
