package io.frameloom.gpu.compute;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.resource.Buffer;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A command list that executes nothing but holds the bindings of each dispatch against those since the last barrier. The
 * validation layer does not report two writes of storage, and the virtual GPU keeps the dispatches of a list in order.
 */
final class DispatchOrder {
    private record Use(String pipeline, String binding, Buffer buffer, long from, long to, boolean written) {
        boolean conflicts(Use later) {
            return buffer == later.buffer && (written || later.written) && from < later.to && later.from < to;
        }
    }

    private final List<Use> sinceBarrier = new ArrayList<>();
    private final Map<String, Use> bound = new LinkedHashMap<>();
    private final List<String> conflicts = new ArrayList<>();
    private @Nullable Pipeline pipeline;
    private int dispatches;
    private int barriers;

    private DispatchOrder() {}

    /** @param queue that the list is said to be for */
    static DispatchOrder of(GpuQueue queue, Consumer<CommandList> recorder) {
        DispatchOrder order = new DispatchOrder();
        recorder.accept((CommandList) Proxy.newProxyInstance(
                CommandList.class.getClassLoader(), new Class<?>[] {CommandList.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("queue")) {
                        return queue;
                    }
                    order.command(method.getName(), arguments);
                    return null;
                }));
        return order;
    }

    private void command(String name, Object[] arguments) {
        switch (name) {
            case "bindPipeline" -> {
                pipeline = (Pipeline) arguments[0];
                bound.clear();
            }
            case "bindBuffer" ->
                bind((String) arguments[0], (Buffer) arguments[1], (long) arguments[2], (long) arguments[3]);
            case "dispatch" -> dispatch();
            case "barrier" -> {
                barriers++;
                sinceBarrier.clear();
            }
            case "pushConstants" -> {}
            default -> throw new AssertionError("a primitive records " + name);
        }
    }

    private void bind(String name, Buffer buffer, long offset, long bytes) {
        Pipeline current = Objects.requireNonNull(pipeline);
        for (ShaderBinding binding : current.bindings()) {
            if (binding.name().equals(name)) {
                bound.put(name, new Use(current.name(), name, buffer, offset, offset + bytes, binding.written()));
            }
        }
    }

    private void dispatch() {
        dispatches++;
        for (Use later : bound.values()) {
            for (Use earlier : sinceBarrier) {
                if (earlier.conflicts(later)) {
                    conflicts.add(earlier + " and " + later);
                }
            }
        }
        sinceBarrier.addAll(bound.values());
    }

    List<String> conflicts() {
        return conflicts;
    }

    int dispatches() {
        return dispatches;
    }

    int barriers() {
        return barriers;
    }
}
