/** Workers: their queues, how they find work, sleep and wake, blocking regions, loops and broadcasts. */
@NullMarked
package io.frameloom.taskgraph.worker;

import org.jspecify.annotations.NullMarked;
