/// The names that Graph has at a path, for people who are typing one.
package enum KnownNames {
  /// A name, and the kind of its value: that of a field, or `edge`.
  package typealias Name = (text: String, kind: String)

  /// The fields and edges of what a path leads to, sorted; `me` is a user or a page, and an id may be
  /// that of anything.
  package static func fields(at path: String) -> [Name] {
    names(at: path) { $0.kind != nil || $0.isRead }
  }

  /// The edges of what a path leads to, sorted.
  package static func edges(at path: String) -> [Name] { names(at: path) { $0.isRead } }

  private static func names(
    at path: String, where isIncluded: (Catalog.Member) -> Bool
  ) -> [Name] {
    var segments = path.split(separator: "/")[...]
    if segments.first?.hasPrefix("v") == true { segments.removeFirst() }
    let all = Catalog.graph.types.indices.map { NodeType(index: UInt8($0)) }
    var types = segments.popFirst() == "me" ? [.user, .page] : all
    for segment in segments {
      guard let name = FieldName(String(segment)) else { return [] }
      types = types.flatMap { Catalog.graph.call(.get, name, of: $0)?.targets ?? [] }
    }
    let kinds = Set(types).flatMap { type in
      Catalog.graph.names(of: type, where: isIncluded).map { name in
        (name.text, Catalog.graph[name, type].kind?.rawValue ?? "edge")
      }
    }
    return Dictionary(kinds) { min($0, $1) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
