package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.ValidationMessage;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskCancelledException;
import io.frameloom.taskgraph.TaskFailedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A program that handles failures as an application should: it stops at the first, waits for the device, closes what it has
 * in the opposite order, and finds every event complete.
 */
abstract class FaultProgram implements FaultSweep.Scenario {
    static final Duration LONG = Duration.ofSeconds(30);

    private final List<GraphEvent> events = new ArrayList<>();
    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private final List<RuntimeException> failures = new ArrayList<>();
    private @Nullable VulkanDevice device;
    private boolean finished;

    /** Opens the device and uses it. */
    abstract void use();

    @Override
    public final List<RuntimeException> run() {
        try {
            use();
            finished = true;
        } catch (RuntimeException e) {
            failures.add(e);
        }
        VulkanDevice opened = device;
        if (opened != null) {
            close(opened::waitIdle);
        }
        while (!owned.isEmpty()) {
            close(owned.pop());
        }
        events.forEach(FaultProgram::complete);
        return failures;
    }

    @Override
    public final boolean opened() {
        return device != null;
    }

    @Override
    public final boolean finished() {
        return finished;
    }

    /** Takes something to be closed before what was taken earlier. */
    final <T extends AutoCloseable> T own(T object) {
        owned.push(object);
        return object;
    }

    /** Takes the device that is to be idle before anything is closed. */
    final VulkanDevice open(VulkanDevice opened) {
        device = own(opened);
        return opened;
    }

    /** Returns what the validation layer has said of the device, if it was opened with validation. */
    final List<ValidationMessage> messages() {
        return device == null ? List.of() : device.validationMessages();
    }

    /** Takes an event that must be complete in the end. */
    final GraphEvent expect(GraphEvent event) {
        events.add(event);
        return event;
    }

    /** Waits for an event, and fails as it does. */
    final void await(GraphEvent event) {
        expect(event);
        try {
            if (!event.await(LONG)) {
                throw new AssertionError("it takes longer than " + LONG + ": " + event);
            }
        } catch (TaskFailedException e) {
            throw e.getCause() instanceof GpuException cause ? cause : e;
        }
    }

    static void await(TimelinePoint point) {
        if (!point.queue().timeline().await(point.value(), LONG)) {
            throw new AssertionError("the work takes longer than " + LONG);
        }
    }

    private void close(AutoCloseable object) {
        try {
            object.close();
        } catch (RuntimeException e) {
            failures.add(e);
        } catch (Exception e) {
            throw new AssertionError("no checked exceptions here", e);
        }
    }

    private static void complete(GraphEvent event) {
        try {
            if (!event.await(LONG)) {
                throw new AssertionError("an event is left pending: " + event);
            }
        } catch (TaskFailedException e) {
            // A library that is closed cancels the compilations that have not begun.
            if (!(e.getCause() instanceof GpuException) && !(e.getCause() instanceof TaskCancelledException)) {
                throw new AssertionError("an event failed with something else than a failure of the GPU", e);
            }
        }
    }
}
