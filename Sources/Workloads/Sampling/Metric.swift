// Every figure beside time. What there is to know of a figure stands beside the instrument that makes it.
public import Instruments

/// A figure of a phase.
public typealias Metric = MetricID
