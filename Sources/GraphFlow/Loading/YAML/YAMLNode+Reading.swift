extension YAMLNode {
  /// Reads the one document of a YAML file.
  ///
  /// Never throws. The node is nil if the file is not YAML; otherwise each value that cannot be
  /// used is ``Content/invalid`` and has been reported.
  package static func reading(
    _ source: SourceFile
  ) -> (node: YAMLNode?, diagnostics: [Diagnostic]) {
    let (node, findings) = composing(source)
    return (node, findings.sorted)
  }

  /// Reads the one document of a YAML file, with findings that can be added to.
  static func composing(_ source: SourceFile) -> (node: YAMLNode?, findings: Findings) {
    var composer = YAMLComposer(file: source.path)
    if let refusal = YAMLFault.refusal(of: source) {
      composer.findings.add(refusal)
      return (nil, composer.findings)
    }
    let root = source.bytes.withUnsafeBufferPointer { bytes -> YAMLNode? in
      guard var events = YAMLEvents(bytes) else {
        composer.findings.report(RuleID.limit, "not enough memory", at: .start)
        return nil
      }
      switch composer.compose(&events) {
      case .finished(let root): return root
      case .stopped: return nil
      case .fault(let fault):
        composer.findings.add(YAMLFault.diagnostic(for: fault, in: source))
        return nil
      }
    }
    return (root, composer.findings)
  }
}
