/** One hop between two threads, there and back: named threads against the bare hand-over. */
@NullMarked
package io.frameloom.benchmarks.hop;

import org.jspecify.annotations.NullMarked;
