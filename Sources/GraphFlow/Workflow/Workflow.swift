package import GraphAPI
package import JSONPath

/// A valid workflow.
///
/// Names are unique, references resolve, there is no cycle, and every query and expression parses.
/// Only `Workflow.reading(_:)` makes one: the memberwise initialiser, which checks nothing, is not
/// visible outside this module.
public struct Workflow: Sendable {
  /// The file it was read from; its bytes are not kept.
  package struct Source: Hashable, Sendable {
    /// The path as the user typed it; `-` is standard input.
    package let path: String
    /// The file's SHA-256 in lower-case hexadecimal.
    package let digest: String
    /// The file and those that it includes; empty for a file without `include`.
    package var parts: [SourceFile.FilePart] = []

    /// The file and the line of a location.
    package func place(of location: SourceLocation) -> (path: String, line: Int) {
      let place = parts.place(of: location)
      return (place.path ?? path, place.location.line)
    }

    /// A location in a text about the file: `line 14`, or `line 3 of shared/page.yaml`.
    package func lineText(of location: SourceLocation) -> String {
      let place = place(of: location)
      return "line \(place.line)" + (place.path == path ? "" : " of \(place.path)")
    }
  }

  /// A named value that is reported when the run ends, or a file of rows.
  package struct Output: Hashable, Sendable {
    package let name: String
    /// The value; if there is a row for each item, the columns of a row.
    package let value: ValueTemplate
    /// The request of a group that has a row for each item for which it succeeded; nil for a value.
    package let each: Int?
    /// What holds the rows of an item; nil if it has one row.
    package var rows: Placeholder?
    /// The path of the file of an item's rows; nil if all rows are in one file.
    package var file: Template?

    package var placeholders: [Placeholder] {
      value.placeholders + [rows].compactMap(\.self) + (file?.placeholders ?? [])
    }

    /// The names of the columns of a row.
    package var columns: [String] {
      switch value {
      case .map(let members): members.map(\.name)
      case .literal(let row): row.object?.map(\.0) ?? []
      case .template, .list: []
      }
    }
  }

  package let source: Source
  /// The name in reports.
  public let name: String
  /// The author's description.
  public let description: String?
  package let inputs: [Input]
  /// The Graph version of requests without their own; nil for the tool's default.
  package let version: GraphVersion?
  /// The credential profile of requests without their own token.
  public let token: String
  /// The permissions that every request with the workflow's token needs.
  public let permissions: [String]
  package let errors: [ErrorRule]
  /// The requests in the file's order; a request is identified by its index.
  package let requests: [Request]
  package let outputs: [Output]
  package internal(set) var groups: [Group] = []
  package internal(set) var conduct = Conduct()

  /// The workflow under a machine's guard.
  package func under(_ rules: RequestGuard) -> Workflow {
    var workflow = self
    workflow.conduct.requestGuard = rules
    return workflow
  }

  package var schedule: Schedule? { conduct.schedule }

  /// Whether a file of items has a name with a date.
  package var hasDatedItems: Bool {
    groups.flatMap(\.source.placeholders).contains { placeholder in
      if case .date = placeholder.kind { true } else { false }
    }
  }

  /// How a workflow is run.
  package struct Conduct: Hashable, Sendable {
    package internal(set) var schedule: Schedule?
    /// How long after its start a session begins no call any more: `deadline`; nil for no limit.
    package internal(set) var deadline: Duration?
    /// Whether a profile's token is obtained again after a recoverable error: `recovery`.
    package internal(set) var recovers = true
    /// How many writes a run may send: `max_writes`; nil for any number.
    package internal(set) var maxWrites: Int?
    /// What the machine allows to be sent.
    package internal(set) var requestGuard = RequestGuard()
    /// The requests whose outcomes a run takes from an earlier one instead of sending them.
    package internal(set) var given: Set<Int> = []
  }

  /// When a workflow should run: `schedule`.
  package struct Schedule: Hashable, Sendable {
    package let cron: CronLine
    /// The time zone: a name of the IANA time zone database.
    package let timeZone: String
    /// The values that runs by the schedule give to inputs.
    package let inputs: [InputName: JSON]
    package let location: SourceLocation
  }

  /// The check whether a write took effect whose answer was lost: `confirm`.
  ///
  /// It is boxed, because most requests have none and need not reserve its place.
  package typealias Confirmation = Box<ConfirmationKeys>

  package struct ConfirmationKeys: Sendable {
    package let path: Template
    package let params: [Parameter]
    /// Selects the node that the write created: exactly one match means that it took effect.
    package let match: NodeSelection
    /// Selects what becomes the request's body; nil for the matching node itself.
    package let result: NodeSelection?
    /// How long reads may lag behind writes: until then, finding nothing proves nothing.
    package let within: Duration
    package let location: SourceLocation

    package var placeholders: [Placeholder] {
      path.placeholders + params.flatMap(\.value.placeholders) + match.expression.placeholders
        + (result?.expression.placeholders ?? [])
    }

    /// Whether the check is the same for all items and all answers.
    var isFixed: Bool {
      let placeholders = path.placeholders + params.flatMap(\.value.placeholders)
      return placeholders.allSatisfy { placeholder in
        switch placeholder.kind {
        case .input, .runID, .runStartedAt, .date: true
        case .result, .item, .index, .row: false
        }
      }
    }

    /// A key that is equal for all requests that share the check; nil for a check that is not fixed.
    func sharingKey(of request: Workflow.Request) -> String? {
      guard isFixed, case .profile(let profile) = request.token else { return nil }
      let params = params.map { "\($0.name)=\($0.value.writtenText)" }.joined(separator: "&")
      return "\(profile) \(request.version?.description ?? "") \(path.text)?\(params)"
    }
  }

  /// Following `paging.next` until there is none: `paginate`.
  package struct Pagination: Hashable, Sendable {
    /// The most pages to read; nil for all.
    package var maxPages: Int?
    /// The most items to keep; nil for all.
    package var maxItems: Int?

    package init(maxPages: Int? = nil, maxItems: Int? = nil) {
      (self.maxPages, self.maxItems) = (maxPages, maxItems)
    }
  }

  /// Polling until a condition holds: `until`, or `report`; boxed for the reason that ``Confirmation``
  /// is.
  package typealias Until = Box<UntilKeys>

  package struct UntilKeys: Sendable {
    package let check: Expression
    package let fail: Expression?
    package let interval: Duration
    /// The time after which the polling fails.
    package let within: Duration
    /// Whether the request is a `report`: it starts a run, which is polled, and then reads its rows.
    package var isOfReport = false
  }

  /// Requests that are sent once for each item of a source: a `for_each`.
  ///
  /// The short form, a request with its own `for_each`, is a group with one member.
  package typealias Group = Box<GroupKeys>

  package struct GroupKeys: Sendable {
    package let name: String
    package let location: SourceLocation
    package let source: ItemSource
    /// The types of columns that are not text.
    package let columns: [ItemColumn]
    /// The identity of an item in journal and report; nil for its index.
    package let key: Template?
    /// The number of failed items after which no new items are started; nil for no limit.
    package let maxFailures: FailureLimit?
    /// The indices of its members in ``Workflow/requests``, which are consecutive.
    package let members: [Int]
  }

  /// The source of a group's items.
  package enum ItemSource: Hashable, Sendable {
    case file(Template)
    case list([ValueTemplate])
    /// An input, or what a query selects in another request's body.
    case values(Placeholder)
    /// The windows of a range of days.
    indirect case windows(DayWindows)

    var placeholders: [Placeholder] {
      switch self {
      case .file(let path): path.placeholders
      case .list(let elements): elements.flatMap(\.placeholders)
      case .values(let placeholder): [placeholder]
      case .windows(let windows): windows.placeholders
      }
    }

    /// The input or selection that holds the items, or what they have of their own.
    var list: Placeholder? {
      switch self {
      case .file, .list: nil
      case .values(let placeholder): placeholder
      case .windows(let windows): windows.elements?.list
      }
    }

    var reference: Reference? { list?.reference }

    /// The windows, if what was read of them is kept.
    package var keptWindows: DayWindows? {
      if case .windows(let windows) = self, windows.state != nil { windows } else { nil }
    }

    /// Whether the items are what is new since the last read.
    package var listsNews: Bool {
      if case .windows(let windows) = self { windows.cut == nil } else { false }
    }
  }

  /// The request whose pages give the rows of an output, each page its own ones.
  ///
  /// - Returns: The request; nil if the rows need the whole answer, or other answers for the item.
  func requestWithPages(of output: Output) -> Int? {
    guard let each = output.each, let rows = output.rows, let reference = rows.reference,
      reference.request == each, reference.query.isByElement,
      rows.defaultValue == nil || rows.defaultValue == [],
      let pagination = requests[each].pagination, pagination.maxItems == nil,
      requests[each].expect.isEmpty,
      // Of what is new, known elements are left out, and the ids are needed at the end.
      !listsOfNews.contains(each),
      output.value.placeholders.allSatisfy({
        $0.reference.map { requests[$0.request].group != requests[each].group } ?? true
      })
    else { return nil }
    return each
  }

  /// The requests whose pages list what is new: their bodies are needed when their items end.
  var listsOfNews: Set<Int> {
    Set(
      groups.filter(\.source.listsNews).flatMap(\.members).filter {
        requests[$0].pagination != nil
      })
  }

  /// The number of failed items that stops a group.
  package enum FailureLimit: Hashable, Sendable {
    case count(Int)
    /// A percentage of the finished items, evaluated once twenty have finished.
    case percentage(Double)
  }
}

extension Query {
  /// Whether it selects in each element of `data` on its own: `$.data[*]` and names in it.
  fileprivate var isByElement: Bool {
    guard segments.count >= 2, segments[0].onlyName == "data",
      case .child(let selectors) = segments[1], selectors.count == 1,
      case .wildcard = selectors[0]
    else { return false }
    return segments.dropFirst(2).allSatisfy { $0.onlyName != nil }
  }
}
