/** {@code bench --gpu compute}: scan, bracket matching and compaction against copies, processors and other algorithms. */
@org.jspecify.annotations.NullMarked
package io.frameloom.benchmarks.gpu.compute;
