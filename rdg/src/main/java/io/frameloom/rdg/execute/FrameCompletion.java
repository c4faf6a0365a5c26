package io.frameloom.rdg.execute;

import io.frameloom.rdg.jfr.FrameEvent;
import io.frameloom.rdg.jfr.RdgEvents;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskBody;
import org.jspecify.annotations.Nullable;

/**
 * Completes a frame when the device has done it: hands out what was read back and reports the failure. It asks the driver
 * for nothing, so nothing delays it. A frame without timestamps is measured here.
 */
final class FrameCompletion implements TaskBody {
    private final Frame frame;
    private final GraphEvent device;
    private final @Nullable FrameMeasurement measurement;
    private final @Nullable FrameEvent event = RdgEvents.frame();

    /**
     * A task of a frame that is being launched.
     *
     * @param measurement what follows at once, or null where a task of its own does it
     */
    FrameCompletion(Frame frame, GraphEvent device, @Nullable FrameMeasurement measurement) {
        this.frame = frame;
        this.device = device;
        this.measurement = measurement;
    }

    @Override
    public void run() throws Exception {
        Throwable lost = device.failure();
        if (lost != null) {
            frame.fail(Failures.original(lost));
        }
        frame.settle();
        Exception failure = frame.failure();
        if (event != null) {
            event.end(frame.number(), frame.plan(), frame.realisation().groupCount(), failure);
        }
        if (measurement != null) {
            measurement.run();
        }
        if (failure != null) {
            throw failure;
        }
    }
}
