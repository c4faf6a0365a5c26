package io.frameloom.rdg.execute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.Extraction;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameSync;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.PassSchedule;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgValidationException;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.compile.PlanCompiler;
import io.frameloom.rdg.declare.ConditionalBody;
import io.frameloom.rdg.declare.DeclarationSite;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.DeclaredGraph.Declared;
import io.frameloom.rdg.declare.DeclaredGraph.Mode;
import io.frameloom.rdg.declare.DeclaredGraph.Pass;
import io.frameloom.rdg.declare.DeclaredGraph.Use;
import io.frameloom.rdg.declare.GraphDeclaration;
import io.frameloom.rdg.declare.Preallocation;
import io.frameloom.rdg.explain.PlanWatch;
import io.frameloom.rdg.explain.UndefinedContents;
import io.frameloom.taskgraph.TaskFailedException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The frames of one graph in immediate mode: each pass is a frame of its own as soon as it is declared. Transients get
 * memory of their own when a pass first uses them, with every usage that their format supports, since later passes are
 * not known. Compiling the graph gives a plan of the rest. It leaves externals as asked for, hands out what is
 * extracted, and runs the passes from the first one on that draws to a swapchain. Only {@link
 * FrameExecutor#execute(FramePlan, FrameSync)} has the image for these. The thread that declares the graph.
 */
public final class ImmediateRun implements GraphDeclaration.Immediate {
    private final GpuDevice device;
    private final FramePipeline pipeline;
    private final Function<CompiledPlan, Frame> execute;
    private final RdgOptions options;
    private final Map<Integer, Resource> made = new HashMap<>();
    private final Map<Integer, TextureLayout> layouts = new HashMap<>();
    private final BitSet written = new BitSet();
    private final IdentityHashMap<BooleanSupplier, BooleanSupplier> conditions = new IdentityHashMap<>();
    private int deferredFrom = -1;
    private boolean over;

    public ImmediateRun(
            GpuDevice device, FramePipeline pipeline, Function<CompiledPlan, Frame> execute, RdgOptions options) {
        this.device = device;
        this.pipeline = pipeline;
        this.execute = execute;
        // Every pass is needed as soon as it is there, and shares no transients. Errors name the graph as it was
        // declared.
        this.options = options.withCullPasses(false)
                .withAliasing(false)
                .withPolicy(options.policy().withSchedule(PassSchedule.PROGRAM));
    }

    /**
     * Runs the last pass of a graph, and waits for it.
     *
     * @throws RdgValidationException if the graph is wrong as far as it goes
     * @throws RdgException if the body of the pass fails
     */
    @Override
    public void run(DeclaredGraph graph) {
        requireOpen(graph);
        boolean done = false;
        try {
            runLast(graph);
            done = true;
        } finally {
            if (!done) {
                close();
            }
        }
    }

    private void requireOpen(DeclaredGraph graph) {
        if (over) {
            throw new RdgException(
                    "graph '" + graph.name() + "' is over: a pass of it failed, or it was executed; begin a new graph");
        }
    }

    private void runLast(DeclaredGraph graph) {
        Pass pass = graph.passes().get(graph.passes().size() - 1);
        validate(graph);
        if (deferredFrom >= 0 || usesSwapchain(graph, pass)) {
            deferredFrom = deferredFrom < 0 ? pass.index() : deferredFrom;
            return;
        }
        List<Declared> resources = new ArrayList<>();
        for (Declared resource : graph.resources()) {
            boolean used = pass.uses().stream().anyMatch(use -> use.resource() == resource.index());
            if (used && resource.extraction() instanceof Preallocation preallocation) {
                preallocation.requireKept();
            }
            resources.add(used ? existing(resource, null, null) : untouched(resource));
        }
        DeclaredGraph alone = new DeclaredGraph(graph.name(), List.of(numbered(pass, 0)), resources, graph.scopes());
        CompiledPlan plan = compile(alone);
        PlanWatch.compiledAlone(plan);
        for (Use use : pass.uses()) {
            layouts.put(use.resource(), plan.resources().get(use.resource()).finalLayout());
        }
        Frame frame = execute.apply(plan);
        for (Use use : pass.uses()) {
            if (frame.writes(use.resource())) {
                written.set(use.resource());
            }
        }
        try {
            pipeline.await(frame);
        } catch (TaskFailedException failure) {
            throw new RdgException(
                    "pass '" + pass.name() + "' of graph '" + graph.name() + "'" + DeclarationSite.suffix(pass.site())
                            + " failed while it was declared (immediate mode)",
                    Objects.requireNonNullElse(failure.getCause(), failure));
        }
    }

    /** A resource that is extracted need not be written as long as the graph goes on. */
    private void validate(DeclaredGraph graph) {
        try {
            requireContents(compile(graph));
        } catch (RdgValidationException refused) {
            List<RdgError> errors = refused.errors().stream()
                    .filter(error -> error.code() != RdgError.Code.EXTRACT_UNWRITTEN)
                    .toList();
            if (!errors.isEmpty()) {
                throw new RdgValidationException(graph.name(), errors);
            }
            List<Declared> kept =
                    graph.resources().stream().map(ImmediateRun::untouched).toList();
            requireContents(compile(new DeclaredGraph(graph.name(), graph.passes(), kept, graph.scopes())));
        }
    }

    private void requireContents(CompiledPlan plan) {
        if (options.diagnostics().validation()) {
            UndefinedContents.refuse(plan);
        }
    }

    /** Returns whether a pass has run that uses a transient, which then has memory. */
    @Override
    public boolean hasMade(int resource) {
        return made.containsKey(resource);
    }

    /**
     * Returns the plan of what is left to do when all passes are declared.
     *
     * @param unwarned resources that may stay unused
     */
    public CompiledPlan rest(DeclaredGraph graph, BitSet unwarned) {
        requireOpen(graph);
        CompiledPlan asDeclared = compile(graph, unwarned);
        List<Declared> resources = new ArrayList<>();
        List<Use> ends = new ArrayList<>();
        for (Declared resource : graph.resources()) {
            if (layouts.containsKey(resource.index())) {
                resources.add(existing(resource, resource.extraction(), resource.finalAccess()));
                if (resource.extraction() != null || resource.finalAccess() != null) {
                    ends.add(end(resource));
                }
            } else {
                resources.add(resource);
            }
        }
        List<Pass> passes = new ArrayList<>();
        if (!ends.isEmpty()) {
            passes.add(endPass(ends));
        }
        int first = deferredFrom < 0 ? graph.passes().size() : deferredFrom;
        for (Pass pass : graph.passes().subList(first, graph.passes().size())) {
            passes.add(numbered(pass, passes.size()));
        }
        CompiledPlan rest =
                new Rest(compile(new DeclaredGraph(graph.name(), passes, resources, graph.scopes())), this, asDeclared);
        PlanWatch.compiled(rest);
        return rest;
    }

    /** The rest of a graph whose passes ran while they were declared. */
    private static final class Rest extends CompiledPlan {
        private final ImmediateRun run;
        private final CompiledPlan asDeclared;

        Rest(CompiledPlan rest, ImmediateRun run, CompiledPlan asDeclared) {
            super(rest.structure(), rest.bindings());
            this.run = run;
            this.asDeclared = asDeclared;
        }

        @Override
        public CompiledPlan asDeclared() {
            return asDeclared;
        }
    }

    /** Returns the run of which a plan is what is left, or null. */
    public static @Nullable ImmediateRun of(FramePlan plan) {
        return plan instanceof Rest rest ? rest.run : null;
    }

    /** Returns whether a pass that was run while it was declared has written a resource. */
    public boolean hasWritten(int resource) {
        return written.get(resource);
    }

    /** Returns whether nothing more is to come of the graph. */
    public boolean isOver() {
        return over;
    }

    /** Gives the transients back when the frame of the rest has settled; what was extracted is the application's. */
    public void executed(CompiledPlan plan, Frame frame) {
        for (Map.Entry<Integer, Resource> each : made.entrySet()) {
            if (plan.resources().get(each.getKey()).extraction() == null) {
                frame.whenSettled(failure -> pipeline.recycle(each.getValue(), frame));
            }
        }
        made.clear();
        over = true;
    }

    /** Gives everything back; no frame uses it any more. A second call does nothing. */
    public void close() {
        made.values().forEach(pipeline::recycle);
        made.clear();
        over = true;
    }

    private CompiledPlan compile(DeclaredGraph graph) {
        return compile(graph, new BitSet(0));
    }

    private CompiledPlan compile(DeclaredGraph graph, BitSet unwarned) {
        return PlanCompiler.compile(graph, unwarned, options, QueueTopology.of(device), MemorySizer.of(device));
    }

    private static boolean usesSwapchain(DeclaredGraph graph, Pass pass) {
        return pass.uses().stream()
                .map(use -> graph.resources().get(use.resource()).external())
                .anyMatch(external -> external instanceof Texture texture && texture.isSwapchainImage());
    }

    /** Returns a resource as an external in the layout in which the former pass has left it. */
    private Declared existing(Declared resource, @Nullable Extraction extraction, @Nullable Access finalAccess) {
        Resource external = resource.external() == null ? materialise(resource) : resource.external();
        return new Declared(
                resource.index(),
                resource.name(),
                external instanceof Texture texture ? texture.description() : null,
                external instanceof Buffer buffer ? buffer.description() : null,
                Lifetime.EXTERNAL,
                external,
                layouts.getOrDefault(resource.index(), resource.initialLayout()),
                finalAccess,
                extraction,
                null,
                true,
                resource.site(),
                resource.sharing());
    }

    /** Returns a resource that the pass does not touch, without what would be done with it at the end of the frame. */
    private static Declared untouched(Declared resource) {
        return new Declared(
                resource.index(),
                resource.name(),
                resource.texture(),
                resource.buffer(),
                resource.lifetime() == Lifetime.EXTRACTED ? Lifetime.TRANSIENT : resource.lifetime(),
                resource.external(),
                resource.initialLayout(),
                null,
                null,
                resource.memory(),
                resource.sharesMemory(),
                resource.site(),
                resource.sharing());
    }

    private Resource materialise(Declared resource) {
        Resource known = made.get(resource.index());
        if (known != null) {
            return known;
        }
        Resource fresh = resource.texture() != null
                ? pipeline.texture(resource.name(), withEveryUsage(resource.texture()))
                : pipeline.buffer(resource.name(), withEveryUsage(resource));
        made.put(resource.index(), fresh);
        return fresh;
    }

    private TextureDescription withEveryUsage(TextureDescription shape) {
        Set<TextureUsage> usage = EnumSet.noneOf(TextureUsage.class);
        usage.addAll(shape.usage());
        for (TextureUsage each : TextureUsage.values()) {
            if (device.formatSupport(shape.format()).supports(each)
                    && each != TextureUsage.TRANSIENT_ATTACHMENT
                    && (shape.samples() == 1 || each != TextureUsage.STORAGE)) {
                usage.add(each);
            }
        }
        return shape.withUsage(usage);
    }

    private static BufferDescription withEveryUsage(Declared resource) {
        BufferDescription shape = resource.buffer();
        if (shape == null) {
            throw new IllegalStateException("'" + resource.name() + "' has no description");
        }
        return shape.withUsage(EnumSet.allOf(BufferUsage.class));
    }

    private static Use end(Declared resource) {
        Access access = resource.finalAccess() == null ? Access.COPY_SRC : resource.finalAccess();
        return new Use(
                resource.index(),
                resource.name(),
                null,
                0,
                -1,
                access,
                access.writes() ? Mode.WRITE : Mode.READ,
                false,
                -1,
                null);
    }

    /** The pass is there for its barriers; it is left out, since it does nothing with what it names. */
    private static Pass endPass(List<Use> uses) {
        return new Pass(
                0,
                "end of immediate mode",
                PassKind.RASTER,
                -1,
                Set.of(PassFlag.NEVER_CULL, PassFlag.SKIP_RENDER_PASS),
                uses,
                List.of(),
                List.of(),
                new ConditionalBody(() -> false, List.of(), null, context -> {}),
                null);
    }

    private Pass numbered(Pass pass, int index) {
        return pass.at(index, List.of()).with(askingOnce(pass.body()));
    }

    /** A condition is asked once per graph, although each pass is a frame. */
    private @Nullable PassBody askingOnce(@Nullable PassBody body) {
        return body instanceof ConditionalBody conditional
                ? conditional.onlyIf(conditions.computeIfAbsent(conditional.condition(), AskedOnce::new))
                : body;
    }

    /** A condition that keeps its first answer. */
    private static final class AskedOnce implements BooleanSupplier {
        private final BooleanSupplier condition;
        private @Nullable Boolean answer;

        private AskedOnce(BooleanSupplier condition) {
            this.condition = condition;
        }

        @Override
        public boolean getAsBoolean() {
            Boolean known = answer;
            if (known == null) {
                known = condition.getAsBoolean();
                answer = known;
            }
            return known;
        }
    }
}
