internal import GraphAPI

/// Finds names that Graph no longer has, or will no longer have: the table `retired.txt`.
enum RetiredNames {
  static let all = rows(of: String(decoding: PackageResources.retired_txt, as: UTF8.self))

  private static let byKind = Dictionary(grouping: all, by: \.kind).mapValues { rows in
    Dictionary(grouping: rows, by: \.name)
  }

  static func permission(_ name: String) -> RetiredName? {
    if let row = byKind[.permission]?[name]?.first { return row }
    // v2.0 and the changes of 2018 removed whole families.
    guard name.hasPrefix("friends_") || name.hasPrefix("user_actions.") else { return nil }
    return RetiredName(name)
  }

  /// The row of a name at an edge, of a request with a method.
  static func row(
    _ kind: RetiredName.NameKind, _ name: some StringProtocol, at place: Substring,
    _ method: OperationMethod = .get
  ) -> RetiredName? {
    byKind[kind]?[String(name)]?.first { row in
      (row.method ?? method) == method && (row.places.contains(place) || row.places.contains("*"))
    }
  }

  /// A metric has one meaning, whosever it is.
  static func metric(_ name: some StringProtocol) -> RetiredName? {
    byKind[.metric]?[String(name)]?.first
  }

  static func names(of kind: RetiredName.NameKind) -> Set<Substring> {
    Set(byKind[kind]?.keys.map { $0[...] } ?? [])
  }

  /// Reads the notation that is explained in the table.
  static func rows(of text: String) -> [RetiredName] {
    var (rows, section) = ([RetiredName](), [Substring]())
    for line in text[...].split("\n") where !line.hasPrefix("#") {
      if line.hasPrefix("[") {
        section = line.dropFirst().dropLast().split(" ", maxSplits: 2)
        continue
      }
      let halves = line.split("|", maxSplits: 1)
      let words = halves[0].split(" ")
      var names: [Substring] = []
      for word in words.dropFirst(2) + ["="] {
        guard word.hasPrefix("=") || word.hasPrefix(">") else {
          names.append(word)
          continue
        }
        rows += names.map { name in
          RetiredName(
            String(name), section, end: words[0], place: words[1], successor: word,
            hint: halves.dropFirst().first)
        }
        names = []
      }
    }
    return rows
  }
}

/// A name that Graph has ended, or will end: one of a row of `retired.txt`.
struct RetiredName: Sendable {
  enum NameKind: String, Sendable { case permission, edge, field, parameter, metric }

  let kind: NameKind
  /// The name; `NAME=VALUE` for a value of a parameter.
  let name: String
  /// Whose method has ended; nil for all methods.
  var method: OperationMethod?
  /// The edges that have it.
  var places: [Substring] = []
  /// The first version without it.
  var version: GraphVersion?
  /// The day of its end in all versions.
  var day: String?
  /// Whether Graph has never had it.
  var isUnheardOf = false
  /// How to do without it.
  var replacement = "nothing replaces it"
  /// The one name that takes the same values, if there is one.
  var fix: String?
  /// A page of Meta, or another source; nil: nothing documents it.
  var source: String?
  /// A warning if Meta documents the end, else a note.
  var severity = Diagnostic.Severity.note

  /// A permission of a family that has ended.
  fileprivate init(_ permission: String) { (kind, name) = (.permission, permission) }

  fileprivate init(
    _ name: String, _ section: [Substring], end: Substring, place: Substring,
    successor: Substring, hint: Substring?
  ) {
    kind = section.first.flatMap { NameKind(rawValue: String($0)) } ?? .edge
    self.name = name
    let parts = place.split(":")
    if parts.count == 2 { method = OperationMethod(rawValue: String(parts[0])) }
    places = parts.last?.split(",") ?? []
    for part in end.split("/") {
      version = version ?? GraphVersion(String(part))
      if part.first?.isNumber == true { day = String(part) }
    }
    isUnheardOf = end == "never"
    let new = successor.dropFirst()
    if let hint {
      replacement = String(hint.drop { $0 == " " })
    } else if !new.isEmpty {
      replacement = "use \(new)"
    }
    if successor.hasPrefix("="), !new.isEmpty { fix = String(new) }
    source = section.last.map(String.init)
    if section.dropFirst().first == "documented" { severity = .warning }
  }
}

extension Substring {
  /// Splits at an ASCII character, several times faster than at a `Character`: the table is read at
  /// each start.
  fileprivate func split(_ separator: Unicode.Scalar, maxSplits: Int = .max) -> [Substring] {
    utf8.split(separator: UInt8(ascii: separator), maxSplits: maxSplits).map { Substring($0) }
  }
}
