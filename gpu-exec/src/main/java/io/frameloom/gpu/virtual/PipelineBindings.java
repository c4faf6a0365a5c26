package io.frameloom.gpu.virtual;

import io.frameloom.gpu.BoundResource;
import io.frameloom.gpu.ShaderBinding;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a command list has bound for its next draw or dispatch: the pipeline, its resources by name and by set, its push
 * constants. Another pipeline forgets the rest. The recording thread only.
 */
final class PipelineBindings {
    private final String label;
    private final Map<String, @Nullable BoundResource[]> bound = new HashMap<>();
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

    void bind(String name, int index, BoundResource resource) {
        PipelineInterface shaders = current("bind '" + name + "'").shaders();
        shaders.check(name, resource);
        ShaderBinding binding = shaders.find(name);
        int count = binding == null ? 1 : binding.count();
        if (index < 0 || index >= count) {
            throw new IllegalArgumentException("binding '" + name + "' of pipeline '" + name() + "' has " + count
                    + (count == 1 ? " element" : " elements") + ", not one of number " + index);
        }
        if (bound.computeIfAbsent(name, key -> new BoundResource[count])[index] == null) {
            checked = false;
        }
        bound.get(name)[index] = resource;
    }

    /** Forgets everything. */
    void forget() {
        pipeline = null;
        bound.clear();
        sets.clear();
        pushConstants = new byte[0];
        checked = false;
    }

    /** Returns the name of the pipeline. */
    String name() {
        return pipeline == null ? "" : pipeline.name();
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
    VirtualGraphicsPipeline forDraw(String command) {
        VirtualPipeline current = current(command);
        if (!(current instanceof VirtualGraphicsPipeline graphics)) {
            throw new IllegalStateException(command + " in command list '" + label + "' needs a graphics pipeline, '"
                    + current.name() + "' is a compute pipeline");
        }
        requireBindings(command, current);
        return graphics;
    }

    /** Returns a dispatch with everything it needs. */
    Op.Dispatch forDispatch(String command, int groupsX, int groupsY, int groupsZ, Op.@Nullable Groups groups) {
        VirtualPipeline current = current(command);
        if (!(current instanceof VirtualComputePipeline compute)) {
            throw new IllegalStateException(command + " in command list '" + label + "' needs a compute pipeline, '"
                    + current.name() + "' is a graphics pipeline");
        }
        requireBindings(command, current);
        if (pushConstants.length < current.pushConstantBytes()) {
            throw new IllegalStateException(command + " of pipeline '" + current.name() + "' in command list '" + label
                    + "' needs " + current.pushConstantBytes() + " bytes of push constants, " + pushConstants.length
                    + " are set");
        }
        Map<String, BoundResource> all = new HashMap<>();
        bound.forEach((name, elements) -> {
            List<BoundResource> list = new ArrayList<>();
            for (BoundResource element : elements) {
                list.add(Objects.requireNonNull(element));
            }
            all.put(name, list.size() == 1 ? list.get(0) : new BoundResource.Elements(list));
        });
        sets.values().forEach(set -> all.putAll(set.resources()));
        return new Op.Dispatch(compute, new DispatchArguments(groupsX, groupsY, groupsZ, all, pushConstants), groups);
    }

    private VirtualPipeline current(String command) {
        if (pipeline == null) {
            throw new IllegalStateException(command + " in command list '" + label
                    + "' comes before any bindPipeline; bind the pipeline first");
        }
        return pipeline;
    }

    private static int firstMissing(@Nullable BoundResource[] elements) {
        for (int i = 0; i < elements.length; i++) {
            if (elements[i] == null) {
                return i;
            }
        }
        return -1;
    }

    private void requireBindings(String command, VirtualPipeline current) {
        if (checked) {
            return;
        }
        for (ShaderBinding binding : current.bindings()) {
            boolean byName = bound.containsKey(binding.name());
            boolean bySet = sets.containsKey(binding.set());
            if (!byName && !bySet) {
                throw new IllegalStateException(command + " in command list '" + label + "': pipeline '"
                        + current.name() + "' still needs binding '" + binding.name() + "' (" + binding.kind()
                        + "); bind it before");
            }
            @Nullable BoundResource[] elements = bound.get(binding.name());
            int missing = elements == null ? -1 : firstMissing(elements);
            if (missing >= 0) {
                throw new IllegalStateException(command + " in command list '" + label + "': pipeline '"
                        + current.name() + "' still needs binding '" + binding.name() + "' element " + missing
                        + "; bind it before");
            }
            if (byName && bySet) {
                throw new IllegalStateException("binding '" + binding.name() + "' of pipeline '" + current.name()
                        + "' in command list '" + label + "' is bound by name and by set " + binding.set());
            }
        }
        checked = true;
    }
}
