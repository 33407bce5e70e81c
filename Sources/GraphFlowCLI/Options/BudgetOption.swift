import ArgumentParser
import GraphFlow

/// The flag that says how much of Graph's limits may be used.
struct BudgetOption: ParsableArguments {
  @Option(
    name: .customLong("budget"),
    help: ArgumentHelp(
      "The most that is used of Graph's limits: calls=N,usage=P%, or one of them.",
      discussion: """
        Operations of a batch, and ids of 'ids=', are calls each. When the budget is used up, the \
        run is left unfinished, and the exit code is 75.
        """,
      valueName: "parts"
    ),
    transform: { text in
      do throws(RunBudget.Problem) {
        return try RunBudget(text)
      } catch {
        throw ValidationError(error.message)
      }
    }
  )
  var value: RunBudget?
}

/// The flag that says how many writes may come to be in doubt at a time.
struct UnsafeWritesOption: ParsableArguments {
  @Option(
    name: .customLong("max-unsafe-writes"),
    help: ArgumentHelp(
      "The most writes under way that can be neither repeated nor looked up.",
      valueName: "n"
    )
  )
  var maximum = 50

  func validate() throws {
    guard maximum >= 1 else {
      throw ValidationError("--max-unsafe-writes is \(maximum), but must be at least 1")
    }
  }
}
