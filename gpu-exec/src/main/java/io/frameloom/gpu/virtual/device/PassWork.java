package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.device.StageScopes;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.record.TraceRules;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.virtual.memory.CostModel;
import io.frameloom.gpu.virtual.memory.Mix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The work of one pass. Copies, fills, clears and dispatches run one after the other. The draws up to a barrier or the
 * end are simulated together. Each declared read is sampled by itself as soon as its stages are let through. Each
 * declared write gets contents derived from the pass, its draws and the samples. So a wrong order gives other contents.
 */
final class PassWork {
    private static final int COPY = PipelineStage.COPY.bit();
    private static final int COLOR = PipelineStage.COLOR_OUTPUT.bit();
    private static final int DEPTH = PipelineStage.DEPTH_TESTS.bit();
    private static final int INDIRECT = PipelineStage.DRAW_INDIRECT.bit();
    /** Stages whose commands use resources one after the other. */
    private static final int ONE_BY_ONE = COPY
            | PipelineStage.mask(
                    PipelineStage.COMPUTE_SHADER,
                    PipelineStage.ACCELERATION_STRUCTURE_BUILD,
                    PipelineStage.RAY_TRACING_SHADER);

    private static final int OUTSIDE_RASTER = ONE_BY_ONE | PipelineStage.HOST.bit();

    private final QueueOrder order;
    private final String name;
    private final List<ResourceUse> uses;
    private final long nanos;
    /** What the queue reaches when the submission is done. */
    private final long value;

    private final boolean declared;
    private final VirtualMarks.Work marked;
    private @Nullable WorkNode last;
    private boolean drew;
    /** What the newest of the draws' render passes leave in their attachments. */
    private final List<Attached> stored = new ArrayList<>();

    /** What any of the draws' render passes may write. */
    private final List<Attached> drawn = new ArrayList<>();

    /** What the draws read of their attachments. */
    private final List<Attached> read = new ArrayList<>();

    /** Attachments that the pass discards and no render pass without draws has begun with. */
    private final List<ResourceUse> discarded = new ArrayList<>();
    /** Whether a barrier divides the pass. */
    private boolean divided;
    /** Contents that draws before a barrier have written, which those after it do not discard. */
    private final Set<ResourceUse> written = new HashSet<>();

    /** The render pass of the draws if there are conditions in it: it is simulated by itself. */
    private Op.@Nullable Render conditional;

    private long rasterDigest;
    private long rasterCost;

    PassWork(
            QueueOrder order,
            String name,
            List<ResourceUse> uses,
            long nanos,
            long value,
            boolean declared,
            VirtualMarks.Work marked) {
        this.order = order;
        this.name = name;
        this.uses = uses;
        this.nanos = nanos;
        this.value = value;
        this.declared = declared;
        this.marked = marked;
        for (ResourceUse use : uses) {
            if (use.discard() && (use.access().stages() & ONE_BY_ONE) != 0) {
                chain("discard", use.access().stages() & ONE_BY_ONE, 0, () -> Contents.clobber(use));
            }
            if (use.discard() && isAttachment(use)) {
                discarded.add(use);
            }
        }
    }

    void command(Op op) {
        if (op instanceof Op.Render render) {
            render(render);
        } else if (op instanceof Op.Dispatch dispatch) {
            command(dispatch);
        } else if (op instanceof Op.ReadCondition read) {
            Condition condition = read.condition();
            condition.readBy(order.add(
                    label("condition"), INDIRECT, nanos, 0, marked.piece(condition::read), declared ? last : null));
        } else if (op instanceof Op.Transfer transfer) {
            chain(transfer.what(), transfer.stage(), transfer.cost(), transfer.action());
        }
    }

    private void command(Op.Dispatch dispatch) {
        DispatchArguments arguments = dispatch.arguments();
        Op.Groups groups = dispatch.groups();
        Condition condition = arguments.condition();
        WorkNode decided = condition == null ? null : condition.reading();
        if (groups == null) {
            last = order.add(
                    label(dispatch.what()),
                    dispatch.stage(),
                    nanos,
                    CostModel.dispatch(arguments.groups()),
                    marked.piece(() -> {
                        if (dispatch.isDone()) {
                            dispatch(dispatch, arguments);
                        }
                    }),
                    declared ? last : null,
                    decided);
            return;
        }
        // The arguments are read in a stage of their own, which another barrier may let through earlier.
        DispatchArguments[] known = new DispatchArguments[1];
        VirtualBuffer buffer = groups.buffer();
        WorkNode read = order.add(
                label("arguments"),
                INDIRECT,
                nanos,
                0,
                marked.piece(
                        () -> known[0] = dispatch.isDone() ? groupsOf(dispatch, buffer, groups.offset()) : arguments),
                declared ? last : null,
                decided);
        last = order.add(
                label(dispatch.what()),
                dispatch.stage(),
                nanos,
                CostModel.dispatch(1),
                marked.piece(() -> dispatch(dispatch, known[0])),
                declared ? last : null,
                read);
    }

    /** A number above the device's limit loses the device: the result would be undefined. */
    private DispatchArguments groupsOf(Op.Dispatch dispatch, VirtualBuffer buffer, long offset) {
        DispatchArguments read =
                dispatch.arguments().withGroups(buffer.memory().access(buffer.base() + offset, 3 * Integer.BYTES));
        DeviceLimits limits = buffer.device().capabilities().limits();
        if (dispatch.table() != null && !TraceRules.fits(limits, read.groupsX(), read.groupsY(), read.groupsZ())) {
            throw new GpuException("pass '" + name + "' traces indirectly " + read.groupsX() + "x" + read.groupsY()
                    + "x" + read.groupsZ() + " rays, read from buffer '" + buffer.name() + "' at " + offset + "; "
                    + TraceRules.allowed(limits) + ": are the arguments written, and does a barrier follow?");
        }
        DeviceLimits.Groups most = limits.compute().maxGroups();
        if (dispatch.table() == null && !read.isWithin(most)) {
            throw new GpuException("pass '" + name + "' dispatches indirectly " + read.groupsX() + "x" + read.groupsY()
                    + "x" + read.groupsZ() + " workgroups, read from buffer '" + buffer.name() + "' at " + offset
                    + "; the device takes 0 to " + most.x() + "x" + most.y() + "x" + most.z()
                    + ": are the arguments written, and does a barrier follow?");
        }
        return read;
    }

    /** Takes a timestamp after the draws so far: their time passes now, though they are simulated later. */
    void spend() {
        if (rasterCost > 0) {
            order.add(label("draw"), COLOR, nanos, rasterCost, marked.piece(() -> {}), last);
            rasterCost = 0;
        }
    }

    /** Takes a barrier, which comes after the draws so far. */
    void divide() {
        divided = true;
        draw();
    }

    void end(int mark) {
        draw();
        marked.end(mark);
    }

    /** Simulates the draws that were not simulated yet. */
    private void draw() {
        if (!drew) {
            return;
        }
        // The work of these draws runs after the next ones have reset this state.
        List<Attached> areas = List.copyOf(drawn);
        List<Attached> settled = List.copyOf(stored);
        List<ResourceUse> reads = new ArrayList<>();
        List<ResourceUse> writes = new ArrayList<>();
        for (ResourceUse use : uses) {
            if ((use.access().stages() & ~OUTSIDE_RASTER) != 0 && !isOfOtherDraws(use) && !isUnread(use)) {
                (use.access().writes() ? writes : reads).add(use);
            }
        }
        long[] samples = new long[reads.size() * StageScopes.COUNT];
        List<@Nullable WorkNode> sampled = new ArrayList<>();
        sampled.add(last);
        for (int i = 0; i < reads.size(); i++) {
            ResourceUse use = reads.get(i);
            for (int stage = 0; stage < StageScopes.COUNT; stage++) {
                int slot = i * StageScopes.COUNT + stage;
                if ((use.access().stages() & (1 << stage)) != 0) {
                    sampled.add(order.add(
                            label("sample " + use.resource().name()),
                            1 << stage,
                            nanos,
                            0,
                            marked.piece(() -> samples[slot] = Contents.hash(use)),
                            last));
                }
            }
        }
        WorkNode[] before = sampled.toArray(new WorkNode[0]);
        long cost = rasterCost;
        Op.Render deciding = conditional;
        if (deciding != null) {
            before = new WorkNode[] {withoutDraws(deciding, before)};
        }
        long sum = rasterDigest;
        if (writes.isEmpty()) {
            order.add(label("draw"), COLOR, nanos, cost, marked.piece(() -> {}), before);
        }
        for (int i = 0; i < writes.size(); i++) {
            ResourceUse use = writes.get(i);
            long slot = i;
            boolean discards = written.add(use) && use.discard();
            discarded.remove(use);
            order.add(
                    label("write " + use.resource().name()),
                    use.access().stages(),
                    nanos,
                    i == 0 ? cost : 0,
                    marked.piece(() -> {
                        Op.Render done = deciding == null ? null : deciding.settled();
                        if (done != null && done.draws() == 0) {
                            return;
                        }
                        long digest = Mix.mix(done == null ? sum : Mix.mix(sum, done.digest()), name);
                        long stamp = Mix.mix(Mix.mix(digest, slot), Arrays.hashCode(samples));
                        draw(use, areas, discards, discards ? stamp : Mix.mix(stamp, Contents.hash(use)));
                        settle(use, settled);
                    }),
                    before);
        }
        drew = false;
        conditional = null;
        drawn.clear();
        read.clear();
        stored.clear();
        rasterDigest = 0;
        rasterCost = 0;
    }

    /** Adds what a render pass does if its conditions let it draw nothing; returns the work after which it draws. */
    private WorkNode withoutDraws(Op.Render render, @Nullable WorkNode... before) {
        List<WorkNode> all = new ArrayList<>(Arrays.asList(before));
        render.conditional().forEach(draw -> all.add(draw.condition().reading()));
        List<ResourceUse> undefined = begun(render.info());
        return order.add(
                label("attachment"),
                stages(render.info()),
                nanos,
                0,
                marked.piece(() -> {
                    Op.Render settled = render.settled();
                    if (settled.draws() == 0) {
                        undefined.forEach(Contents::clobber);
                        withoutDeclaration(settled);
                    }
                }),
                all.toArray(new WorkNode[0]));
    }

    private static int stages(RenderingInfo info) {
        int stages =
                (info.colors().isEmpty() ? 0 : COLOR) | (info.depth() == null && info.stencil() == null ? 0 : DEPTH);
        return stages == 0 ? COLOR : stages;
    }

    /** Returns whether an attachment is used only on the other side of a barrier. */
    private boolean isOfOtherDraws(ResourceUse use) {
        return divided && isAttachment(use) && drawn.stream().noneMatch(area -> area.isOf(use));
    }

    /** Returns whether it reads an attachment that the draws do not read: others of the render pass do. */
    private boolean isUnread(ResourceUse use) {
        return use.access() == Access.INPUT_ATTACHMENT && read.stream().noneMatch(area -> area.isOf(use));
    }

    private static boolean isAttachment(ResourceUse use) {
        return use.access().layout() == TextureLayout.COLOR || use.access().layout() == TextureLayout.DEPTH;
    }

    /** Texels outside of the render areas stay; a use that is no attachment is written as a whole. */
    private static void draw(ResourceUse use, List<Attached> drawn, boolean discards, long stamp) {
        List<Attached> areas = drawn.stream()
                .filter(area -> isAttachment(use) && area.isOf(use))
                .toList();
        if (discards || areas.stream().noneMatch(Attached::isPartial)) {
            Contents.simulate(use, stamp);
        } else {
            areas.forEach(area -> area.simulate(stamp));
        }
    }

    private static void settle(ResourceUse written, List<Attached> stored) {
        for (Attached attachment : stored) {
            if (attachment.texture() == written.resource()) {
                attachment.settle();
            }
        }
    }

    private void render(Op.Render render) {
        RenderingInfo info = render.info();
        boolean decided = !render.conditional().isEmpty();
        if ((render.draws() > 0 || decided) && declared) {
            if (decided) {
                divide();
                conditional = render;
            }
            drew = true;
            List<Attached> now = Attached.stored(info);
            stored.removeIf(before -> now.stream().anyMatch(before::overlaps));
            stored.addAll(now);
            drawn.addAll(now);
            read.addAll(Attached.read(info));
            rasterDigest = Mix.mix(rasterDigest, render.digest());
            rasterCost = CostModel.sum(rasterCost, cost(render));
            if (decided) {
                divide();
            }
            return;
        }
        List<ResourceUse> undefined = begun(info);
        List<@Nullable WorkNode> before = new ArrayList<>();
        before.add(declared ? last : null);
        render.conditional().forEach(draw -> before.add(draw.condition().reading()));
        last = order.add(
                label("attachment"),
                stages(info),
                nanos,
                cost(render),
                marked.piece(() -> {
                    undefined.forEach(Contents::clobber);
                    withoutDeclaration(render.settled());
                }),
                before.toArray(new WorkNode[0]));
    }

    private static long cost(Op.Render render) {
        long vertices = render.vertices();
        for (Op.ConditionalDraw draw : render.conditional()) {
            vertices = CostModel.sum(vertices, draw.vertices());
        }
        long texels = (long) render.info().width() * render.info().height();
        return CostModel.raster(render.draws() + render.conditional().size(), vertices, texels);
    }

    /** Returns the undefined part outside of the render area: attachments that are discarded and have not begun. */
    private List<ResourceUse> begun(RenderingInfo info) {
        List<Attached> attached = Attached.stored(info);
        List<ResourceUse> now = discarded.stream()
                .filter(use -> attached.stream().anyMatch(attachment -> attachment.isOf(use)))
                .toList();
        discarded.removeAll(now);
        return now;
    }

    /** A render pass without draws, or without a declaration of what it uses. */
    private void withoutDeclaration(Op.Render render) {
        List<Attached> written = Attached.written(render.info());
        written.forEach(Attached::load);
        render.clears().forEach(Runnable::run);
        if (render.draws() > 0) {
            written.forEach(attached -> attached.simulateOver(Mix.mix(render.digest(), name)));
        }
        Attached.resolve(render.info());
        Attached.stored(render.info()).forEach(Attached::settle);
    }

    private void dispatch(Op.Dispatch dispatch, DispatchArguments arguments) {
        if (arguments.groups() == 0) {
            return;
        }
        VirtualPipeline pipeline = dispatch.pipeline();
        long stamp = Mix.mix(Mix.mix(arguments.digest(), name), pipeline.name());
        BoundResource table = dispatch.table();
        if (table != null) {
            stamp = Mix.mix(stamp, DispatchArguments.hash(table));
        }
        for (ShaderBinding binding : pipeline.bindings()) {
            for (BoundResource bound : arguments.elements(binding.name())) {
                if (!binding.written() || keepsContents(bound)) {
                    stamp = Mix.mix(stamp, DispatchArguments.hash(bound));
                }
            }
        }
        CpuKernel kernel = pipeline.kernel();
        TableTakes takes = arguments.takes();
        if (kernel != null) {
            arguments.prepare();
            if (takes != null) {
                takes.begin(order.queue(), value);
            }
            try {
                kernel.dispatch(new KernelInvocation(arguments, pipeline.bindings(), takes));
            } catch (Throwable failure) {
                throw new GpuException(
                        "the CPU kernel of pipeline '" + pipeline.name() + "' failed in pass '" + name + "': "
                                + failure,
                        failure);
            }
            if (takes != null) {
                takes.rewritten(stamp);
            }
        } else if (takes != null) {
            throughTable(dispatch.stage(), stamp);
        }
        for (ShaderBinding binding : pipeline.bindings()) {
            if (binding.written()) {
                long own = Mix.mix(stamp, binding.name());
                for (BoundResource bound : arguments.elements(binding.name())) {
                    own = Mix.mix(own, 1);
                    if (kernel == null) {
                        DispatchArguments.simulated(bound, own);
                    } else {
                        DispatchArguments.rewritten(bound, own);
                    }
                }
            }
        }
    }

    /** Simulates what a shader does through a table, of which only the declaration of the pass is known. */
    private void throughTable(int stage, long digest) {
        long stamp = digest;
        for (ResourceUse use : uses) {
            if ((use.access().stages() & stage) != 0 && use.access().reads() && !use.discard()) {
                stamp = Mix.mix(stamp, Contents.hash(use));
            }
        }
        for (ResourceUse use : uses) {
            if ((use.access().stages() & stage) != 0 && use.access().writes()) {
                stamp = Mix.mix(stamp, 1);
                Contents.simulate(use, stamp);
            }
        }
    }

    private boolean keepsContents(BoundResource bound) {
        for (ResourceUse use : uses) {
            if (use.resource() == DispatchArguments.resource(bound) && use.discard()) {
                return false;
            }
        }
        return true;
    }

    private void chain(String what, int stages, long cost, WorkNode.Action action) {
        last = order.add(label(what), stages, nanos, cost, marked.piece(action), declared ? last : null);
    }

    private String label(String what) {
        return name + " / " + what;
    }
}
