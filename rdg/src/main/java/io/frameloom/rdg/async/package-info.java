/**
 * Decides by measurement which passes run beside the graphics queue. Has the times of passes by frame, a model of the
 * frame on its queues, and regions that change their queue as rarely as possible.
 */
@NullMarked
package io.frameloom.rdg.async;

import org.jspecify.annotations.NullMarked;
