package io.frameloom.gpu.virtual;

import io.frameloom.gpu.BoundResource;
import io.frameloom.gpu.CpuKernel;
import io.frameloom.gpu.GpuException;
import io.frameloom.gpu.LoadOp;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.RenderingInfo;
import io.frameloom.gpu.ResourceUse;
import io.frameloom.gpu.ShaderBinding;
import io.frameloom.gpu.TextureView;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The work of one pass. Copies, fills, clears and dispatches run one after the other. Draws are simulated together: each
 * declared read is sampled by itself as early as its stages are let through, and what the pass declares to write gets
 * contents derived from the pass, its draws and the samples. A wrong order therefore gives other contents.
 */
final class PassWork {
    private static final int COPY = PipelineStage.COPY.bit();
    private static final int COMPUTE = PipelineStage.COMPUTE_SHADER.bit();
    private static final int COLOR = PipelineStage.COLOR_OUTPUT.bit();
    private static final int DEPTH = PipelineStage.DEPTH_TESTS.bit();
    private static final int OUTSIDE_RASTER =
            COPY | COMPUTE | PipelineStage.HOST.bit() | PipelineStage.DRAW_INDIRECT.bit();

    private final QueueOrder order;
    private final String name;
    private final List<ResourceUse> uses;
    private final long nanos;
    private final boolean declared;
    private @Nullable WorkNode last;
    private boolean drew;
    private long rasterDigest;
    private long rasterCost;

    PassWork(QueueOrder order, String name, List<ResourceUse> uses, long nanos, boolean declared) {
        this.order = order;
        this.name = name;
        this.uses = uses;
        this.nanos = nanos;
        this.declared = declared;
        for (ResourceUse use : uses) {
            if (use.discard() && (use.access().stages() & (COPY | COMPUTE)) != 0) {
                chain("discard", use.access().stages() & (COPY | COMPUTE), 0, () -> Contents.clobber(use));
            }
        }
    }

    void command(Op op) {
        if (op instanceof Op.Render render) {
            render(render);
        } else if (op instanceof Op.Dispatch dispatch) {
            DispatchArguments arguments = dispatch.arguments();
            long groups = (long) arguments.groupsX() * arguments.groupsY() * arguments.groupsZ();
            chain("dispatch", COMPUTE, CostModel.dispatch(groups), () -> dispatch(dispatch.pipeline(), arguments));
        } else if (op instanceof Op.CopyBuffer copy) {
            chain(
                    "copy",
                    COPY,
                    CostModel.copy(copy.bytes()),
                    () -> copy.target()
                            .memory()
                            .copyFrom(
                                    copy.source().memory(),
                                    copy.source().base() + copy.sourceOffset(),
                                    copy.target().base() + copy.targetOffset(),
                                    copy.bytes()));
        } else if (op instanceof Op.CopyToTexture copy) {
            long bytes = copy.target().mipBytes(copy.mip());
            chain(
                    "copy",
                    COPY,
                    CostModel.copy(bytes),
                    () -> copy.target()
                            .memory()
                            .copyFrom(
                                    copy.source().memory(),
                                    copy.source().base() + copy.sourceOffset(),
                                    copy.target().address(copy.mip(), copy.layer(), 0),
                                    bytes));
        } else if (op instanceof Op.CopyToBuffer copy) {
            long bytes = copy.source().mipBytes(copy.mip());
            chain(
                    "copy",
                    COPY,
                    CostModel.copy(bytes),
                    () -> copy.target()
                            .memory()
                            .copyFrom(
                                    copy.source().memory(),
                                    copy.source().address(copy.mip(), copy.layer(), 0),
                                    copy.target().base() + copy.targetOffset(),
                                    bytes));
        } else if (op instanceof Op.CopyTexture copy) {
            long bytes = copy.source().mipBytes(0);
            chain(
                    "copy",
                    COPY,
                    CostModel.copy(bytes),
                    () -> copy.target()
                            .memory()
                            .copyFrom(
                                    copy.source().memory(),
                                    copy.source().address(0, 0, 0),
                                    copy.target().address(0, 0, 0),
                                    bytes));
        } else if (op instanceof Op.Fill fill) {
            byte[] unit = ByteBuffer.allocate(4)
                    .order(ByteOrder.nativeOrder())
                    .putInt(fill.word())
                    .array();
            long start = fill.target().base() + fill.offset();
            chain(
                    "fill",
                    COPY,
                    CostModel.copy(fill.bytes()),
                    () -> fill.target().memory().set(start, fill.bytes(), Pattern.ofUnit(unit, start)));
        } else if (op instanceof Op.Clear clear) {
            chain("clear", COPY, CostModel.copy(1), () -> Contents.clear(clear.target(), clear.range(), clear.color()));
        }
    }

    /** Ends the pass: simulates its draws. */
    void end() {
        if (!drew) {
            return;
        }
        List<ResourceUse> reads = new ArrayList<>();
        List<ResourceUse> writes = new ArrayList<>();
        for (ResourceUse use : uses) {
            if ((use.access().stages() & ~OUTSIDE_RASTER) != 0) {
                (use.access().writes() ? writes : reads).add(use);
            }
        }
        long[] samples = new long[reads.size() * Stages.COUNT];
        List<@Nullable WorkNode> sampled = new ArrayList<>();
        sampled.add(last);
        for (int i = 0; i < reads.size(); i++) {
            ResourceUse use = reads.get(i);
            for (int stage = 0; stage < Stages.COUNT; stage++) {
                int slot = i * Stages.COUNT + stage;
                if ((use.access().stages() & (1 << stage)) != 0) {
                    sampled.add(order.add(
                            label("sample " + use.resource().name()),
                            1 << stage,
                            nanos,
                            0,
                            () -> samples[slot] = Contents.hash(use),
                            last));
                }
            }
        }
        WorkNode[] before = sampled.toArray(new WorkNode[0]);
        long cost = rasterCost;
        long digest = Mix.mix(rasterDigest, name);
        if (writes.isEmpty()) {
            order.add(label("draw"), COLOR, nanos, cost, () -> {}, before);
        }
        for (int i = 0; i < writes.size(); i++) {
            ResourceUse use = writes.get(i);
            long slot = i;
            order.add(
                    label("write " + use.resource().name()),
                    use.access().stages(),
                    nanos,
                    i == 0 ? cost : 0,
                    () -> {
                        long stamp = Mix.mix(Mix.mix(digest, slot), Arrays.hashCode(samples));
                        Contents.simulate(use, use.discard() ? stamp : Mix.mix(stamp, Contents.hash(use)));
                    },
                    before);
        }
    }

    private void render(Op.Render render) {
        RenderingInfo info = render.info();
        if (render.draws() > 0 && declared) {
            drew = true;
            rasterDigest = Mix.mix(rasterDigest, render.digest());
            rasterCost += CostModel.raster(render.draws(), render.vertices(), (long) info.width() * info.height());
            return;
        }
        for (RenderingInfo.ColorAttachment color : info.colors()) {
            attachment(render, color.view(), color.load(), COLOR, color.clear());
        }
        RenderingInfo.DepthAttachment depth = info.depth();
        if (depth != null && !depth.readOnly()) {
            RenderingInfo.ClearColor clear = new RenderingInfo.ClearColor(depth.clearDepth(), 0, 0, 0);
            attachment(render, depth.view(), depth.load(), DEPTH, clear);
        }
    }

    /** A render pass without draws, or without a declaration of what it uses. */
    private void attachment(
            Op.Render render, TextureView view, LoadOp load, int stage, RenderingInfo.ClearColor clear) {
        VirtualTexture texture = (VirtualTexture) view.texture();
        long texels = (long) render.info().width() * render.info().height();
        chain("attachment", stage, CostModel.raster(render.draws(), render.vertices(), texels), () -> {
            if (load == LoadOp.CLEAR) {
                Contents.clear(texture, view.range(), clear);
            } else if (load == LoadOp.DONT_CARE) {
                Contents.clobber(texture, view.range());
            }
            if (render.draws() > 0) {
                long old = Contents.hash(texture, view.range());
                Contents.simulate(texture, view.range(), Mix.mix(Mix.mix(render.digest(), name), old));
            }
        });
    }

    private void dispatch(VirtualComputePipeline pipeline, DispatchArguments arguments) {
        long stamp = Mix.mix(Mix.mix(arguments.digest(), name), pipeline.name());
        for (ShaderBinding binding : pipeline.bindings()) {
            BoundResource bound = arguments.binding(binding.name());
            if (!binding.written() || keepsContents(bound)) {
                stamp = Mix.mix(stamp, DispatchArguments.hash(bound));
            }
        }
        CpuKernel kernel = pipeline.description().kernel();
        if (kernel != null) {
            arguments.prepare();
            try {
                kernel.dispatch(arguments);
            } catch (RuntimeException | Error failure) {
                throw new GpuException(
                        "the CPU kernel of pipeline '" + pipeline.name() + "' failed in pass '" + name + "': "
                                + failure,
                        failure);
            }
        }
        for (ShaderBinding binding : pipeline.bindings()) {
            if (binding.written()) {
                BoundResource bound = arguments.binding(binding.name());
                long own = Mix.mix(stamp, binding.name());
                if (kernel == null) {
                    DispatchArguments.simulated(bound, own);
                } else {
                    DispatchArguments.rewritten(bound, own);
                }
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
        last = order.add(label(what), stages, nanos, cost, action, declared ? last : null);
    }

    private String label(String what) {
        return name + " / " + what;
    }
}
