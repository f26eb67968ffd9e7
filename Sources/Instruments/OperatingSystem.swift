// What only a particular system can report. The folder Linux asks that system; the folder Other knows nothing.

/// Calls of the operating system.
enum OperatingSystem {}
