#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The files next to the repository that some tests compare with.
public enum SharedFiles {
  /// The absolute path of a shared file, or nil if the folder or the file is absent.
  ///
  /// The folder is `$GRAPHFLOW_SHARED`, or else `shared` next to the package that holds `file`.
  public static func path(_ relative: String, from file: StaticString = #filePath) -> String? {
    let folder = environment("GRAPHFLOW_SHARED") ?? packageRoot(of: "\(file)") + "/../shared"
    let path = folder + "/" + relative
    return access(path, R_OK) == 0 ? path : nil
  }

  /// The folder above `Tests` in a source file's path.
  public static func packageRoot(of file: String) -> String {
    var parts = file.split(separator: "/", omittingEmptySubsequences: false)
    while let last = parts.popLast(), last != "Tests" {}
    return parts.joined(separator: "/")
  }

  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    return String(cString: value)
  }
}
