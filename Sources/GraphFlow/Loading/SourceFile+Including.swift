internal import JSONPath

/// Finds the files that a workflow file includes.
extension SourceFile {
  /// The contents of an included file.
  package enum Content: Sendable {
    case bytes([UInt8])
    case unusable(FilePresence)
  }

  /// The most files, so that the recursion that puts them together has an end.
  private static let maximumParts = 100

  /// The workflow file with the files that it includes, and those that these include, each once.
  ///
  /// - Parameter read: Reads a file, by its path in the folder of the workflow file.
  /// - Returns: The file with its parts; unchanged if it includes nothing.
  package func including(_ read: (_ path: String) -> Content) -> SourceFile {
    guard !writtenIncludes.isEmpty else { return self }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    var source = self
    source.parts = [FilePart(path: path, range: bytes.indices, linesBefore: 0)]
    source.included = [[:]]
    /// The paths of the parts in the folder of the workflow file.
    var paths = [String(path.dropFirst(folder.count))]
    var next = 0
    while next < paths.count {
      for written in source.file(of: next).writtenIncludes where !FileOutside.leavesFolder(written)
      {
        let place = Self.normalized(paths[next], written)
        if let known = paths.firstIndex(of: place) {
          source.included[next][written] = .part(known)
          continue
        }
        switch paths.count < Self.maximumParts
          ? read(place) : .unusable(.unusable("too many files"))
        {
        case .unusable(let presence): source.included[next][written] = .unusable(presence)
        case .bytes(let bytes):
          source.included[next][written] = .part(paths.count)
          source.append(bytes, at: folder + place)
          paths.append(place)
        }
      }
      next += 1
    }
    return source
  }

  private mutating func append(_ file: [UInt8], at path: String) {
    let (mark, text) = (file.prefix(Self.markLength(of: file)), file[Self.markLength(of: file)...])
    var whole = bytes
    if let last = whole.last, last != UInt8(ascii: "\n") { whole.append(UInt8(ascii: "\n")) }
    let start = whole.count
    let part = FilePart(
      path: path, range: start..<start + text.count, linesBefore: SourceLines(of: whole).count - 1,
      mark: mark)
    let (parts, included) = (parts + [part], included + [[:]])
    self = SourceFile(path: self.path, bytes: whole + text, isWhole: isWhole, isShown: isShown)
    (self.parts, self.included) = (parts, included)
  }

  /// The path of a file that another one includes.
  private static func normalized(_ file: String, _ written: String) -> String {
    var names = file.split(separator: "/").dropLast()
    for name in written.split(separator: "/") where name != "." {
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
    return names.joined(separator: "/")
  }

  /// The paths in `include` as written; no file without the word is parsed for it.
  private var writtenIncludes: [String] {
    guard mayInclude, let root = YAMLNode.composing(self).node else { return [] }
    return root.member("include")?.elements?.compactMap { $0.scalar?.text } ?? []
  }

  /// Whether the word is in the text; its letter `c` is searched for, which is the rarest.
  private var mayInclude: Bool {
    let (word, letter) = (Array("include".utf8), UInt8(ascii: "c"))
    return bytes.span.contains(letter, or: letter) { place in
      place >= 2 && bytes[(place - 2)...].starts(with: word)
    }
  }
}
