/** Properties of the queues: what the producer wrote before offering is visible to the consumer. */
@NullMarked
package io.frameloom.stress.queue;

import org.jspecify.annotations.NullMarked;
