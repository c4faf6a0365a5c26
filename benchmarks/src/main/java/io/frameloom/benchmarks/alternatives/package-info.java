/** Algorithms of others, written anew from their descriptions, to be measured beside ours. */
@org.jspecify.annotations.NullMarked
package io.frameloom.benchmarks.alternatives;
