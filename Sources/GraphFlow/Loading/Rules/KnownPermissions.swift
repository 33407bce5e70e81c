/// The permissions that Meta's documentation lists: the table `permissions.txt`.
///
/// Meta adds permissions all the time, so an unknown name is accepted unless it is almost one of
/// these.
package enum KnownPermissions {
  package static let rows = rows(
    of: String(decoding: PackageResources.permissions_txt, as: UTF8.self))
  package static let source = "https://developers.facebook.com/docs/permissions"
  static let all = Set(rows.map(\.name))

  private static let byName = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0) })
  private static let sorted = all.sorted()

  package static func row(_ name: String) -> KnownPermission? { byName[name] }

  /// The permission that a name probably misspells.
  static func nearest(to name: String) -> String? {
    guard !all.contains(name), let nearest = NearestName.to(name, among: sorted) else { return nil }
    let distance = NearestName.distance(Array(name.utf8), Array(nearest.utf8))
    return distance <= (name.utf8.count >= 12 ? 2 : 1) ? nearest : nil
  }

  /// Why nobody can grant a permission, and what to ask for instead; nil if somebody may.
  package static func mistake(in name: String) -> (problem: String, hint: String)? {
    if let retired = RetiredNames.permission(name) {
      return ("Graph no longer grants '\(name)'", retired.replacement)
    }
    return nearest(to: name).map { ("Graph has no permission '\(name)'", "did you mean '\($0)'?") }
  }

  /// Reads the notation that is explained in the table.
  private static func rows(of text: String) -> [KnownPermission] {
    var kind = KnownPermission.Family.basic
    return text.split(separator: "\n").compactMap { line in
      if line.hasPrefix("[") { kind = .init(rawValue: String(line.dropFirst().dropLast())) ?? kind }
      let halves = line.split(separator: "|", maxSplits: 1)
      guard halves.count == 2, !line.hasPrefix("#") else { return nil }
      let words = halves[0].split(separator: " ")
      func marked(_ mark: String) -> [String] {
        words.filter { $0.hasPrefix(mark) }.map { String($0.dropFirst()) }
      }
      return KnownPermission(
        name: String(words.first ?? ""), kind: kind, allows: String(halves[1].dropFirst()),
        needs: marked("+"), probablyNeeds: marked("?"))
    }
  }
}

/// A permission: what it allows, and what it needs.
package struct KnownPermission: Hashable, Sendable {
  package enum Family: String, CaseIterable, Sendable {
    case basic, friends, extended, pages, business, ads, instagram, threads, whatsapp
  }

  package let name: String
  package let kind: Family
  /// What it allows, as a sentence without its subject.
  package let allows: String
  /// The permissions that Meta asks for beside it.
  package let needs: [String]
  /// Those that are generally known to be asked for.
  package let probablyNeeds: [String]

  /// Whether Meta reviews the app before people without a role on it can grant this.
  package var needsReview: Bool { kind != .basic }
}
