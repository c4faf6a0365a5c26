/** JMH benchmarks: one folder per shape, one file per competitor. */
@NullMarked
package io.frameloom.benchmarks;

import org.jspecify.annotations.NullMarked;
