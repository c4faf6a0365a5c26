package io.frameloom.gpu.compute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.taskgraph.FailurePolicy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one run on the first queue of a device. All of them are closed together, however the run ends, and
 * whatever fails to close: failures are thrown at last. Commands that the device still executes are kept until it is
 * done. One thread.
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

    /** Submits them, ended; returns the value of the queue's timeline at their end. */
    long submit(CommandList list) {
        submitted =
                queue().submit(new Submission(name, List.of(list), List.of())).value();
        return submitted;
    }

    @Override
    public void close() {
        AutoCloseable next = owned.poll();
        if (next == null) {
            closeCommands();
            return;
        }
        RunObjects rest = this;
        try (rest) {
            close(next);
        }
    }

    private static void close(AutoCloseable thing) {
        try {
            thing.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(thing + " cannot be closed", e);
        }
    }

    private void closeCommands() {
        FrameContext commands = frame;
        frame = null;
        if (commands != null && isAtWork()) {
            closeWhenDone(commands);
        } else if (commands != null) {
            commands.close();
        }
    }

    private void closeWhenDone(FrameContext commands) {
        device.taskGraph()
                .task("close the " + name, commands::close)
                .after(queue().timeline().reached(submitted))
                .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                .dispatch();
    }

    private boolean isAtWork() {
        try {
            return !queue().timeline().await(submitted, Duration.ZERO);
        } catch (DeviceLostException lost) {
            // The wait for the run reports it; a lost device executes nothing.
            return false;
        }
    }
}
