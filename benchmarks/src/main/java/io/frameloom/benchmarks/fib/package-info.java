/** Shape: Fibonacci numbers by naive recursion. Nothing but spawning and joining. */
@NullMarked
package io.frameloom.benchmarks.fib;

import org.jspecify.annotations.NullMarked;
