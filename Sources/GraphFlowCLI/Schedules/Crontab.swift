import GraphFlow

/// The user's crontab, read and written with the program `crontab`.
struct Crontab {
  private(set) var lines: [Substring]

  /// Reads the crontab, which is empty if the user has none; an unreadable one must not be replaced.
  init() throws {
    let script = """
      if text=$(LC_ALL=C crontab -l 2>&1); then printf '%s\\n' "$text"
      else case "$text" in *"no crontab"*) ;; *) exit 1 ;; esac
      fi
      """
    do {
      let text = try ChildProcess.output(
        of: ["/bin/sh", "-c", script], limit: 1 << 20, within: .seconds(10))
      lines = String(decoding: text, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
    } catch {
      throw CommandFailure(
        .unreadable, "cannot read the crontab: the program 'crontab' \(error.message)",
        hint: "graphflow schedule without options prints the lines")
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
  }

  mutating func remove(_ mark: String) -> Bool {
    guard let place = lines.firstIndex(where: { $0 == mark }) else { return false }
    lines.removeSubrange(place..<min(place + 2, lines.endIndex))
    _ = remove(mark)
    return true
  }

  mutating func put(_ entry: CrontabEntry) {
    let place = lines.firstIndex { $0 == entry.mark }
    _ = remove(entry.mark)
    lines.insert(
      contentsOf: [Substring(entry.mark), Substring(entry.line)],
      at: min(place ?? lines.endIndex, lines.endIndex))
  }

  func install() throws {
    let base = Environment.value("TMPDIR") ?? "/tmp"
    let path = "\(base)/graphflow-crontab-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    try writeAtomically(Array(lines.map { $0 + "\n" }.joined().utf8), to: path)
    defer { unlink(path) }
    do {
      _ = try ChildProcess.output(of: ["crontab", path], limit: 1 << 16, within: .seconds(10))
    } catch {
      throw CommandFailure(
        .cannotWrite, "cannot install the crontab: the program 'crontab' \(error.message)")
    }
  }
}
