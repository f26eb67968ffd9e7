// Every figure beside time, as the modules above know it. What there is to know of a figure stands beside the instrument
// that makes it, in Instruments; a module that reads figures of samples need not import the instruments for that.
@_exported public import Instruments

/// A figure of a phase.
public typealias Metric = MetricID
