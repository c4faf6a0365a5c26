/** The lock-free protocols of the features built on the task graph: pipes, limiters, races of events, timers. */
@NullMarked
package io.frameloom.stress.feature;

import org.jspecify.annotations.NullMarked;
