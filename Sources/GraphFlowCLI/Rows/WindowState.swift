import GraphAPI
import GraphFlow

/// The bookmarks of a workflow's groups: which windows earlier runs have read.
///
/// A run sees those of other runs, as they were when it started: those of its own are left out when it is
/// resumed, so that it opens the same windows.
struct WindowState {
  private struct Group {
    let owner: BookmarkOwner
    /// The bookmarks of other runs, by element.
    let known: [String: [Bookmark]]
    /// Whether they are those of what is new.
    let listsNews: Bool

    func hasFile(of window: Bookmark.Window) -> Bool {
      known[window.element]?.contains { $0.isFinished && $0.window.since == window.since } == true
    }

    /// The bookmarks that another read of the same element replaces, of what is new.
    ///
    /// A failed read is read again by the next one. Only what the last two reads have listed is kept,
    /// because a run that is resumed needs the last one but its own.
    func outdated(by bookmark: Bookmark) -> (removed: [Bookmark], shortened: [Bookmark]) {
      let others = listsNews ? known[bookmark.window.element] ?? [] : []
      let reads = others.filter(\.isFinished).sorted { $0.window.until < $1.window.until }
      let older = bookmark.isFinished ? reads.dropLast() : []
      let failed = others.filter {
        !$0.isFinished && $0.window.since != bookmark.window.since
      }
      let shortened = older.filter { !$0.files.isEmpty && !$0.listed.isEmpty }.map { read in
        var read = read
        read.listed = [:]
        return read
      }
      return (failed + older.filter(\.files.isEmpty), shortened)
    }
  }

  private let groups: [Int: Group]
  private let store: BookmarkStore
  private let run: RunID

  init(of job: RunJob, with settings: Settings, in store: any StateStore, for run: RunID) throws {
    (self.store, self.run) = (store.bookmarks, run)
    let workflow = job.workflow
    var groups: [Int: Group] = [:]
    for index in workflow.groups.indices where workflow.groups[index].source.keptWindows != nil {
      let owner = BookmarkOwner(
        of: index, in: workflow, job.inputs, profile: settings.profile ?? workflow.token,
        graph: settings.isSandbox ? "sandbox" : settings.graphURL.description)
      let known = try self.store.bookmarks(of: owner).filter { $0.run != run.description }
      groups[index] = Group(
        owner: owner, known: Dictionary(grouping: known, by: \.window.element),
        listsNews: workflow.groups[index].source.listsNews)
    }
    self.groups = groups
  }

  /// What the run has to know of each group.
  var bookmarks: [Int: Bookmarks] {
    groups.mapValues { Bookmarks($0.known.values.flatMap(\.self)) }
  }

  /// All bookmarks of a group, also those of this run; nil if it keeps none.
  func all(ofGroup index: Int) throws -> [Bookmark]? {
    try groups[index].map { try store.bookmarks(of: $0.owner) }
  }

  /// Keeps the bookmark of a window whose files are complete, or that could not be read.
  ///
  /// A file of an earlier run stays as it is if the window cannot be read again, and so does its bookmark;
  /// unless a part of it was read, which has replaced the file.
  func keep(_ bookmark: Bookmark, ofGroup index: Int) throws {
    guard let group = groups[index],
      bookmark.isFinished || !bookmark.files.isEmpty || !group.hasFile(of: bookmark.window)
    else { return }
    var bookmark = bookmark
    bookmark.run = run.description
    let outdated = group.outdated(by: bookmark)
    try store.keep([bookmark] + outdated.shortened, of: group.owner)
    try store.remove(outdated.removed.map(\.window), of: group.owner)
  }

  /// What a person should know before the run: a group that has changed since its windows were read.
  func notices() throws -> [String] {
    guard groups.values.contains(where: { $0.known.isEmpty }) else { return [] }
    let owners = try store.owners()
    return try groups.sorted { $0.key < $1.key }.compactMap { _, group in
      guard group.known.isEmpty else { return nil }
      let others = owners.filter { $0 != group.owner && $0.isSameGroup(as: group.owner) }
      let count = try others.map { try store.bookmarks(of: $0).count }.max() ?? 0
      guard count > 0 else { return nil }
      return
        "'\(group.owner.group)', or an input of it, has changed since \(count) of its windows were read, "
        + "so it reads its whole range; the old state is kept: graphflow state list"
    }
  }
}

extension BookmarkOwner {
  init(
    of group: Int, in workflow: Workflow, _ inputs: InputValues, profile: String, graph: String
  ) {
    self.init(
      file: workflow.source.path, profile: profile, graph: graph,
      group: workflow.groups[group].name,
      definition: workflow.definition(ofWindows: group, inputs))
  }

  /// Whether they are of the same group, as it was defined at different times.
  func isSameGroup(as other: BookmarkOwner) -> Bool {
    file == other.file && profile == other.profile && graph == other.graph && group == other.group
  }
}
