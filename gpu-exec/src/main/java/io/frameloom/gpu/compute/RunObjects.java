package io.frameloom.gpu.compute;

import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.DeviceLostException;
import io.frameloom.gpu.FrameContext;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.Submission;
import io.frameloom.gpu.internal.ClosingFailures;
import io.frameloom.taskgraph.FailurePolicy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one run on the first queue of a device needs. All of it is closed together, however the run ends, and whatever fails
 * to close: failures are thrown at last. Commands that the device is still at work on are kept until it is done. One thread.
 */
final class RunObjects implements AutoCloseable {
    private final GpuDevice device;
    private final String name;
    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private @Nullable FrameContext frame;
    private long submitted;

    /** @param name of the commands */
    RunObjects(GpuDevice device, String name) {
        this.device = device;
        this.name = name;
    }

    private GpuQueue queue() {
        return device.queues().get(0);
    }

    /** Takes something that is closed before what was taken earlier. */
    <T extends AutoCloseable> T own(T thing) {
        owned.push(thing);
        return thing;
    }

    /** Begins the only commands of the run. */
    CommandList begin() {
        FrameContext context = device.createFrameContext(name);
        frame = context;
        return context.beginCommands(queue(), name);
    }

    /** Submits them, ended; returns the value of the queue's timeline that says that they are done. */
    long submit(CommandList list) {
        submitted =
                queue().submit(new Submission(name, List.of(list), List.of())).value();
        return submitted;
    }

    @Override
    public void close() {
        List<Throwable> failures = new ArrayList<>();
        while (!owned.isEmpty()) {
            close(owned.pop(), failures);
        }
        FrameContext commands = frame;
        frame = null;
        if (commands != null) {
            close(isAtWork() ? () -> closeWhenDone(commands) : commands, failures);
        }
        ClosingFailures.throwFirst(failures);
    }

    private void closeWhenDone(FrameContext commands) {
        device.taskGraph()
                .task("close the " + name, commands::close)
                .after(queue().timeline().reached(submitted))
                .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                .dispatch();
    }

    private static void close(AutoCloseable thing, List<Throwable> failures) {
        try {
            thing.close();
        } catch (RuntimeException | Error e) {
            failures.add(e);
        } catch (Exception e) {
            failures.add(new IllegalStateException(thing + " cannot be closed", e));
        }
    }

    private boolean isAtWork() {
        try {
            return !queue().timeline().await(submitted, Duration.ZERO);
        } catch (DeviceLostException lost) {
            // Whoever waits for the run is told of it; a lost device is at work on nothing.
            return false;
        }
    }
}
