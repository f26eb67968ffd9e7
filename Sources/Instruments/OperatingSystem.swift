// Data that only a particular system can report. The folder Linux reads it; the folder Other reports nothing.

/// Calls of the operating system.
enum OperatingSystem {}
