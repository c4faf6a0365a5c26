/** What more queues of a kind are worth: submissions from several threads, latency, and compute work side by side. */
@org.jspecify.annotations.NullMarked
package io.frameloom.benchmarks.gpu.queues;
