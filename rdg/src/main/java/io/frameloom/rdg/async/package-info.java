/**
 * The measured decision which passes run beside the graphics queue: times of passes by frame, a model of the frame on its
 * queues, and regions that change their queue as rarely as they can.
 */
@NullMarked
package io.frameloom.rdg.async;

import org.jspecify.annotations.NullMarked;
