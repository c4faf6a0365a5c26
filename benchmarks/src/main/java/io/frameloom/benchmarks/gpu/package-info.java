/** What GPU work costs the host. */
@NullMarked
package io.frameloom.benchmarks.gpu;

import org.jspecify.annotations.NullMarked;
