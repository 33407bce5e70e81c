/// What the page shows: the query of its address.
struct PageView: Hashable, Sendable {
  /// Which calls are listed.
  enum Calls: String, Hashable, Sendable, CaseIterable {
    case all, failed, writes
  }

  /// The code of the device that a user decides about, on a page of its own; empty before it is
  /// entered, nil on the page of the world.
  var device: String?
  /// The call that is open.
  var call: Int?
  /// The object that is open.
  var object: String?
  /// Words that the listed calls hold.
  var search = ""
  var calls = Calls.all
  /// Whether the list is longer.
  var isLong = false

  init() {}

  init(query: Parameters) {
    device = query["user_code"]?.excerpt
    call = query["call"].flatMap { Int($0) }
    object = query["object"]?.excerpt
    search = query["q"]?.excerpt ?? ""
    calls = query["show"].flatMap(Calls.init) ?? .all
    isLong = query["long"] == "1"
  }

  /// The address of the page that shows this.
  var address: String {
    if let device { return "\(PageRequest.devicePath)?user_code=\(Self.encoded(device))" }
    var query: [String] = []
    if let call { query.append("call=\(call)") }
    if let object { query.append("object=" + Self.encoded(object)) }
    if !search.isEmpty { query.append("q=" + Self.encoded(search)) }
    if calls != .all { query.append("show=\(calls.rawValue)") }
    if isLong { query.append("long=1") }
    return query.isEmpty ? "/" : "\(PageRequest.path)?" + query.joined(separator: "&")
  }

  /// The query alone, for a form.
  var query: String { String(address.drop { $0 != "?" }.dropFirst()) }

  func with<Value>(_ part: WritableKeyPath<PageView, Value>, _ value: Value) -> PageView {
    var view = self
    view[keyPath: part] = value
    return view
  }

  private static func encoded(_ text: String) -> String {
    var output: [UInt8] = []
    FormText.appendEncoded(text, to: &output)
    return String(decoding: output, as: UTF8.self)
  }
}
