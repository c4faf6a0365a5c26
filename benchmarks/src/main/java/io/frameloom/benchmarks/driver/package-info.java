/** What every benchmark shares: how it is sampled, and the row that comes out. */
@NullMarked
package io.frameloom.benchmarks.driver;

import org.jspecify.annotations.NullMarked;
