package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.record.Closings;
import io.frameloom.gpu.record.Mentions;
import io.frameloom.gpu.record.PairRules;
import io.frameloom.gpu.record.PassLayouts;
import io.frameloom.gpu.record.PipelineLimits;
import io.frameloom.gpu.record.SlotHandle;
import io.frameloom.gpu.record.TableRules;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.vulkan.driver.CommandScratch;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.resource.VulkanAccelerationStructure;
import io.frameloom.gpu.vulkan.resource.VulkanBuffer;
import io.frameloom.gpu.vulkan.resource.VulkanTexture;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;

/**
 * Turns the bindings of a command list into descriptor sets, at the draw or dispatch that needs them. Bindings by name
 * take the set of their contents from {@link SetSupply}. So does a binding set if the pass has one of its textures in
 * another layout than it was written for. What a pipeline pushes has no set. One thread at a time.
 */
public final class DescriptorBinder implements PairRules.Bound, AutoCloseable {
    /** As many as a mask of them holds. */
    static final int MAX_SETS = PipelineLimits.MOST_SETS;

    private final DeviceCore core;
    private final BindingValues values;
    /** For binding sets that are written anew; made when there is one. */
    private @Nullable BindingValues rewritten;

    private final CommandScratch scratch;
    private final SetSupply supply;
    private final SamplerUses samplers = new SamplerUses();
    private final Closings closings;
    private final @Nullable VulkanBindingSet[] prepared = new @Nullable VulkanBindingSet[MAX_SETS];
    /** By set: the binding set that was last found to be written in the layouts of the pass. */
    private final @Nullable VulkanBindingSet[] agreed = new @Nullable VulkanBindingSet[MAX_SETS];

    /** Whether there is any. */
    private boolean anyAgreed;

    /** By set: what was bound last in this round. */
    private final @Nullable KeptSet[] last = new @Nullable KeptSet[MAX_SETS];

    /** The table of all pipelines of the command list. */
    private @Nullable VulkanBindlessTable table;

    private @Nullable PipelineInterface pipeline;
    /** Bit mask of the sets whose bind command is due. */
    private int due;
    /** The number of closings up to which nothing bound was closed. */
    private long open;
    /** Bit mask of the sets whose textures may be in other layouts than when they were bound. */
    private int stale;

    public DescriptorBinder(DeviceCore core, SetSupply supply, CommandScratch scratch) {
        this.core = core;
        this.closings = core.closings();
        this.values = new BindingValues(core);
        this.scratch = scratch;
        this.supply = supply;
    }

    /** Forgets everything, for a new command list. */
    public void begin() {
        table = null;
        bind(null);
        forgetAgreed();
    }

    /** Notes that another pass declares the layouts; bound objects are to be mentioned for it as well. */
    public void layoutsChanged() {
        forgetAgreed();
        PipelineInterface current = pipeline;
        if (current != null) {
            stale = current.textureSets();
            due = current.filledSets();
        }
    }

    private void forgetAgreed() {
        if (anyAgreed) {
            Arrays.fill(agreed, null);
            anyAgreed = false;
        }
    }

    /** Forgets the sets of a round that ends, and the samplers that were bound in it. */
    public void endRound() {
        Arrays.fill(last, null);
        forgetAgreed();
        if (rewritten != null) {
            rewritten.reset(null, samplers);
        }
        samplers.release();
    }

    /** Forgets the bindings and takes another pipeline. */
    public void bind(@Nullable PipelineInterface next) {
        Arrays.fill(prepared, 0, pipeline == null ? 0 : pipeline.setCount(), null);
        pipeline = next;
        values.reset(next, samplers);
        due = next == null ? 0 : next.filledSets();
        open = closings.count();
        stale = 0;
    }

    public void texture(SlotHandle slot, TextureView view, @Nullable Sampler sampler, PassLayouts layouts) {
        due |= values.texture(slot, view, sampler, layouts);
    }

    /** Forgets the input attachments, which are those of one render pass. */
    public void forgetAttachments() {
        due |= values.forgetAttachments();
    }

    public void sampler(SlotHandle slot, Sampler sampler) {
        due |= values.sampler(slot, sampler);
    }

    public void storageTexture(SlotHandle slot, TextureView view, PassLayouts layouts) {
        due |= values.storageTexture(slot, view, layouts);
    }

    public void buffer(SlotHandle slot, VulkanBuffer buffer, long offset, long bytes) {
        due |= values.buffer(slot, buffer, offset, bytes);
    }

    public void structure(SlotHandle slot, VulkanAccelerationStructure structure) {
        due |= values.structure(slot, structure);
    }

    public void table(VulkanBindlessTable next) {
        if (table != next) {
            table = next;
            PipelineInterface current = pipeline;
            due |= current == null || current.tableSet() < 0 ? 0 : 1 << current.tableSet();
        }
    }

    public void set(VulkanBindingSet set) {
        if (prepared[set.set()] != set) {
            prepared[set.set()] = set;
            due |= 1 << set.set();
        }
    }

    /**
     * Binds the sets that are due.
     *
     * @param mentions takes the objects that the sets name
     * @param command names the draw or dispatch for messages
     */
    public void flush(VkCommandBuffer commands, Mentions mentions, PassLayouts layouts, String list, String command) {
        PipelineInterface current = pipeline;
        if (current == null) {
            return;
        }
        long closed = closings.count();
        if (closed != open) {
            requireOpen(current, list, command);
            open = closed;
        }
        if ((due & current.rules().pairs().sets()) != 0) {
            String clash = current.rules().pairs().clash(this);
            if (clash != null) {
                throw new IllegalStateException(command + " in command list '" + list + "': " + clash);
            }
        }
        for (int rest = due; rest != 0; rest &= rest - 1) {
            int set = Integer.numberOfTrailingZeros(rest);
            if (set == current.rules().pushedSet()) {
                requireUsable(current, set, mentions, layouts, list, command);
                values.push(commands, set, mentions);
            } else {
                bind(commands, current, set, handleOf(current, set, mentions, layouts, list, command));
            }
        }
        due = 0;
    }

    /** Finds an object that was closed since it was bound. */
    private void requireOpen(PipelineInterface current, String list, String command) {
        String ofTable = table == null || current.tableSet() < 0 ? null : table.closedPart();
        if (ofTable != null) {
            throw closed(command, list, ofTable);
        }
        for (int set = 0; set < current.setCount(); set++) {
            VulkanBindingSet fixed = prepared[set];
            String gone = fixed == null ? null : fixed.closedPart();
            if (gone != null) {
                throw closed(command, list, gone);
            }
            String named = values.closedName(set);
            if (named != null) {
                throw closed(command, list, named);
            }
        }
    }

    private void mention(int set, VulkanBindingSet fixed, Mentions mentions) {
        if (mentions.reports()) {
            values.report(set, fixed.written(), mentions);
        }
        mentions.name(fixed);
    }

    private static String where(String list, String command) {
        return command + " in command list '" + list + "'";
    }

    private long handleOf(
            PipelineInterface current, int set, Mentions mentions, PassLayouts layouts, String list, String command) {
        if (set == current.tableSet()) {
            return tableOf(current, mentions, list, command);
        }
        VulkanBindingSet fixed = prepared[set];
        if (fixed != null) {
            int named = values.firstBound(set);
            if (named >= 0) {
                throw current.rules()
                        .filledTwice(where(list, command), current.bindings().get(named), fixed.name());
            }
            if (agreed[set] != fixed && !fixed.written().isIn(layouts)) {
                BindingValues again = again(current);
                again.take(set, fixed.written());
                again.resolve(set, layouts, list, command);
                mention(set, fixed, mentions);
                return kept(current, set, again).handle();
            }
            agreed[set] = fixed;
            anyAgreed = true;
            mention(set, fixed, mentions);
            return fixed.handle();
        }
        requireUsable(current, set, mentions, layouts, list, command);
        KeptSet named = kept(current, set, values);
        mentions.name(named);
        return named.handle();
    }

    /** Throws unless all of a set is bound by name or slot, in layouts of the pass; reports it. */
    private void requireUsable(
            PipelineInterface current, int set, Mentions mentions, PassLayouts layouts, String list, String command) {
        if (!values.isComplete(set)) {
            throw current.rules().incomplete(where(list, command), set, values::firstMissing);
        }
        if ((stale >> set & 1) != 0 || values.isRefused(set)) {
            values.resolve(set, layouts, list, command);
            stale &= ~(1 << set);
        }
        if (mentions.reports()) {
            values.report(set, mentions);
        }
    }

    private long tableOf(PipelineInterface current, Mentions mentions, String list, String command) {
        VulkanBindlessTable bound = table;
        if (bound == null) {
            throw TableRules.unbound(where(list, command), current.rules().pipeline(), current.tableSet());
        }
        mentions.name(bound);
        return bound.handle();
    }

    @Override
    public int traits(int slot, int element) {
        VulkanBindingSet fixed = prepared[current().setOf(slot)];
        return fixed == null
                ? values.traits(slot, element)
                : fixed.written().traits(current().rules().pairs(), inSet(slot, element));
    }

    @Override
    public int traits(int slot) {
        int set = current().setOf(slot);
        VulkanBindingSet fixed = prepared[set];
        return fixed == null
                ? values.traits(slot)
                : fixed.written().traits(slot - current().setStart(set));
    }

    @Override
    public TextureView view(int slot, int element) {
        VulkanBindingSet fixed = prepared[current().setOf(slot)];
        VulkanTexture.View view = fixed == null
                ? values.view(current().elementStart(slot) + element)
                : fixed.written().views()[inSet(slot, element)];
        return Objects.requireNonNull(view);
    }

    private int inSet(int slot, int element) {
        PipelineInterface layout = current();
        return layout.elementStart(slot) - layout.elementOfSet(layout.setOf(slot)) + element;
    }

    private PipelineInterface current() {
        return Objects.requireNonNull(pipeline);
    }

    private BindingValues again(PipelineInterface current) {
        BindingValues again = rewritten;
        if (again == null) {
            again = new BindingValues(core);
            rewritten = again;
        }
        again.reset(current, samplers);
        return again;
    }

    private KeptSet kept(PipelineInterface current, int set, BindingValues contents) {
        KeptSet same = last[set];
        if (same == null || !same.has(current.setLayout(set), contents, set)) {
            same = supply.get(current, set, contents);
            last[set] = same;
        }
        return same;
    }

    private static IllegalStateException closed(String command, String list, String what) {
        return new IllegalStateException(command + " in command list '" + list + "': " + what
                + " was closed after it was bound; close it when the list was submitted");
    }

    private void bind(VkCommandBuffer commands, PipelineInterface current, int set, long handle) {
        long sets = scratch.unset(Long.BYTES);
        MemoryUtil.memPutLong(sets, handle);
        VK13.nvkCmdBindDescriptorSets(
                commands, current.bindPoint(), current.layout(), set, 1, sets, 0, MemoryUtil.NULL);
    }

    @Override
    public void close() {
        samplers.release();
        values.close();
        if (rewritten != null) {
            rewritten.close();
        }
    }
}
