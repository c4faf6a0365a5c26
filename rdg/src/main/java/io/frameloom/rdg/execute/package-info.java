/**
 * Execution of frame plans: transient memory, parallel recording, ordered submission, frames in flight.
 *
 * <p>Three kinds of thread meet here. The RENDER thread, which calls {@link FramePipeline#execute}, realises a plan and
 * launches tasks. Workers record one command list each and write only their own entry of the frame slot. The submit
 * thread runs one chain of tasks, in plan order over all frames, and owns {@link SubmissionChain}. Data passes between
 * them only along prerequisites of the task graph, which order memory as well. So no lock is needed here. With inline
 * submission the RENDER thread owns the chain while the last task of it is complete.
 */
@NullMarked
package io.frameloom.rdg.execute;

import org.jspecify.annotations.NullMarked;
