/** The sample of metrics: what a program with Micrometer takes over. */
@NullMarked
package io.frameloom.samples.metrics;

import org.jspecify.annotations.NullMarked;
