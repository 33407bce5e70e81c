import CommandHarness
import TestSupport
import Testing

#if os(Linux)
import Glibc

/// How the released command is linked.
@Suite(.enabled(if: access("/usr/bin/readelf", X_OK) == 0, "readelf is not there"))
struct ReleaseBinaryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ words: String...) throws -> Outcome {
    let search = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    let process = try ChildProcess(
      ["/usr/bin/env"] + words, environment: ["PATH": search], input: [],
      folder: CommandFixture.root)
    return try Outcome(of: process)
  }

  /// The result of `scripts/check-binary` for a small program that is linked with these flags.
  private func check(linkedWith flags: String) throws -> Outcome {
    try folder.write(
      """
      int shown(void) { return 0; }
      #ifdef NEWER
      #include <math.h>
      int main(int count, char **words) { return hypot(count, 4) > 0; }
      #else
      int main(void) { return shown(); }
      #endif

      """, to: "a.c")
    let program = folder.path + "/a"
    let line = "cc -fPIE -o '\(program)' '\(folder.path)/a.c' \(flags)"
    #expect(try run("sh", "-c", line).code == 0, "\(line)")
    return try run("scripts/check-binary", program)
  }

  private static let valid = "-pie -Wl,-z,now -Wl,-z,relro"

  @Test(
    .enabled(if: PreloadedLibrary.arguments != nil, "there is no C compiler here"),
    arguments: [
      ("-Wl,-rpath,'$ORIGIN'", "(RUNPATH)"), ("-Wl,-z,lazy", "(no BIND_NOW)"),
      ("-Wl,-z,norelro", "(no RELRO)"), ("-Wl,-z,execstack", "can be executed"),
      ("-no-pie", "(no PIE)"), ("-rdynamic", "it exports "),
      ("-Wl,--no-as-needed -lresolv", "besides glibc: libresolv.so.2"),
      ("-DNEWER -lm", "it needs glibc 2.35, newer than 2.34"),
    ])
  func `each linking error is found`(_ flag: String, _ message: String) throws {
    #expect(try check(linkedWith: Self.valid).error == "")

    let outcome = try check(linkedWith: Self.valid + " " + flag)

    #expect(outcome.error.contains(message), "\(outcome.error)")
    #expect(outcome.code == 1)
  }

  @Test(.enabled(if: access("/usr/bin/make", X_OK) == 0, "make is not there"))
  func `a release is linked with the flags and checked`() throws {
    let recipe = try run("make", "--dry-run", "release").output.split(separator: "\n")

    let building = try #require(recipe.firstIndex { $0.contains("--product graphflow") })
    for flag in ["--disable-local-rpath", "-z -Xlinker now", "--no-export-dynamic"] {
      #expect(recipe[building].contains(flag))
    }
    #expect(recipe[building...].contains { $0.hasPrefix("scripts/check-binary ") })
  }

  @Test(
    .enabled("llvm-profdata is not beside the compiler") {
      let tests = try ReleaseBinaryTests()
      return try tests.run("scripts/profile", "use", tests.folder.path).output != ""
    })
  func `a release is compiled with the profile`() throws {
    let place = folder.path + "/build"

    let recipe = try run("make", "--dry-run", "release", "RELEASE_BUILD=\(place)").output

    let profiles = recipe.matches(of: /-ir-profile-use=([^"]+)"/).map { String($0.output.1) }
    #expect(Set(profiles).count == 1 && profiles.allSatisfy { $0.hasPrefix(place + "-profile/") })
    #expect(try run("scripts/profile", "use", place + "-profile").output == profiles[0] + "\n")
    #expect(FileKind(of: profiles[0]) != nil)
  }

  private static var hasJemalloc: Bool {
    get throws {
      let place = "[ -e \"$(cc -print-file-name=libjemalloc_pic.a)\" ]"
      return try ReleaseBinaryTests().run("sh", "-c", place).code == 0
    }
  }

  @Test(.enabled("libjemalloc-dev is not installed") { try ReleaseBinaryTests.hasJemalloc })
  func `a release allocates with jemalloc and its options`() throws {
    try folder.write(
      """
      #include <jemalloc/jemalloc.h>
      int main(void) {
        unsigned count = 0;
        size_t size = sizeof count;
        return mallctl("opt.narenas", &count, &size, NULL, 0) ? 100 : (int)count;
      }

      """, to: "a.c")
    let (program, libraries) = (folder.path + "/a", folder.path + "/static")

    #expect(try run("scripts/static-libraries", libraries).code == 0)
    let line =
      "cc -fPIE -o '\(program)' '\(folder.path)/a.c' '\(libraries)/allocator.o'"
      + " '\(libraries)/older-glibc.o' -static-libgcc -lm -pthread \(Self.valid)"
    #expect(try run("sh", "-c", line).code == 0)

    #expect(try run(program).code == 2)
    #expect(try run("scripts/check-binary", program).error == "")
  }
}
#endif
