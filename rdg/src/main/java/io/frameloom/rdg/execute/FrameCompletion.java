package io.frameloom.rdg.execute;

import io.frameloom.rdg.jfr.FrameEvent;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskBody;
import org.jspecify.annotations.Nullable;

/**
 * Completes a frame when the device has done it: hands out what was read back and reports the failure. It asks the
 * driver for nothing, so nothing delays it.
 */
record FrameCompletion(
        Frame frame, GraphEvent device, @Nullable FrameEvent event) implements TaskBody {
    @Override
    public void run() throws Exception {
        Throwable lost = device.failure();
        if (lost != null) {
            frame.fail(Failures.original(lost));
        }
        frame.enter();
        frame.settle();
        Exception failure = frame.failure();
        try {
            if (event != null) {
                event.end(
                        frame.number(),
                        frame.submitThread(),
                        frame.plan(),
                        frame.realisation().groupCount(),
                        failure);
            }
            frame.traceEnd();
        } finally {
            frame.release();
        }
        if (failure != null) {
            throw failure;
        }
    }
}
