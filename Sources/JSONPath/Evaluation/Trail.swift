/// A location as the evaluator builds it: a linked list whose nodes share their common prefix.
indirect enum Trail: Sendable {
  case root
  case step(NormalizedPath.Element, from: Trail)

  var path: NormalizedPath {
    var elements: [NormalizedPath.Element] = []
    var trail = self
    while case .step(let element, let origin) = trail {
      elements.append(element)
      trail = origin
    }
    return NormalizedPath(elements.reversed())
  }
}
