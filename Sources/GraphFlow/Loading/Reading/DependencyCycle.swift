/// Finds cycles in the dependencies of requests.
enum DependencyCycle {
  private static let maximumShown = 12

  /// One cycle for each strongly connected set of requests.
  ///
  /// It is a shortest cycle through the set's first request in the file and begins there, so the
  /// same file always gives the same message.
  ///
  /// - Complexity: O(requests + dependencies). There is no recursion, because chains may be long.
  static func cycles(in targets: [[Int]]) -> [[Int]] {
    components(of: targets).compactMap { component in
      guard component.count > 1, let first = component.min() else { return nil }
      return cycle(through: first, within: Set(component), targets)
    }.sorted { $0[0] < $1[0] }
  }

  /// The cycle as text: `a → b → a`.
  static func description(of names: [String]) -> String {
    let first = names.first ?? ""
    guard names.count > maximumShown else { return (names + [first]).joined(separator: " → ") }
    let shown = names.prefix(maximumShown).joined(separator: " → ")
    return "\(shown) → … (\(names.count - maximumShown) more) → \(first)"
  }

  /// The strongly connected components, by Tarjan's algorithm with an explicit stack.
  private static func components(of targets: [[Int]]) -> [[Int]] {
    var components: [[Int]] = []
    var order = [Int](repeating: -1, count: targets.count)
    var lowest = order
    var isOpen = [Bool](repeating: false, count: targets.count)
    var open: [Int] = []
    var counter = 0
    var path: [(request: Int, next: Int)] = []

    func enter(_ request: Int) {
      order[request] = counter
      lowest[request] = counter
      counter += 1
      open.append(request)
      isOpen[request] = true
      path.append((request, 0))
    }

    for root in targets.indices where order[root] < 0 {
      enter(root)
      while let (request, next) = path.last {
        if next < targets[request].count {
          path[path.count - 1].next += 1
          let target = targets[request][next]
          if order[target] < 0 {
            enter(target)
          } else if isOpen[target] {
            lowest[request] = min(lowest[request], order[target])
          }
          continue
        }
        path.removeLast()
        if let parent = path.last?.request { lowest[parent] = min(lowest[parent], lowest[request]) }
        guard lowest[request] == order[request] else { continue }
        var component: [Int] = []
        while let member = open.popLast() {
          isOpen[member] = false
          component.append(member)
          if member == request { break }
        }
        components.append(component)
      }
    }
    return components
  }

  /// A shortest path from a request back to itself.
  private static func cycle(
    through first: Int, within component: Set<Int>, _ targets: [[Int]]
  ) -> [Int]? {
    var before: [Int: Int] = [:]
    var queue = [first]
    var position = 0
    while position < queue.count {
      let request = queue[position]
      position += 1
      for target in targets[request] where component.contains(target) {
        if target == first {
          var path = [request]
          while let last = path.last, last != first, let previous = before[last] {
            path.append(previous)
          }
          return path.reversed()
        }
        guard before[target] == nil else { continue }
        before[target] = request
        queue.append(target)
      }
    }
    return nil
  }
}
