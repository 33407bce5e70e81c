import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The binary under test.
package enum GraphFlowBinary {
  /// `$GRAPHFLOW_BINARY`, else `graphflow` beside the test bundle in the build folder.
  package static let path: String? = {
    if let path = getenv("GRAPHFLOW_BINARY") { return String(cString: path) }
    guard let bundle = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(bundle) }
    // The runner of Swift Testing is the test bundle itself, or a program that gets the bundle's
    // path as an argument.
    for candidate in [String(cString: bundle)] + CommandLine.arguments {
      guard let slash = candidate.lastIndex(of: "/") else { continue }
      let path = candidate[..<slash] + "/graphflow"
      if access(String(path), X_OK) == 0 { return String(path) }
    }
    return nil
  }()
}
