/** Properties of the parker, and of a named thread's queues together with it. */
@NullMarked
package io.frameloom.stress.park;

import org.jspecify.annotations.NullMarked;
