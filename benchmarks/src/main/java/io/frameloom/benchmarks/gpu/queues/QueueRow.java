package io.frameloom.benchmarks.gpu.queues;

/**
 * What one number of queues of a kind gave.
 *
 * @param what {@code submit}, {@code latency} or {@code overlap}
 * @param kind kind of the queues
 * @param queues number of queues, each with a thread of its own
 * @param perSecond submissions or chains of all queues together in a second
 * @param p50us median in microseconds: of a submission's call, of submission to event, of all chains
 * @param p99us the 99th percentile in microseconds
 * @param speedup {@code perSecond} as a multiple of that of one queue
 */
record QueueRow(String what, String kind, int queues, double perSecond, double p50us, double p99us, double speedup) {}
