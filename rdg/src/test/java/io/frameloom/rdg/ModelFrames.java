package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Frames of a model as the compiler plans them and the executor runs them, with some in flight. */
final class ModelFrames implements ModelDeclaration.Surroundings, AutoCloseable {
    /**
     * How long a pass that stops its frame lets batches before its own be submitted; some of them may wait for it, and then it
     * stops the frame before them, which must be as sound.
     */
    private static final long PATIENCE_NANOS = 10_000_000;

    private final ModelDevice device;
    private final FrameExecutor executor;
    private final PlanCase planned;
    private final boolean draws;
    private final Map<String, Resource> externals = new HashMap<>();
    private final Map<String, TextureLayout> layouts = new HashMap<>();
    private final Map<String, RdgHistory<?, ?>> histories = new HashMap<>();
    private final List<TextureExtraction> textures = new ArrayList<>();
    private final List<BufferExtraction> buffers = new ArrayList<>();
    private final Map<Integer, TextureExtraction> lastTextures = new HashMap<>();
    private final Map<Integer, BufferExtraction> lastBuffers = new HashMap<>();
    private final List<FrameHandle> handles = new ArrayList<>();
    private GraphModel current;
    /** The pass that fails, or null; its commands wait for the submissions before its batch, unless these wait for them. */
    private @Nullable String stop;

    private volatile long submittedBefore;

    private ModelFrames(ModelDevice device, FrameExecutor executor, PlanCase planned, boolean draws) {
        this.device = device;
        this.executor = executor;
        this.planned = planned;
        this.draws = draws;
        this.current = planned.model();
    }

    /** Returns what a number of frames leave behind, by resource and unit. */
    static Map<String, String> run(
            ModelDevice device, FrameExecutor executor, PlanCase planned, boolean draws, int frames) {
        try (ModelFrames run = new ModelFrames(device, executor, planned, draws)) {
            run.begin();
            FramePlan plan = run.execute();
            for (int frame = 1; frame < frames; frame++) {
                plan = run.execute();
            }
            run.handles.forEach(handle -> handle.completed().await());
            return run.contents(plan);
        }
    }

    /**
     * Runs frames around one that stops at a pass, mostly between two batches, and does not look at what they leave.
     *
     * @return whether that frame has failed: a pass that is culled or left out stops nothing
     */
    static boolean runAround(String stop, ModelDevice device, FrameExecutor executor, PlanCase planned, boolean draws) {
        try (ModelFrames run = new ModelFrames(device, executor, planned, draws)) {
            run.begin();
            run.execute();
            run.stop = stop;
            run.execute();
            run.stop = null;
            FrameHandle stopped = run.handles.remove(1);
            run.execute();
            run.execute();
            run.handles.forEach(handle -> handle.completed().await());
            return stopped.completed().isFailed();
        }
    }

    private long submitted() {
        return device.gpu.queues().stream()
                .mapToLong(queue -> queue.timeline().submitted())
                .sum();
    }

    private static int batchOf(FramePlan plan, String pass) {
        return plan.batches().stream()
                .filter(batch -> batch.passes().stream()
                        .anyMatch(index -> plan.passes().get(index).name().equals(pass)))
                .mapToInt(FramePlan.Batch::index)
                .findFirst()
                .orElse(0);
    }

    private void stop() {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (submitted() < submittedBefore && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        throw new IllegalStateException("made to fail");
    }

    private void begin() {
        device.run(list -> {
            for (GraphModel.Res res : planned.model().resources()) {
                if (res.lifetime() == Lifetime.EXTERNAL && res.role() != GraphModel.Role.PREVIOUS) {
                    external(list, res);
                }
            }
        });
    }

    private void external(CommandList list, GraphModel.Res res) {
        if (res.texture()) {
            Texture texture = device.texture(res, res.name());
            externals.put(res.name(), texture);
            if (res.hasContents()) {
                device.fill(list, res, texture);
            }
            layouts.put(res.name(), res.initial());
        } else {
            Buffer buffer = device.buffer(res, res.name());
            externals.put(res.name(), buffer);
            device.fill(list, res, buffer);
        }
    }

    private FramePlan execute() {
        lastTextures.clear();
        lastBuffers.clear();
        current = now();
        RenderGraph graph = current.declare(this);
        FramePlan plan = new RenderGraphCompiler(planned.options())
                .compile(graph, QueueTopology.of(device.gpu), MemorySizer.of(device.gpu));
        if (stop != null) {
            submittedBefore = submitted() + batchOf(plan, stop);
        }
        handles.add(executor.execute(plan));
        for (int r = 0; r < current.resources().size(); r++) {
            GraphModel.Res res = current.resources().get(r);
            if (layouts.containsKey(res.name())) {
                layouts.put(res.name(), plan.resources().get(r).finalLayout());
            }
        }
        return plan;
    }

    /** Returns the model as the frames before have left it. */
    private GraphModel now() {
        List<GraphModel.Res> resources = new ArrayList<>();
        for (GraphModel.Res res : planned.model().resources()) {
            resources.add(res.with(layouts.getOrDefault(res.name(), res.initial()), res.finalAccess()));
        }
        GraphModel model =
                new GraphModel(List.copyOf(resources), planned.model().passes());
        for (int p = model.passes().size() - 1; p >= 0; p--) {
            GraphModel.Pass pass = model.passes().get(p);
            RdgHistory<?, ?> history = pass.builtin()
                    ? histories.get(
                            model.resources().get(pass.uses().get(0).resource()).name())
                    : null;
            if (history != null && history.hasContents()) {
                model = model.without(p);
            }
        }
        return model;
    }

    private Map<String, String> contents(FramePlan last) {
        GraphModel model = planned.model();
        boolean[][] written =
                RunnableModels.written(SerialOrder.of(model, planned.options().order()));
        RenderGraph graph = new RenderGraph("contents");
        Map<Integer, Buffer> targets = new TreeMap<>();
        try {
            for (int r = 0; r < model.resources().size(); r++) {
                GraphModel.Res res = model.resources().get(r);
                RdgResource source = source(graph, r, res, last);
                boolean[] units = isSwapped(res) ? written[r + 1] : written[r];
                if (source != null && anyOf(units)) {
                    Buffer target =
                            device.gpu.createBuffer("contents", BufferDescription.readback(ModelContents.bytes(res)));
                    targets.put(r, target);
                    read(graph, res, units, source, target);
                }
            }
            executor.execute(new RenderGraphCompiler(RdgOptions.defaults())
                            .compile(graph, QueueTopology.of(device.gpu), MemorySizer.of(device.gpu)))
                    .completed()
                    .await();
            Map<String, String> all = new TreeMap<>();
            targets.forEach((r, target) -> {
                GraphModel.Res res = model.resources().get(r);
                boolean[] units = isSwapped(res) ? written[r + 1] : written[r];
                all.putAll(ModelContents.of(res, units, ModelDevice.bytes(target)));
            });
            return all;
        } finally {
            targets.values().forEach(Buffer::close);
        }
    }

    /** Returns whether what the passes wrote is now what the next frame reads. */
    private boolean isSwapped(GraphModel.Res res) {
        return res.role() == GraphModel.Role.PREVIOUS
                && Objects.requireNonNull(histories.get(res.name())).hasContents();
    }

    private static boolean anyOf(boolean[] units) {
        boolean any = false;
        for (boolean unit : units) {
            any |= unit;
        }
        return any;
    }

    private @Nullable RdgResource source(RenderGraph graph, int index, GraphModel.Res res, FramePlan last) {
        if (res.role() == GraphModel.Role.CURRENT || res.isStructure() || res.lifetime() == Lifetime.TRANSIENT) {
            return null;
        }
        if (res.role() == GraphModel.Role.PREVIOUS) {
            return res.texture()
                    ? graph.history(textureHistory(res), ModelDeclaration.texture(res, ModelDevice.EXTENT))
                            .previous()
                    : graph.history(bufferHistory(res), ModelDeclaration.buffer(res))
                            .previous();
        }
        if (res.texture()) {
            Texture texture = res.lifetime() == Lifetime.EXTRACTED
                    ? Objects.requireNonNull(lastTextures.get(index)).texture()
                    : texture(res);
            return graph.registerExternal(texture, last.resources().get(index).finalLayout());
        }
        return graph.registerExternal(
                res.lifetime() == Lifetime.EXTRACTED
                        ? Objects.requireNonNull(lastBuffers.get(index)).buffer()
                        : buffer(res));
    }

    private static void read(
            RenderGraph graph, GraphModel.Res res, boolean[] written, RdgResource source, Buffer target) {
        RdgBuffer out = graph.registerExternal(target);
        PassBuilder pass = graph.addPass("contents of " + res.name(), PassKind.COPY)
                .overwrites(out, Access.COPY_DST)
                .flag(PassFlag.READBACK);
        for (int unit = 0; unit < res.units(); unit++) {
            if (written[unit] && source instanceof RdgTexture texture) {
                pass.reads(texture, ModelContents.range(res, unit), Access.COPY_SRC);
            } else if (written[unit]) {
                long offset = (long) unit * GraphModel.UNIT_BYTES;
                pass.reads((RdgBuffer) source, offset, GraphModel.UNIT_BYTES, Access.COPY_SRC);
            }
        }
        pass.record(context -> {
            if (source instanceof RdgTexture texture) {
                ModelContents.copy(context.commands(), res, written, context.texture(texture), context.buffer(out));
            } else {
                ModelContents.copy(
                        context.commands(), res, written, context.buffer((RdgBuffer) source), context.buffer(out));
            }
        });
    }

    @Override
    public Texture texture(GraphModel.Res res) {
        return (Texture) Objects.requireNonNull(externals.get(res.name()));
    }

    @Override
    public Buffer buffer(GraphModel.Res res) {
        return (Buffer) Objects.requireNonNull(externals.get(res.name()));
    }

    @Override
    public TextureHistory textureHistory(GraphModel.Res res) {
        return (TextureHistory) histories.computeIfAbsent(
                res.name(),
                name -> new TextureHistory(device.gpu, name, FakeSurroundings.rest(res), ClearColor.BLACK_TRANSPARENT));
    }

    @Override
    public BufferHistory bufferHistory(GraphModel.Res res) {
        return (BufferHistory) histories.computeIfAbsent(
                res.name(), name -> new BufferHistory(device.gpu, name, FakeSurroundings.rest(res), 0));
    }

    @Override
    public void extracted(int resource, TextureExtraction extraction) {
        textures.add(extraction);
        lastTextures.put(resource, extraction);
    }

    @Override
    public void extracted(int resource, BufferExtraction extraction) {
        buffers.add(extraction);
        lastBuffers.put(resource, extraction);
    }

    @Override
    public int extent() {
        return ModelDevice.EXTENT;
    }

    @Override
    public PassBody body(int pass, List<RdgResource> handles) {
        ModelCommands commands = new ModelCommands(device.commands, current, draws);
        if (current.passes().get(pass).name().equals(stop)) {
            return context -> stop();
        }
        return context -> commands.record(pass, context.commands(), new ModelCommands.Memory() {
            @Override
            public Texture texture(int resource) {
                return context.texture((RdgTexture) handles.get(resource));
            }

            @Override
            public Buffer buffer(int resource) {
                return context.buffer((RdgBuffer) handles.get(resource));
            }
        });
    }

    @Override
    public HostBody hostBody(int pass, List<RdgResource> handles) {
        GraphModel model = current;
        if (current.passes().get(pass).name().equals(stop)) {
            return context -> stop();
        }
        return context -> new ModelHostWork(model).run(pass, new ModelHostWork.Memory() {
            @Override
            public ByteBuffer read(int resource, long offset, int bytes) {
                return context.read(((RdgBuffer) handles.get(resource)).view(offset, bytes));
            }

            @Override
            public ByteBuffer write(int resource, long offset, int bytes) {
                return context.write(((RdgBuffer) handles.get(resource)).view(offset, bytes));
            }
        });
    }

    @Override
    public void close() {
        externals.values().forEach(Resource::close);
        histories.values().forEach(RdgHistory::close);
        textures.forEach(extraction -> extraction.texture().close());
        buffers.forEach(extraction -> extraction.buffer().close());
    }
}
