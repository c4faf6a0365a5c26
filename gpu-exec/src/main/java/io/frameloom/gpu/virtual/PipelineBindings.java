package io.frameloom.gpu.virtual;

import io.frameloom.gpu.BoundResource;
import io.frameloom.gpu.GraphicsPipeline;
import io.frameloom.gpu.ShaderBinding;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a command list has bound for its next draw or dispatch: the pipeline, its resources by name and by set, its push
 * constants. Another pipeline forgets the rest. The recording thread only.
 */
final class PipelineBindings {
    private final String label;
    private final Map<String, BoundResource> bound = new HashMap<>();
    private final Map<Integer, VirtualBindingSet> sets = new HashMap<>();
    private @Nullable VirtualPipeline pipeline;
    private byte[] pushConstants = new byte[0];
    private boolean checked;

    PipelineBindings(String label) {
        this.label = label;
    }

    void bind(VirtualPipeline next) {
        if (pipeline != next) {
            pipeline = next;
            bound.clear();
            sets.clear();
            pushConstants = new byte[0];
            checked = false;
        }
    }

    void bind(String name, BoundResource resource) {
        current("bind '" + name + "'").shaders().check(name, resource);
        if (bound.put(name, resource) == null) {
            checked = false;
        }
    }

    void bind(VirtualBindingSet set) {
        current("bindSet");
        if (sets.put(set.set(), set) == null) {
            checked = false;
        }
    }

    void pushConstants(ByteBuffer data) {
        VirtualPipeline current = current("pushConstants");
        if (data.remaining() > current.pushConstantBytes()) {
            throw new IllegalArgumentException("pipeline '" + current.name() + "' takes " + current.pushConstantBytes()
                    + " bytes of push constants, got " + data.remaining());
        }
        pushConstants = new byte[data.remaining()];
        data.duplicate().get(pushConstants);
    }

    /** Returns the pipeline of a draw with everything it needs. */
    VirtualPipeline forDraw(String command) {
        VirtualPipeline current = current(command);
        if (!(current instanceof GraphicsPipeline)) {
            throw new IllegalStateException(
                    "command list '" + label + "' draws with compute pipeline '" + current.name() + "'");
        }
        requireBindings(current);
        return current;
    }

    /** Returns a dispatch with everything it needs. */
    Op.Dispatch forDispatch(int groupsX, int groupsY, int groupsZ) {
        VirtualPipeline current = current("dispatch");
        if (!(current instanceof VirtualComputePipeline compute)) {
            throw new IllegalStateException(
                    "command list '" + label + "' dispatches with graphics pipeline '" + current.name() + "'");
        }
        requireBindings(current);
        if (pushConstants.length < current.pushConstantBytes()) {
            throw new IllegalStateException("dispatch of pipeline '" + current.name() + "' in '" + label + "' needs "
                    + current.pushConstantBytes() + " bytes of push constants, " + pushConstants.length + " are set");
        }
        Map<String, BoundResource> all = new HashMap<>(bound);
        sets.values().forEach(set -> all.putAll(set.resources()));
        return new Op.Dispatch(compute, new DispatchArguments(groupsX, groupsY, groupsZ, all, pushConstants));
    }

    private VirtualPipeline current(String command) {
        if (pipeline == null) {
            throw new IllegalStateException(
                    command + " in command list '" + label + "' without a pipeline; call bindPipeline first");
        }
        return pipeline;
    }

    private void requireBindings(VirtualPipeline current) {
        if (checked) {
            return;
        }
        for (ShaderBinding binding : current.bindings()) {
            boolean byName = bound.containsKey(binding.name());
            boolean bySet = sets.containsKey(binding.set());
            if (!byName && !bySet) {
                throw new IllegalStateException("pipeline '" + current.name() + "' in command list '" + label
                        + "' misses binding '" + binding.name() + "' (" + binding.kind() + ")");
            }
            if (byName && bySet) {
                throw new IllegalStateException("binding '" + binding.name() + "' of pipeline '" + current.name()
                        + "' in command list '" + label + "' is bound by name and by set " + binding.set());
            }
        }
        checked = true;
    }
}
