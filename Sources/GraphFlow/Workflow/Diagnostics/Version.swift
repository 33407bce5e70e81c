/// The version of graphflow, for `--version`, reports, plans and recordings.
public let toolVersion = "1.0.0"
