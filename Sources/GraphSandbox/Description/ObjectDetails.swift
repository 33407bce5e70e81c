package import JSONPath

/// What an object has beside what the keys of its own describe: fields and lists by Graph's names.
package struct ObjectDetails: Hashable, Sendable {
  package var fields = JSON.Object()
  /// The objects at its edges, by the names of the edges.
  package var edges: [WorldDescription.Named<[ListedObject]>] = []

  package init() {}

  /// The ids that it sets, at any depth.
  var ids: [String] {
    edges.flatMap(\.value).flatMap { [$0.id].compactMap(\.self) + $0.details.ids }
  }
}

/// The description of an object that can have details.
package protocol DetailedDescription: Sendable {
  var details: ObjectDetails { get set }
}

/// An object at an edge, or several that differ only by a number.
package struct ListedObject: Hashable, DetailedDescription {
  /// The type's name.
  package let type: String
  /// The id; nil: the next free one.
  package var id: String?
  /// How many objects this entry describes; `{n}` in a text stands for the number of each, from 1.
  package var count = 1
  package var details = ObjectDetails()

  package init(_ type: String) { self.type = type }
}
