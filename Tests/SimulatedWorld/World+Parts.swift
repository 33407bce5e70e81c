/// What a person does besides a plain run: a preview first, a run of a part afterwards, a file in parts.
extension World {
  /// A preview, and what changes after it.
  struct Preview: Sendable {
    /// The step at which the first process that makes the preview is killed; beyond its end in most
    /// worlds.
    let deathStep: Int
    /// The process before which the objects change that others edit.
    let edit: Int
    /// The last digits of the names of these objects.
    let edited: Set<Character>

    init?(seed: UInt64, steps: Int) {
      var generator = SeededGenerator(seed, stream: 12)
      guard generator.happens(85) else { return nil }
      deathStep = generator.happens(300) ? generator.from(1...steps) : .max
      edit = generator.from(1...2)
      edited =
        generator.happens(600) ? Set((0..<6).map { _ in generator.pick(Array("0123456789")) }) : []
    }
  }

  /// A run that takes over what another one has done, and sends the rest.
  struct Rerun: Sendable {
    /// Decides the name with which it begins.
    let place: Int
    let fates: [Fate]

    init?(seed: UInt64, steps: Int) {
      var generator = SeededGenerator(seed, stream: 13)
      guard generator.happens(100) else { return nil }
      place = generator.below(1000)
      fates = (0..<generator.below(3)).map { _ in Fate(&generator, steps: steps) }
    }
  }

  /// The `count` of an object as a process reads it: its name decides, and others may have edited it.
  func count(of object: String, inProcess process: Int) -> Int {
    let count = abs(object.utf8.reduce(0) { $0 &* 31 &+ Int($1) } % 10)
    let isEdited = preview.map { preview in
      process >= preview.edit && object.last.map(preview.edited.contains) == true
    }
    return isEdited == true ? (count + 5) % 10 : count
  }

  /// The number of requests and groups in the included file; 0 if the workflow is one file.
  var includedCount: Int {
    var generator = SeededGenerator(seed, stream: 14)
    return generator.happens(120) ? generator.from(1...20) : 0
  }
}
