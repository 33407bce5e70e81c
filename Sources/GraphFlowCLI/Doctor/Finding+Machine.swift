import GraphAPI
import GraphFlow

/// What can be found out without sending anything.
extension Finding {
  static func configuration(isRead: Bool) -> Finding {
    guard isRead else { return .skipped("configuration", "--sandbox reads none") }
    guard let path = Configuration.path, FileStatus(path) != nil else {
      return .ok("configuration", "no file")
    }
    return .ok("configuration", path)
  }

  /// The proxy of requests to Graph, and the variables that have no effect.
  static func proxy(_ route: HTTPRoute, to url: GraphURL) -> Finding {
    let trust = route.trust == nil ? "" : "; trusts only the certificates that you have named"
    if let proxy = route.proxy(to: url) {
      return .ok("proxy", "\(proxy), by HTTPS_PROXY\(trust)")
    }
    if route.proxy != nil { return .ok("proxy", "HTTPS_PROXY does not apply to \(url)\(trust)") }
    let unread = ["ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy"].first {
      Environment.value($0) != nil
    }
    guard let unread, url.description.hasPrefix("https:") else {
      return .ok("proxy", "none\(trust)")
    }
    return .warning(
      "proxy", "none\(trust); \(unread) is set, which graphflow does not read",
      hint: "if this machine needs a proxy, name it in HTTPS_PROXY")
  }

  /// Whether runs can be kept: the folder, or where it will be made, can be written to and has room.
  static func state(_ directory: StateDirectory) -> Finding {
    var place = directory.path
    while FileStatus(place) == nil, let slash = place.lastIndex(of: "/"), place != "/" {
      place = slash == place.startIndex ? "/" : String(place[..<slash])
    }
    if FileStatus(place) == nil { place = "." }
    let isNew = place != directory.path
    guard access(place, W_OK | X_OK) == 0 else {
      return .failed(
        "state",
        CommandFailure(
          .cannotCreate, "cannot write to '\(place)': \(SystemError.last)",
          hint: "--state-dir or GRAPHFLOW_STATE_DIR names another folder"))
    }
    var space = statvfs()
    let isKnown = statvfs(place, &space) == 0
    let free = Int(clamping: UInt64(space.f_bavail)) / 256 * Int(clamping: UInt64(space.f_frsize))
    let text = directory.path + (isNew ? ", which the first run makes" : "")
    guard isKnown, free < (100 << 20) / 256 else { return .ok("state", text) }
    return .warning(
      "state", "\(text): \(free >> 12) MiB free",
      hint: "make room: graphflow runs prune --older-than 30d removes finished runs")
  }

  /// Earlier runs that a person has to look after.
  static func runs(in state: StateOptions) -> Finding {
    var counts: [(name: String, hint: String, ids: [RunID])] = [
      ("in doubt", "check on Facebook what happened, then: graphflow resume", []),
      ("damaged", "graphflow resume says what to do:", []),
      ("unfinished", "continue with: graphflow resume", []),
    ]
    var (total, active) = (0, 0)
    do {
      let store = try state.store()
      for id in try store.runs() + store.lostRuns() {
        total += 1
        guard !store.isActive(id) else {
          active += 1
          continue
        }
        switch try FoundRun(id, in: store) {
        case .damaged: counts[1].ids.append(id)
        case .known(let run) where run.start.isSandboxRun: break
        case .known(let run) where run.needsCheck: counts[0].ids.append(id)
        case .known(let run) where run.isUnfinished && run.hasSentWrites: counts[2].ids.append(id)
        case .known, nil: break
        }
      }
    } catch {
      return .failed("runs", CommandFailure(error))
    }
    let found = counts.filter { !$0.ids.isEmpty }
    let text = ["\(total) kept, \(active) active"] + found.map { "\($0.ids.count) \($0.name)" }
    guard let first = found.first, let id = first.ids.first else {
      return .ok("runs", text.joined(separator: ", "))
    }
    return .warning("runs", text.joined(separator: ", "), hint: "\(first.hint) \(id)")
  }
}
