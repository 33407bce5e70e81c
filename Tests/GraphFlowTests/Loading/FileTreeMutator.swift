import JSONPath

@testable import GraphFlow

/// Breaks the structure of files; the same seed gives the same files.
struct FileTreeMutator {
  private var generator: MutationTests.Generator
  private let corpus: [FileTree]

  private static let keys =
    WorkflowReader.keys + RequestReader.keys + InputReader.keys
    + ErrorReader.retryKeys + RequestReader.untilKeys + RequestReader.paginationKeys
    + [
      "x-a", "check", "message", "code", "category", "file", "requests", "", "a b", "ü",
      "access_token",
    ]

  private static let values: [FileTree] =
    ([
      .null, true, false, 0, 1, -1, "", " ", "a", "me", "{input=x}", "{result=a:$.id}", "{item}",
      "{",
      "true", "1", "5s", "0s", "5 s", "10%", "v25.0", "25.0", "string", "list", "none", "a.b",
      "/me",
      "https://example.com/me", "v25.0/me", "me/../x", "me\\n", "a\\u0000", "$.a == 1", "x-y",
      [], [:], [.null], ["a"], ["a": 1], [1, [2]], ["file": "a.csv"], ["check": "$.a"],
      ["type": "integer"], ["get": "me"], ["for_each": ["1"], "requests": ["a": ["get": "me"]]],
    ] as [JSON]).map(FileTree.init)
    + ["1.5", "1.0", "1e2", "1e400", "-0", "99999999999999999999"]
    .compactMap(JSON.Number.init(lexeme:)).map { .scalar(.number($0)) }

  init(seed: UInt64, corpus: [FileTree]) {
    generator = MutationTests.Generator(state: seed)
    self.corpus = corpus
  }

  /// A file of the corpus with one to three changes.
  mutating func next() -> FileTree {
    var tree = corpus[below(corpus.count)]
    for _ in 0...below(3) { mutate(&tree) }
    return tree
  }

  private mutating func below(_ bound: Int) -> Int {
    bound > 1 ? Int(truncatingIfNeeded: generator.next() >> 33) % bound : 0
  }

  private mutating func mutate(_ tree: inout FileTree) {
    let position = below(tree.count)
    switch (tree[position], below(6)) {
    case (_, 0): tree[position] = Self.values[below(Self.values.count)]
    case (_, 1):
      // A value from another place, often one that belongs here under another name.
      let other = corpus[below(corpus.count)]
      tree[position] = other[below(other.count)]
    case (let value, 2): tree[position] = below(2) == 0 ? .list([value]) : .map([("get", value)])
    case (.map(var members), _) where !members.isEmpty:
      change(&members)
      tree[position] = .map(members)
    case (.list(var elements), _) where !elements.isEmpty:
      let index = below(elements.count)
      switch below(3) {
      case 0: elements.remove(at: index)
      case 1: elements.insert(elements[index], at: below(elements.count))
      default: elements.swapAt(index, below(elements.count))
      }
      tree[position] = .list(elements)
    case (.scalar(.string(let text)), _): tree[position] = .scalar(.string(changed(text)))
    default: tree[position] = Self.values[below(Self.values.count)]
    }
  }

  private mutating func change(_ members: inout [(key: String, value: FileTree)]) {
    let index = below(members.count)
    let other = below(members.count)
    switch below(7) {
    case 0: members.remove(at: index)
    case 1: members[index].key = changed(members[index].key)
    case 2: members[index].key = Self.keys[below(Self.keys.count)]
    case 3: members.insert(members[index], at: other)
    case 4:
      (members[index].value, members[other].value) = (members[other].value, members[index].value)
    case 5: members[index].value = Self.values[below(Self.values.count)]
    default:
      members.append((Self.keys[below(Self.keys.count)], Self.values[below(Self.values.count)]))
    }
  }

  /// The text with a character removed, added or moved.
  private mutating func changed(_ text: String) -> String {
    var scalars = Array(text.unicodeScalars)
    let place = below(scalars.count + 1)
    let extra: [Unicode.Scalar] = [
      " ", "-", "_", ".", "/", "{", "}", ":", "%", "\n", "é", "9", "A",
    ]
    switch below(4) {
    case 0 where place < scalars.count: scalars.remove(at: place)
    case 1 where place + 1 < scalars.count: scalars.swapAt(place, place + 1)
    case 2: scalars.removeLast(min(scalars.count, below(6)))
    default: scalars.insert(extra[below(extra.count)], at: place)
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
