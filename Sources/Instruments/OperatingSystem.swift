// What only a particular system can report. The folder Linux asks that system; the folder Other knows nothing.

/// The questions that are put to the operating system.
enum OperatingSystem {}
