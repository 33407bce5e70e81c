extension YAMLNode {
  /// Reads the one document of a YAML file.
  ///
  /// Never throws. The node is nil if the file is no YAML at all; otherwise what could not be used
  /// is ``Content/invalid`` and there is a diagnostic about it.
  package static func reading(
    _ source: SourceFile
  ) -> (node: YAMLNode?, diagnostics: [Diagnostic]) {
    if let refusal = YAMLFault.refusal(of: source) { return (nil, [refusal]) }
    var composer = YAMLComposer(file: source.path)
    let root = source.bytes.withUnsafeBufferPointer { bytes -> YAMLNode? in
      let hasMark = bytes.starts(with: [0xef, 0xbb, 0xbf])
      guard var events = YAMLEvents(UnsafeBufferPointer(rebasing: bytes[(hasMark ? 3 : 0)...]))
      else { return nil }
      switch composer.compose(&events) {
      case .finished(let root): return root
      case .stopped: return nil
      case .fault(let fault):
        composer.findings.add(YAMLFault.diagnostic(for: fault, in: source))
        return nil
      }
    }
    return (root, composer.findings.diagnostics)
  }
}
