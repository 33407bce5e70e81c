/// The version of graphflow, for `--version`, reports, plans and recordings.
public let toolVersion = "0.1.0"
