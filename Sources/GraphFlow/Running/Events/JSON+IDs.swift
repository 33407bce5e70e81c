import JSONPath

extension JSON {
  /// The value as an id: a nonempty string, or a number.
  var idText: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .number: serialized()
    default: nil
    }
  }

  /// The ids that a write's answer names as created: `id`, and `post_id` of a photo.
  var madeIDs: [String] { ["id", "post_id"].compactMap { self[$0]?.idText } }
}
