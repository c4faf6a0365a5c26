package io.frameloom.gpu.virtual;

import io.frameloom.gpu.BoundResource;
import io.frameloom.gpu.Resource;
import io.frameloom.gpu.ShaderBinding;
import io.frameloom.gpu.record.Mentions;
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
    private final Mentions mentions;
    private final Map<String, @Nullable BoundResource[]> bound = new HashMap<>();
    private final Map<Integer, VirtualBindingSet> sets = new HashMap<>();
    private @Nullable VirtualPipeline pipeline;
    private byte[] pushConstants = new byte[0];
    private boolean checked;

    /**
     * Nothing bound yet.
     *
     * @param label of the command list
     * @param mentions takes what draws and dispatches find bound
     */
    PipelineBindings(String label, Mentions mentions) {
        this.label = label;
        this.mentions = mentions;
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

    void bind(String command, String name, int index, BoundResource resource) {
        int count = current(command).shaders().check(name, index, resource).count();
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
        if (pipeline == null) {
            throw new IllegalStateException(
                    "binding set '" + set.name() + "' is bound before any pipeline; bind the pipeline first");
        }
        VirtualPipeline current = current("bindSet");
        Resource gone = set.firstClosed();
        if (gone != null) {
            throw new IllegalStateException("bindSet in command list '" + label + "': binding set '" + set.name()
                    + "' has '" + gone.name() + "', which is closed; make another set, and close the resource behind"
                    + " both");
        }
        if (!current.shaders().slots(set.set()).equals(set.slots())) {
            throw new IllegalArgumentException("bindSet in command list '" + label + "': binding set '" + set.name()
                    + "' does not fit set " + set.set() + " of pipeline '" + current.name()
                    + "'; make it for a pipeline with the same bindings there: " + current.bindings());
        }
        if (sets.put(set.set(), set) == null) {
            checked = false;
        }
    }

    void pushConstants(ByteBuffer data) {
        VirtualPipeline current = current("pushConstants");
        int bytes = data.remaining();
        if (bytes == 0 || bytes % 4 != 0 || bytes > current.pushConstantBytes()) {
            throw new IllegalArgumentException("pushConstants in command list '" + label + "': pipeline '"
                    + current.name() + "' has " + current.pushConstantBytes() + " bytes of push constants; got "
                    + bytes + ", which must be a multiple of 4 and fit");
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
        requirePushConstants(command, current);
        mention();
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
        requirePushConstants(command, current);
        mention();
        Map<String, BoundResource> all = new HashMap<>();
        bound.forEach((name, elements) -> {
            List<BoundResource> list = new ArrayList<>();
            for (BoundResource element : elements) {
                list.add(Objects.requireNonNull(element));
            }
            all.put(name, list.size() == 1 ? list.get(0) : new BoundResource.Elements(list));
        });
        for (ShaderBinding binding : current.bindings()) {
            VirtualBindingSet set = sets.get(binding.set());
            if (set != null) {
                all.put(binding.name(), Objects.requireNonNull(set.resources().get(binding.binding())));
            }
        }
        return new Op.Dispatch(compute, new DispatchArguments(groupsX, groupsY, groupsZ, all, pushConstants), groups);
    }

    private void mention() {
        sets.values().forEach(mentions::add);
        for (@Nullable BoundResource[] elements : bound.values()) {
            for (BoundResource element : elements) {
                mentions.add((VirtualResource) DispatchArguments.resource(Objects.requireNonNull(element)));
            }
        }
    }

    private void requirePushConstants(String command, VirtualPipeline current) {
        if (pushConstants.length < current.pushConstantBytes()) {
            throw new IllegalStateException(command + " in command list '" + label + "' of pipeline '" + current.name()
                    + "' needs " + current.pushConstantBytes() + " bytes of push constants, " + pushConstants.length
                    + " are set");
        }
    }

    private VirtualPipeline current(String command) {
        if (pipeline == null) {
            throw new IllegalStateException(command + " in command list '" + label
                    + "' comes before any bindPipeline; bind the pipeline first");
        }
        if (pipeline.isClosed()) {
            throw closed(command, "pipeline '" + pipeline.name() + "'");
        }
        return pipeline;
    }

    /** Finds what was closed since it was bound. */
    private void requireOpen(String command) {
        for (VirtualBindingSet set : sets.values()) {
            if (set.isClosed()) {
                throw closed(command, "binding set '" + set.name() + "'");
            }
            Resource gone = set.firstClosed();
            if (gone != null) {
                throw closed(command, "'" + gone.name() + "' in binding set '" + set.name() + "'");
            }
        }
        for (@Nullable BoundResource[] elements : bound.values()) {
            for (BoundResource element : elements) {
                if (element != null && DispatchArguments.resource(element).isClosed()) {
                    throw closed(
                            command, "'" + DispatchArguments.resource(element).name() + "'");
                }
            }
        }
    }

    private IllegalStateException closed(String command, String what) {
        return new IllegalStateException(command + " in command list '" + label + "': " + what
                + " was closed after it was bound; close it when the device has executed the list");
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
        requireOpen(command);
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
