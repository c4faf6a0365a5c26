/**
 * Execution of frame plans: transient memory, parallel recording, ordered submission, frames in flight.
 *
 * <p>Three kinds of thread meet here. The RENDER thread (the one that calls {@link FramePipeline#execute}) realises a plan
 * and launches tasks; workers record one command list each and write only their own entry of the frame slot; the submit
 * thread runs one chain of tasks, in plan order over all frames, and owns {@link SubmissionChain}. Data passes from one
 * to the next only along prerequisites of the task graph, which order memory as well, so that nothing here is locked.
 */
@NullMarked
package io.frameloom.rdg.execute;

import org.jspecify.annotations.NullMarked;
