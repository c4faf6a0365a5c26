/** Shape: a binary tree of tasks that are forked and joined while it runs. */
@NullMarked
package io.frameloom.benchmarks.forkjointree;

import org.jspecify.annotations.NullMarked;
