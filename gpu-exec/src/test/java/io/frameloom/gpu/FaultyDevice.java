package io.frameloom.gpu;

import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/**
 * Passes the calls of a device, its queues, timelines and frame contexts on to a real one, and fails those that a test
 * names.
 */
final class FaultyDevice {
    private final List<GpuQueue> realQueues;
    private final List<GpuQueue> queues = new ArrayList<>();
    private final Map<String, Fault> faults = new ConcurrentHashMap<>();
    private final GpuDevice device;
    private final List<Submission> submitted = new CopyOnWriteArrayList<>();

    private record Fault(Throwable failure, BooleanSupplier now) {}

    FaultyDevice(GpuDevice real) {
        this.realQueues = real.queues();
        for (GpuQueue queue : realQueues) {
            queues.add(queue(queue));
        }
        device = proxy(GpuDevice.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "queues" -> queues;
            case "createFrameContext" -> context((FrameContext) call(real, method, arguments));
            default -> call(real, method, arguments);
        });
    }

    GpuDevice device() {
        return device;
    }

    /** Fails every call of a method from now on. */
    void fail(String method, Throwable failure) {
        fail(method, failure, () -> true);
    }

    /** Fails the calls of a method for which {@code now} says so. */
    void fail(String method, Throwable failure, BooleanSupplier now) {
        faults.put(method, new Fault(failure, now));
    }

    void heal() {
        faults.clear();
    }

    /** Returns what was submitted so far, as the application gave it. */
    List<Submission> submitted() {
        return submitted;
    }

    private GpuQueue queue(GpuQueue queue) {
        GpuTimeline timeline =
                proxy(GpuTimeline.class, (proxy, method, arguments) -> call(queue.timeline(), method, arguments));
        return proxy(GpuQueue.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "timeline" -> timeline;
            case "submit" -> {
                Submission given = (Submission) arguments[0];
                TimelinePoint point = (TimelinePoint) call(queue, method, unwrapped(given));
                submitted.add(given);
                yield new TimelinePoint((GpuQueue) proxy, point.value());
            }
            default -> call(queue, method, arguments);
        });
    }

    private FrameContext context(FrameContext context) {
        return proxy(FrameContext.class, (proxy, method, arguments) -> {
            if (method.getName().equals("beginCommands")) {
                return call(context, method, unwrapped((GpuQueue) arguments[0]), arguments[1]);
            }
            return call(context, method, arguments);
        });
    }

    private Submission unwrapped(Submission submission) {
        List<Submission.Wait> waits = submission.waits().stream()
                .map(wait -> new Submission.Wait(
                        new TimelinePoint(
                                unwrapped(wait.point().queue()), wait.point().value()),
                        wait.stages()))
                .toList();
        return new Submission(submission.label(), submission.lists(), waits);
    }

    private GpuQueue unwrapped(GpuQueue queue) {
        return realQueues.get(queues.indexOf(queue));
    }

    private Object call(Object target, Method method, Object... arguments) throws Throwable {
        Fault fault = faults.get(method.getName());
        if (fault != null && fault.now().getAsBoolean()) {
            throw fault.failure();
        }
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("equals")) {
                        return proxy == arguments[0];
                    }
                    return method.getName().equals("hashCode")
                            ? System.identityHashCode(proxy)
                            : handler.invoke(proxy, method, arguments);
                }));
    }
}
