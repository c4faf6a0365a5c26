package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.record.BindingRules;
import io.frameloom.gpu.record.Mentions;
import io.frameloom.gpu.record.PairRules;
import io.frameloom.gpu.record.PassLayouts;
import io.frameloom.gpu.record.PipelineLimits;
import io.frameloom.gpu.record.SlotHandle;
import io.frameloom.gpu.record.TableRules;
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
    private static final @Nullable BoundResource[][] NOTHING = {};

    private final String label;
    private final Mentions mentions;
    private final PassLayouts layouts;
    /** By slot of the pipeline and element: what is bound by name. */
    private @Nullable BoundResource[][] bound = NOTHING;

    private final @Nullable VirtualBindingSet[] sets = new @Nullable VirtualBindingSet[PipelineLimits.MOST_SETS];
    /** Bit mask of the sets that are bound. */
    private int boundSets;

    /** The table of all pipelines of the command list. */
    private @Nullable VirtualBindlessTable table;

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
     */
    PipelineBindings(String label, Mentions mentions, PassLayouts layouts) {
        this.label = label;
        this.mentions = mentions;
        this.layouts = layouts;
    }

    void bind(VirtualPipeline next) {
        forgetPipeline();
        pipeline = next;
        bound = new BoundResource[next.bindings().size()][];
        for (int slot = 0; slot < bound.length; slot++) {
            bound[slot] = new BoundResource[next.bindings().get(slot).count()];
        }
    }

    void bind(SlotHandle slot, BoundResource resource) {
        @Nullable BoundResource[] elements = bound[slot.place()];
        checked &= elements[slot.index()] != null;
        elements[slot.index()] = resource;
        resources = null;
        paired = false;
    }

    /** Forgets the input attachments, which are those of one render pass. */
    void forgetAttachments() {
        for (int slot = 0; slot < bound.length; slot++) {
            ShaderBinding binding = Objects.requireNonNull(pipeline).bindings().get(slot);
            if (binding.kind() == ShaderBinding.Kind.INPUT_ATTACHMENT) {
                Arrays.fill(bound[slot], null);
            }
        }
        resources = null;
        checked = false;
        paired = false;
    }

    /** Binds a table for this pipeline and the next ones. */
    void table(VirtualBindlessTable next) {
        table = next;
    }

    void forget() {
        table = null;
        forgetPipeline();
    }

    private void forgetPipeline() {
        pipeline = null;
        bound = NOTHING;
        for (int rest = boundSets; rest != 0; rest &= rest - 1) {
            sets[Integer.numberOfTrailingZeros(rest)] = null;
        }
        boundSets = 0;
        pushedBytes = 0;
        taken = null;
        resources = null;
        checked = false;
        paired = false;
    }

    /** Returns the bound pipeline, null if there is none. */
    @Nullable
    VirtualPipeline pipeline() {
        return pipeline;
    }

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
        boundSets |= 1 << set.set();
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
        if (current.tableSet() >= 0) {
            mentions.name(tableOf(command, current));
        }
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
        mention(current);
    }

    /** Returns a dispatch, or with a binding table a trace, with what was found by {@link #flush}. */
    Op.Dispatch dispatch(
            int groupsX,
            int groupsY,
            int groupsZ,
            Op.@Nullable Groups groups,
            @Nullable Condition condition,
            BoundResource.@Nullable BufferRange records) {
        VirtualPipeline current = Objects.requireNonNull(pipeline);
        Map<String, BoundResource> all = resources;
        if (all == null) {
            all = Map.copyOf(collect(current));
            resources = all;
        }
        byte[] pushed = taken;
        if (pushed == null) {
            pushed = Arrays.copyOf(pushConstants, pushedBytes);
            taken = pushed;
        }
        DispatchArguments arguments = new DispatchArguments(groupsX, groupsY, groupsZ, all, pushed);
        TableTakes takes = null;
        if (current.tableSet() >= 0) {
            takes = new TableTakes(Objects.requireNonNull(table), current);
            mentions.takes(takes);
        }
        if (takes != null || condition != null) {
            arguments = new DispatchArguments.Special(arguments, takes, condition);
        }
        return new Op.Dispatch(current, arguments, groups, records);
    }

    private VirtualBindlessTable tableOf(String command, VirtualPipeline current) {
        VirtualBindlessTable bound = table;
        if (bound == null) {
            throw TableRules.unbound(where(command), current.name(), current.tableSet());
        }
        String gone = bound.closedPart();
        if (gone != null) {
            throw closed(command, gone);
        }
        return bound;
    }

    private Map<String, BoundResource> collect(VirtualPipeline current) {
        Map<String, BoundResource> all = new HashMap<>();
        for (int slot = 0; slot < bound.length; slot++) {
            List<BoundResource> elements = new ArrayList<>();
            for (int i = 0; i < bound[slot].length; i++) {
                elements.add(Objects.requireNonNull(element(slot, i)));
            }
            all.put(
                    current.bindings().get(slot).name(),
                    elements.size() == 1 ? elements.get(0) : new BoundResource.Elements(elements));
        }
        return all;
    }

    private void mention(VirtualPipeline current) {
        for (int rest = boundSets; rest != 0; rest &= rest - 1) {
            mentions.name(Objects.requireNonNull(sets[Integer.numberOfTrailingZeros(rest)]));
        }
        for (int slot = 0; slot < bound.length; slot++) {
            ShaderBinding binding = current.bindings().get(slot);
            for (int i = 0; i < bound[slot].length; i++) {
                Resource resource = DispatchArguments.resource(Objects.requireNonNull(element(slot, i)));
                if (resource != null && sets[binding.set()] != null) {
                    mentions.reportBound(resource, binding.written());
                } else if (resource != null) {
                    mentions.bound((VirtualResource) resource, binding.written());
                }
            }
        }
    }

    /** Finds an object that was closed since it was bound. */
    private void requireOpen(String command) {
        for (int rest = boundSets; rest != 0; rest &= rest - 1) {
            String gone = Objects.requireNonNull(sets[Integer.numberOfTrailingZeros(rest)])
                    .closedPart();
            if (gone != null) {
                throw closed(command, gone);
            }
        }
        for (@Nullable BoundResource[] elements : bound) {
            for (BoundResource element : elements) {
                Resource resource = element == null ? null : DispatchArguments.resource(element);
                String gone = resource == null ? null : ((VirtualResource) resource).closedName();
                if (gone != null) {
                    throw closed(command, gone);
                }
            }
        }
    }

    private IllegalStateException closed(String command, String what) {
        return new IllegalStateException(command + " in command list '" + label + "': " + what
                + " was closed after it was bound; close it when the list was submitted");
    }

    /** Returns the first element to which nothing is bound, or -1. */
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
        for (int slot = 0; slot < bound.length; slot++) {
            ShaderBinding.Kind kind =
                    Objects.requireNonNull(pipeline).bindings().get(slot).kind();
            for (int i = 0; i < bound[slot].length; i++) {
                requireLayout(command, kind, Objects.requireNonNull(element(slot, i)));
            }
        }
    }

    private void requireLayout(String command, ShaderBinding.Kind kind, BoundResource resource) {
        if (resource instanceof BoundResource.SampledTexture || resource instanceof BoundResource.SampledImage) {
            Texture texture = DispatchArguments.texture(resource);
            SubresourceRange range = DispatchArguments.range(resource);
            SubresourceRange seen = range.planeCount() == 1 ? range : range.plane(range.basePlane());
            boolean input = kind == ShaderBinding.Kind.INPUT_ATTACHMENT;
            if ((input ? layouts.input(texture, seen) : layouts.sampled(texture, seen)) == null) {
                throw layouts.refusal(command, label, texture, seen, kind);
            }
        } else if (resource instanceof BoundResource.StorageTexture storage) {
            Texture texture = storage.view().texture();
            if (layouts.storage(texture, storage.view().range()) == null) {
                throw layouts.refusal(command, label, texture, storage.view().range(), kind);
            }
        }
    }

    private String where(String command) {
        return command + " in command list '" + label + "'";
    }

    private void requireComplete(String command, VirtualPipeline current) {
        BindingRules rules = current.rules();
        for (int slot = 0; slot < bound.length; slot++) {
            ShaderBinding binding = current.bindings().get(slot);
            VirtualBindingSet fixed = sets[binding.set()];
            for (int i = 0; fixed != null && i < bound[slot].length; i++) {
                if (bound[slot][i] != null) {
                    throw rules.filledTwice(where(command), binding, fixed.name());
                }
            }
            if (fixed == null && firstMissing(bound[slot]) >= 0) {
                throw rules.incomplete(where(command), binding.set(), missing -> firstMissing(bound[missing]));
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
        for (int i = 0; i < bound[slot].length; i++) {
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
            return bound[slot][element];
        }
        BoundResource resource = set.resources().get(binding.binding());
        return resource instanceof BoundResource.Elements array
                ? array.elements().get(element)
                : resource;
    }
}
