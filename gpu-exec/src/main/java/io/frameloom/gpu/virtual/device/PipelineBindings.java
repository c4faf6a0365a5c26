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

    /** Returns the name of the pipeline. */
    String name() {
        return pipeline == null ? "" : pipeline.name();
    }

    void bind(VirtualBindingSet set) {
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
        int bytes = data.remaining();
        if (pushConstants.length < bytes) {
            pushConstants = Arrays.copyOf(pushConstants, bytes);
        }
        data.get(data.position(), pushConstants, 0, bytes);
        pushedBytes = Math.max(pushedBytes, bytes);
        taken = null;
    }

    /** Looks at everything that a draw or dispatch needs, and mentions it. */
    void flush(String command) {
        VirtualPipeline current = Objects.requireNonNull(pipeline);
        requireOpen(command);
        if (!paired) {
            String clash = current.rules().pairs().clash(this);
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
        mention();
    }

    /** Returns a dispatch with what was found by {@link #flush}. */
    Op.Dispatch dispatch(int groupsX, int groupsY, int groupsZ, Op.@Nullable Groups groups) {
        VirtualPipeline.Compute compute = (VirtualPipeline.Compute) Objects.requireNonNull(pipeline);
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

    private static int firstMissing(@Nullable BoundResource[] elements) {
        for (int i = 0; i < elements.length; i++) {
            if (elements[i] == null) {
                return i;
            }
        }
        return -1;
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

    private void requireComplete(String command, VirtualPipeline current) {
        for (ShaderBinding binding : current.bindings()) {
            boolean byName = bound.containsKey(binding.name());
            boolean bySet = sets[binding.set()] != null;
            if (!byName && !bySet) {
                throw new IllegalStateException(command + " in command list '" + label + "': pipeline '"
                        + current.name() + "' still needs " + BindingRules.describe(binding) + "; bind it before");
            }
            @Nullable BoundResource[] elements = bound.get(binding.name());
            int missing = elements == null ? -1 : firstMissing(elements);
            if (missing >= 0) {
                throw new IllegalStateException(command + " in command list '" + label + "': pipeline '"
                        + current.name() + "' still needs " + BindingRules.describe(binding)
                        + (binding.count() > 1 ? " element " + missing : "") + "; bind it before");
            }
            if (byName && bySet) {
                throw new IllegalStateException("binding '" + binding.name() + "' of pipeline '" + current.name()
                        + "' in command list '" + label + "' is bound by name and by set " + binding.set());
            }
        }
    }

    @Override
    public int traits(int slot, int element) {
        return Objects.requireNonNull(pipeline).rules().pairs().traits(element(slot, element));
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
