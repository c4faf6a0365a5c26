package io.frameloom.rdg.execute;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameSync;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.MemorySizer;
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
import io.frameloom.rdg.declare.AccessUsage;
import io.frameloom.rdg.declare.BoundFrame;
import io.frameloom.rdg.declare.ConditionalPass;
import io.frameloom.rdg.declare.DeclarationSite;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.GraphDeclaration;
import io.frameloom.rdg.declare.Mode;
import io.frameloom.rdg.explain.PlanWatch;
import io.frameloom.rdg.explain.UndefinedContents;
import io.frameloom.taskgraph.TaskFailedException;
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
    public void run(DeclaredGraph graph, BoundFrame bound) {
        requireOpen(graph);
        boolean done = false;
        try {
            runLast(graph, bound);
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

    private void runLast(DeclaredGraph graph, BoundFrame bound) {
        int pass = graph.passes() - 1;
        validate(graph, bound);
        if (deferredFrom >= 0 || usesSwapchain(graph, bound, pass)) {
            deferredFrom = deferredFrom < 0 ? pass : deferredFrom;
            return;
        }
        BitSet used = new BitSet();
        for (int use = graph.firstUse(pass); use < graph.firstUse(pass + 1); use++) {
            used.set(graph.resource(use));
        }
        DeclaredGraph alone = graph.withScopes();
        BoundFrame ofPass = new BoundFrame();
        for (int r = 0; r < graph.resources(); r++) {
            if (!used.get(r)) {
                addUntouched(alone, ofPass, graph, bound, r);
                continue;
            }
            addExisting(alone, ofPass, graph, bound, r);
        }
        addPass(alone, ofPass, graph, bound, pass);
        CompiledPlan plan = compile(alone, ofPass);
        PlanWatch.compiledAlone(plan);
        used.stream().forEach(r -> layouts.put(r, plan.resources().get(r).finalLayout()));
        Frame frame = execute.apply(plan);
        used.stream().filter(frame::writes).forEach(written::set);
        try {
            pipeline.await(frame);
        } catch (TaskFailedException failure) {
            throw new RdgException(
                    "pass '" + graph.names().pass(pass) + "' of graph '" + graph.name() + "'"
                            + DeclarationSite.suffix(graph.site(pass))
                            + " failed while it was declared (immediate mode)",
                    Objects.requireNonNullElse(failure.getCause(), failure));
        }
    }

    /** A resource that is extracted need not be written as long as the graph goes on. */
    private void validate(DeclaredGraph graph, BoundFrame bound) {
        try {
            requireContents(compile(graph.copy(), bound));
        } catch (RdgValidationException refused) {
            List<RdgError> errors = refused.errors().stream()
                    .filter(error -> error.code() != RdgError.Code.EXTRACT_UNWRITTEN)
                    .toList();
            if (!errors.isEmpty()) {
                throw new RdgValidationException(graph.name(), errors);
            }
            DeclaredGraph kept = graph.withScopes();
            BoundFrame ofKept = new BoundFrame();
            for (int r = 0; r < graph.resources(); r++) {
                addUntouched(kept, ofKept, graph, bound, r);
            }
            for (int p = 0; p < graph.passes(); p++) {
                ofKept.addPassOf(bound, p, kept.addPassOf(graph, p));
                for (int at = graph.firstAfter(p); at < graph.firstAfter(p + 1); at++) {
                    kept.addAfter(p, graph.after(at));
                }
            }
            requireContents(compile(kept, ofKept));
        }
    }

    private void requireContents(CompiledPlan plan) {
        if (options.diagnostics().validation()) {
            UndefinedContents.refuse(plan);
        }
    }

    /** Returns the plan of what is left to do when all passes are declared. */
    public CompiledPlan rest(DeclaredGraph graph, BoundFrame bound) {
        requireOpen(graph);
        CompiledPlan asDeclared = compile(graph.copy(), bound);
        DeclaredGraph left = graph.withScopes();
        BoundFrame ofLeft = new BoundFrame();
        BitSet ends = new BitSet();
        for (int r = 0; r < graph.resources(); r++) {
            if (layouts.containsKey(r)) {
                addExisting(left, ofLeft, graph, bound, r);
                left.setFinalAccess(r, graph.finalAccess(r));
                ofLeft.setOutside(r, ofLeft.external(r), bound.extraction(r));
                ends.set(r, bound.extraction(r) != null || graph.finalAccess(r) != null);
            } else {
                left.addResourceOf(graph, r);
                ofLeft.setOutside(r, bound.external(r), bound.extraction(r));
            }
        }
        if (!ends.isEmpty()) {
            addEndPass(left, ofLeft, ends);
        }
        int first = deferredFrom < 0 ? graph.passes() : deferredFrom;
        for (int p = first; p < graph.passes(); p++) {
            addPass(left, ofLeft, graph, bound, p);
        }
        bound.uses().forEach(ofLeft::addUse);
        CompiledPlan rest = new Rest(compile(left, ofLeft), this, asDeclared);
        PlanWatch.compiled(rest);
        return rest;
    }

    /** The rest of a graph whose passes ran while they were declared. */
    private static final class Rest extends CompiledPlan {
        private final ImmediateRun run;
        private final CompiledPlan asDeclared;

        Rest(CompiledPlan rest, ImmediateRun run, CompiledPlan asDeclared) {
            super(rest);
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

    private CompiledPlan compile(DeclaredGraph graph, BoundFrame bound) {
        return PlanCompiler.compile(graph, bound, options, QueueTopology.of(device), MemorySizer.of(device));
    }

    private static boolean usesSwapchain(DeclaredGraph graph, BoundFrame bound, int pass) {
        for (int use = graph.firstUse(pass); use < graph.firstUse(pass + 1); use++) {
            if (bound.external(graph.resource(use)) instanceof Texture texture && texture.isSwapchainImage()) {
                return true;
            }
        }
        return false;
    }

    /** Adds a resource as an external in the layout in which the former pass has left it. */
    private void addExisting(DeclaredGraph to, BoundFrame toFrame, DeclaredGraph graph, BoundFrame bound, int r) {
        Resource known = bound.external(r);
        Resource external = known == null ? materialise(graph, r) : known;
        to.addResource(
                graph.names().resource(r),
                external instanceof Texture texture ? texture.description() : ((Buffer) external).description(),
                Lifetime.EXTERNAL,
                layouts.getOrDefault(r, graph.initialLayout(r)),
                graph.sharing(r),
                graph.resourceSite(r));
        toFrame.setOutside(r, external, null);
    }

    /** Adds a resource that the pass does not touch, without what would be done with it at the end of the frame. */
    private static void addUntouched(
            DeclaredGraph to, BoundFrame toFrame, DeclaredGraph graph, BoundFrame bound, int r) {
        Lifetime lifetime = graph.lifetime(r);
        Object shape = graph.isTexture(r) ? graph.texture(r) : graph.buffer(r);
        to.addResource(
                graph.names().resource(r),
                Objects.requireNonNull(shape),
                lifetime == Lifetime.EXTRACTED ? Lifetime.TRANSIENT : lifetime,
                graph.initialLayout(r),
                graph.sharing(r),
                graph.resourceSite(r));
        if (!graph.sharesMemory(r)) {
            to.keepApart(r);
        }
        toFrame.setOutside(r, bound.external(r), null);
    }

    private Resource materialise(DeclaredGraph graph, int r) {
        Resource known = made.get(r);
        if (known != null) {
            return known;
        }
        String name = graph.names().resource(r);
        TextureDescription texture = graph.texture(r);
        BufferDescription buffer = graph.buffer(r);
        if (buffer == null && texture == null) {
            throw new IllegalStateException("'" + name + "' has no description");
        }
        Resource fresh = buffer == null
                ? pipeline.texture(name, withEveryUsage(Objects.requireNonNull(texture)))
                : pipeline.buffer(name, buffer.withUsage(AccessUsage.OF_ANY_BUFFER));
        made.put(r, fresh);
        return fresh;
    }

    private TextureDescription withEveryUsage(TextureDescription shape) {
        Set<TextureUsage> usage = EnumSet.noneOf(TextureUsage.class);
        usage.addAll(shape.usage());
        for (TextureUsage each : TextureUsage.values()) {
            if (device.formatSupport(shape.format()).supports(each)
                    && each != TextureUsage.TRANSIENT_ATTACHMENT
                    && (each != TextureUsage.INPUT_ATTACHMENT
                            || device.capabilities().has(Capability.DYNAMIC_RENDERING_LOCAL_READ))
                    && (shape.samples() == 1 || each != TextureUsage.STORAGE)) {
                usage.add(each);
            }
        }
        return shape.withUsage(usage);
    }

    /** The pass is there for its barriers; it is left out, since it does nothing with what it names. */
    private static void addEndPass(DeclaredGraph graph, BoundFrame bound, BitSet resources) {
        int pass = graph.addPass("end of immediate mode", PassKind.RASTER, -1, null);
        graph.flag(pass, PassFlag.NEVER_CULL);
        graph.flag(pass, PassFlag.SKIP_RENDER_PASS);
        resources.stream().forEach(r -> {
            Access asked = graph.finalAccess(r);
            Access access = asked == null ? Access.COPY_SRC : asked;
            Mode mode = access.writes() ? Mode.WRITE : Mode.READ;
            graph.addUse(pass, r, null, access, mode, DeclaredGraph.NO_GROUP, null);
        });
        graph.setBody(pass);
        bound.setBody(pass, new ConditionalPass(() -> false, List.of(), null, context -> {}));
    }

    /** Adds a pass, which comes after no other. */
    private void addPass(DeclaredGraph to, BoundFrame toFrame, DeclaredGraph graph, BoundFrame bound, int pass) {
        int added = to.addPassOf(graph, pass);
        toFrame.addPassOf(bound, pass, added);
        if (bound.body(pass) instanceof ConditionalPass conditional) {
            BooleanSupplier condition = conditions.computeIfAbsent(conditional.condition(), AskedOnce::new);
            toFrame.setBody(added, conditional.onlyIf(condition));
        }
    }

    /** A condition that keeps its first answer: it is asked once per graph, although each pass is a frame. */
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
