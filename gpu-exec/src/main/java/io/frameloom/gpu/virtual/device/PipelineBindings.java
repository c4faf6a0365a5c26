package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.record.BindingRules;
import io.frameloom.gpu.record.Mentions;
import io.frameloom.gpu.record.PairRules;
import io.frameloom.gpu.record.PassLayouts;
import io.frameloom.gpu.record.PipelineLimits;
import io.frameloom.gpu.record.SlotHandle;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The bindings of a command list for its next draw or dispatch: the pipeline, its resources by name and by set, its
 * push constants. Another pipeline forgets the rest. The recording thread only.
 */
final class PipelineBindings implements PairRules.Bound {
    private final String label;
    private final Mentions mentions;
    private final PassLayouts layouts;
    private final Map<String, @Nullable BoundResource[]> bound = new HashMap<>();
    private final @Nullable VirtualBindingSet[] sets = new @Nullable VirtualBindingSet[PipelineLimits.MOST_SETS];
    /** The values of {@link #bound} and of {@link #sets}: draws look at them by index, which allocates nothing. */
    private final List<@Nullable BoundResource[]> boundElements = new ArrayList<>();
    /** What they are bound to. */
    private final List<ShaderBinding> boundBindings = new ArrayList<>();

    private final List<VirtualBindingSet> boundSets = new ArrayList<>();
    private @Nullable VirtualPipeline pipeline;
    /** Grows only; what a dispatch takes is copied. */
    private byte[] pushConstants = new byte[0];

    private int pushedBytes;
    /** The push constants that the last dispatch has taken, null if any were set since. */
    private byte @Nullable [] taken;

    /** What the next dispatch takes, null if anything was bound since the last. */
    private @Nullable Map<String, BoundResource> resources;

    private boolean checked;
    /** Whether the images and samplers that are bound were seen to fit each other. */
    private boolean paired;

    /**
     * Nothing bound yet.
     *
     * @param label of the command list
     * @param mentions takes the objects that draws and dispatches find bound
     * @param layouts layouts of textures
     */
    PipelineBindings(String label, Mentions mentions, PassLayouts layouts) {
        this.label = label;
        this.mentions = mentions;
        this.layouts = layouts;
    }

    void bind(VirtualPipeline next) {
        forget();
        pipeline = next;
    }

    void bind(SlotHandle slot, BoundResource resource) {
        ShaderBinding binding = slot.binding();
        @Nullable BoundResource[] elements = bound.get(binding.name());
        if (elements == null) {
            elements = new BoundResource[binding.count()];
            bound.put(binding.name(), elements);
            boundElements.add(elements);
            boundBindings.add(binding);
        }
        checked &= elements[slot.index()] != null;
        elements[slot.index()] = resource;
        resources = null;
        paired = false;
    }

    /** Forgets everything. */
    void forget() {
        pipeline = null;
        bound.clear();
        boundElements.clear();
        boundBindings.clear();
        Arrays.fill(sets, null);
        boundSets.clear();
        pushedBytes = 0;
        taken = null;
        resources = null;
        checked = false;
        paired = false;
    }

    /** Returns the checks of the bound pipeline's slots. */
    BindingRules rules(String command) {
        return current(command).shaders().rules();
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
                    + "' has '" + gone.name() + "', which is closed; make another set, and close the resource after"
                    + " both");
        }
        if (!current.shaders().slots(set.set()).equals(set.slots())) {
            throw new IllegalArgumentException("bindSet in command list '" + label + "': binding set '" + set.name()
                    + "' does not fit set " + set.set() + " of pipeline '" + current.name()
                    + "'; make it for a pipeline with the same bindings there: " + current.bindings());
        }
        current.shaders().checkRanges(set);
        VirtualBindingSet before = sets[set.set()];
        if (before == set) {
            return;
        }
        checked &= before != null;
        paired = false;
        sets[set.set()] = set;
        boundSets.clear();
        for (VirtualBindingSet each : sets) {
            if (each != null) {
                boundSets.add(each);
            }
        }
        resources = null;
    }

    void pushConstants(ByteBuffer data) {
        VirtualPipeline current = current("pushConstants");
        int bytes = data.remaining();
        if (bytes == 0 || bytes % 4 != 0 || bytes > current.pushConstantBytes()) {
            throw new IllegalArgumentException("pushConstants in command list '" + label + "': pipeline '"
                    + current.name() + "' has " + current.pushConstantBytes() + " bytes of push constants; got "
                    + bytes + ", which must be a multiple of 4 and fit");
        }
        if (pushConstants.length < bytes) {
            pushConstants = Arrays.copyOf(pushConstants, bytes);
        }
        data.get(data.position(), pushConstants, 0, bytes);
        pushedBytes = Math.max(pushedBytes, bytes);
        taken = null;
    }

    /** Returns the graphics pipeline that is bound. */
    VirtualGraphicsPipeline graphics(String command) {
        VirtualPipeline current = current(command);
        if (!(current instanceof VirtualGraphicsPipeline graphics)) {
            throw new IllegalStateException(command + " in command list '" + label + "' needs a graphics pipeline, '"
                    + current.name() + "' is a compute pipeline");
        }
        return graphics;
    }

    /** Returns the compute pipeline that is bound. */
    VirtualComputePipeline compute(String command) {
        VirtualPipeline current = current(command);
        if (!(current instanceof VirtualComputePipeline compute)) {
            throw new IllegalStateException(command + " in command list '" + label + "' needs a compute pipeline, '"
                    + current.name() + "' is a graphics pipeline");
        }
        return compute;
    }

    /** Looks at everything that a draw or dispatch needs, and mentions it. */
    void flush(String command) {
        VirtualPipeline current = current(command);
        requireBindings(command, current);
        requirePushConstants(command, current);
        mention();
    }

    /** Returns a dispatch with what was found by {@link #flush}. */
    Op.Dispatch dispatch(String command, int groupsX, int groupsY, int groupsZ, Op.@Nullable Groups groups) {
        VirtualComputePipeline compute = compute(command);
        Map<String, BoundResource> all = resources;
        if (all == null) {
            all = Map.copyOf(collect(compute));
            resources = all;
        }
        byte[] pushed = taken;
        if (pushed == null) {
            pushed = Arrays.copyOf(pushConstants, pushedBytes);
            taken = pushed;
        }
        return new Op.Dispatch(compute, new DispatchArguments(groupsX, groupsY, groupsZ, all, pushed), groups);
    }

    private Map<String, BoundResource> collect(VirtualPipeline current) {
        Map<String, BoundResource> all = new HashMap<>();
        bound.forEach((name, elements) -> {
            List<BoundResource> list = new ArrayList<>();
            for (BoundResource element : elements) {
                list.add(Objects.requireNonNull(element));
            }
            all.put(name, list.size() == 1 ? list.get(0) : new BoundResource.Elements(list));
        });
        for (ShaderBinding binding : current.bindings()) {
            VirtualBindingSet set = sets[binding.set()];
            if (set != null) {
                all.put(binding.name(), Objects.requireNonNull(set.resources().get(binding.binding())));
            }
        }
        return all;
    }

    private void mention() {
        for (int i = 0; i < boundSets.size(); i++) {
            if (mentions.reports()) {
                report(boundSets.get(i));
            }
            mentions.name(boundSets.get(i));
        }
        for (int i = 0; i < boundElements.size(); i++) {
            for (BoundResource element : boundElements.get(i)) {
                Resource resource = DispatchArguments.resource(Objects.requireNonNull(element));
                if (resource != null) {
                    mentions.bound(
                            (VirtualResource) resource, boundBindings.get(i).written());
                }
            }
        }
    }

    private void report(VirtualBindingSet set) {
        for (ShaderBinding binding : Objects.requireNonNull(pipeline).bindings()) {
            BoundResource bound = binding.set() == set.set() ? set.resources().get(binding.binding()) : null;
            for (BoundResource element : bound == null ? List.<BoundResource>of() : DispatchArguments.elements(bound)) {
                Resource resource = DispatchArguments.resource(element);
                if (resource != null) {
                    mentions.reportBound(resource, binding.written());
                }
            }
        }
    }

    private void requirePushConstants(String command, VirtualPipeline current) {
        if (pushedBytes < current.pushConstantBytes()) {
            throw new IllegalStateException(command + " in command list '" + label + "' of pipeline '" + current.name()
                    + "' needs " + current.pushConstantBytes() + " bytes of push constants, " + pushedBytes
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

    /** Finds an object that was closed since it was bound. */
    private void requireOpen(String command) {
        for (int i = 0; i < boundSets.size(); i++) {
            VirtualBindingSet set = boundSets.get(i);
            if (set.isClosed()) {
                throw closed(command, "binding set '" + set.name() + "'");
            }
            Resource gone = set.firstClosed();
            if (gone != null) {
                throw closed(command, "'" + gone.name() + "' in binding set '" + set.name() + "'");
            }
        }
        for (int i = 0; i < boundElements.size(); i++) {
            for (BoundResource element : boundElements.get(i)) {
                Resource resource = element == null ? null : DispatchArguments.resource(element);
                if (resource != null && resource.isClosed()) {
                    throw closed(command, "'" + resource.name() + "'");
                }
            }
        }
    }

    private IllegalStateException closed(String command, String what) {
        return new IllegalStateException(command + " in command list '" + label + "': " + what
                + " was closed after it was bound; close it when the list was submitted");
    }

    /** Returns the first element of a binding to which nothing is bound, or -1 if there is none. */
    private int firstMissing(ShaderBinding binding) {
        @Nullable BoundResource[] elements = bound.get(binding.name());
        for (int i = 0; i < binding.count(); i++) {
            if (elements == null || elements[i] == null) {
                return i;
            }
        }
        return -1;
    }

    private void requireBindings(String command, VirtualPipeline current) {
        requireOpen(command);
        if (!paired) {
            String clash = current.shaders().pairs().clash(this);
            if (clash != null) {
                throw new IllegalStateException(command + " in command list '" + label + "': " + clash);
            }
            paired = true;
        }
        if (!checked) {
            requireComplete(command, current);
            checked = true;
        }
        requireLayouts(command);
    }

    /** Finds a texture whose layout in the pass does not allow its binding. */
    private void requireLayouts(String command) {
        if (layouts.isEmpty()) {
            return;
        }
        for (int i = 0; i < boundSets.size(); i++) {
            List<BoundResource> elements = boundSets.get(i).elements();
            for (int element = 0; element < elements.size(); element++) {
                requireLayout(command, elements.get(element));
            }
        }
        for (int i = 0; i < boundElements.size(); i++) {
            for (BoundResource element : boundElements.get(i)) {
                requireLayout(command, Objects.requireNonNull(element));
            }
        }
    }

    private void requireLayout(String command, BoundResource resource) {
        if (resource instanceof BoundResource.SampledTexture || resource instanceof BoundResource.SampledImage) {
            Texture texture = DispatchArguments.texture(resource);
            SubresourceRange range = DispatchArguments.range(resource);
            SubresourceRange seen = range.planeCount() == 1 ? range : range.plane(range.basePlane());
            if (layouts.sampled(texture, seen) == null) {
                throw layouts.refusal(command, label, texture, seen, true);
            }
        } else if (resource instanceof BoundResource.StorageTexture storage) {
            Texture texture = storage.view().texture();
            if (layouts.storage(texture, storage.view().range()) == null) {
                throw layouts.refusal(command, label, texture, storage.view().range(), false);
            }
        }
    }

    private String where(String command) {
        return command + " in command list '" + label + "'";
    }

    private void requireComplete(String command, VirtualPipeline current) {
        BindingRules rules = current.shaders().rules();
        for (ShaderBinding binding : current.bindings()) {
            VirtualBindingSet fixed = sets[binding.set()];
            if (fixed != null && bound.containsKey(binding.name())) {
                throw rules.filledTwice(where(command), binding, fixed.name());
            }
            if (fixed == null && firstMissing(binding) >= 0) {
                throw rules.incomplete(
                        where(command),
                        binding.set(),
                        slot -> firstMissing(current.bindings().get(slot)));
            }
        }
    }

    @Override
    public int traits(int slot, int element) {
        return Objects.requireNonNull(pipeline).shaders().pairs().traits(element(slot, element));
    }

    @Override
    public int traits(int slot) {
        int all = 0;
        int count = Objects.requireNonNull(pipeline).bindings().get(slot).count();
        for (int i = 0; i < count; i++) {
            all |= traits(slot, i);
        }
        return all;
    }

    @Override
    public TextureView view(int slot, int element) {
        return PairRules.viewOf(element(slot, element));
    }

    private @Nullable BoundResource element(int slot, int element) {
        ShaderBinding binding = Objects.requireNonNull(pipeline).bindings().get(slot);
        VirtualBindingSet set = sets[binding.set()];
        if (set == null) {
            @Nullable BoundResource[] elements = bound.get(binding.name());
            return elements == null ? null : elements[element];
        }
        BoundResource resource = set.resources().get(binding.binding());
        return resource instanceof BoundResource.Elements array
                ? array.elements().get(element)
                : resource;
    }
}
