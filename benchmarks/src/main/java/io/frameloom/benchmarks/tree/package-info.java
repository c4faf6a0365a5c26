/** Shape: complete binary out-tree. Every task has one prerequisite, readiness doubles with each level. */
@NullMarked
package io.frameloom.benchmarks.tree;

import org.jspecify.annotations.NullMarked;
