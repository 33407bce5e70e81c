// swift-tools-version: 6.2
import PackageDescription

// What measures graphflow, and is not shipped with it. It depends on nothing, so it builds in seconds.
let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  targets: [
    .executableTarget(
      name: "responder",
      path: "Sources/Responder",
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
