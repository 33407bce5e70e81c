package import JSONPath

/// A window that a run has read, or could not read (docs/reference/language.md, "State"): of days or,
/// of what is new, between two seconds.
package struct Bookmark: Hashable, Sendable {
  /// A window of an element.
  package struct Window: Hashable, Comparable, Sendable {
    /// The `id` of the element; empty for a range without elements.
    package let element: String
    /// The first and the last day, such as `2026-11-20`; or such as `2026-11-20T09:00:00Z`.
    package let since, until: String

    package init(element: String, since: String, until: String) {
      (self.element, self.since, self.until) = (element, since, until)
    }

    package static func < (left: Window, right: Window) -> Bool {
      (left.element, left.since, left.until) < (right.element, right.since, right.until)
    }
  }

  /// A file with the rows of the window.
  package struct File: Hashable, Sendable {
    package let output: String
    /// The path, relative to the folder of the workflow file or the one that the run was given.
    package let path: String
    package let rows, bytes: Int
    /// The SHA-256 of its bytes, in lower-case hexadecimal.
    package let digest: String
    /// What of the rows could not be read; nil for nothing.
    package let missing: JSON?

    package init(
      output: String, path: String, rows: Int, bytes: Int, digest: String, missing: JSON? = nil
    ) {
      (self.output, self.path, self.rows) = (output, path, rows)
      (self.bytes, self.digest, self.missing) = (bytes, digest, missing)
    }
  }

  /// How many ids are kept of what a request has listed.
  static let maximumListed = 1000

  package let window: Window
  /// Whether it was read; otherwise a request failed for it.
  package var isFinished: Bool
  /// The id of the run; empty if a person has set the bookmark.
  package var run: String
  package var files: [File]
  /// The ids of what the requests have listed, the newest first; only of what is new, by request.
  package var listed: [String: [String]]

  package init(
    _ window: Window, isFinished: Bool, run: String = "", files: [File] = [],
    listed: [String: [String]] = [:]
  ) {
    (self.window, self.isFinished, self.run) = (window, isFinished, run)
    (self.files, self.listed) = (files, listed)
  }
}

/// The windows of a group that earlier runs have read, or could not read.
package struct Bookmarks: Hashable, Sendable {
  private var isFinished: [Bookmark.Window: Bool] = [:]
  /// The finished ones that end last, by element.
  private var last: [String: Bookmark] = [:]

  package init(_ bookmarks: [Bookmark] = []) {
    for bookmark in bookmarks {
      isFinished[bookmark.window] = bookmark.isFinished
      let latest = last[bookmark.window.element]?.window.until ?? ""
      if bookmark.isFinished, latest < bookmark.window.until {
        last[bookmark.window.element] = bookmark
      }
    }
  }

  /// The last read of an element that was finished; nil if everything is to be read again.
  func lastRead(of element: String, _ selection: WindowSelection) -> Bookmark? {
    selection.reprocessing == .all ? nil : last[element]
  }

  /// Whether a window has to be read.
  func needs(_ window: Bookmark.Window, _ reprocessing: WindowSelection.Reprocessing) -> Bool {
    switch (reprocessing, isFinished[window]) {
    case (_, nil), (.all, _): true
    case (.failed, let isFinished?): !isFinished
    case (.none, _?): false
    }
  }
}

/// Which windows of the groups with a state a run reads.
package struct WindowSelection: Hashable, Sendable {
  /// Which windows are read again that an earlier run has tried to read.
  package enum Reprocessing: String, CaseIterable, Sendable {
    case none, failed, all
  }

  /// Another range than that of the file; nil for that of the file.
  package var backfill: Backfill?
  package var reprocessing = Reprocessing.failed
  /// Whether the newest windows are read first.
  package var isNewestFirst = false

  /// A range of days, both ends included.
  package struct Backfill: Hashable, Sendable {
    package let since, until: String

    /// Reads `2026-01-01..2026-06-30`; nil for anything else, and for a range that ends before it
    /// begins.
    package init?(_ text: String) {
      let parts = text.split(separator: "..", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let first = CalendarDay(parts[0]), let last = CalendarDay(parts[1]),
        first.daysSince1970 <= last.daysSince1970
      else { return nil }
      (since, until) = (parts[0], parts[1])
    }

    package var text: String { "\(since)..\(until)" }
  }

  package init() {}
}
