package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.rdg.compile.DeclaredGraph;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.WorkerLevel;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One frame's passes and resources, in the order in which the application declares them. That order gives the meaning
 * of the frame; the compiler removes what no output needs, overlaps what is independent and places the barriers.
 * Unreal's FRDGBuilder.
 *
 * <p>One thread at a time (the render thread). A graph describes one frame, and after {@link #reset(String)} the next; the
 * idea of declaring a frame and compiling it is that of "FrameGraph: Extensible Rendering Architecture in Frostbite"
 * (Y. O'Donnell, GDC 2017).
 */
public final class RenderGraph extends GraphResources {
    private String name;
    private final DeclarationJournal journal;
    private final boolean keepSites;
    private final @Nullable ImmediateRun immediate;
    private final DeclaredPasses passes = new DeclaredPasses(this);
    private final ScopeStack scopes = new ScopeStack(this);
    private final RdgBlackboard blackboard = new RdgBlackboard(this);
    private final RedeclaredList<OverlapGroup> overlapGroups = new RedeclaredList<>(0);
    private boolean compiled;
    /** What was declared, until more is: made when the graph is compiled, for this time and the next. */
    private @Nullable DeclaredGraph declared;

    /** Changes with each reset. */
    private long frame;

    /** Creates an empty graph; declaration sites are kept if the system property {@code frameloom.rdg.debug} says so. */
    public RenderGraph(String name) {
        this(name, RdgOptions.defaults());
    }

    /**
     * Creates an empty graph; declaration sites are kept if {@link RdgOptions#debug} says so, or the system property {@code
     * frameloom.rdg.debug}, which wins.
     */
    public RenderGraph(String name, RdgOptions options) {
        this(name, OptionProperties.flag("debug", options.debug()), null);
    }

    /** Creates an empty graph whose passes run while they are declared, if {@code immediate} is there. */
    RenderGraph(String name, RdgOptions options, @Nullable ImmediateRun immediate) {
        this(name, options.debug(), immediate);
    }

    private RenderGraph(String name, boolean keepSites, @Nullable ImmediateRun immediate) {
        this.name = name;
        this.journal = new DeclarationJournal();
        this.keepSites = keepSites;
        this.immediate = immediate;
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Forgets what was declared and keeps the name: see {@link #reset(String)}. */
    public RenderGraph reset() {
        return reset(name);
    }

    /**
     * Forgets all that was declared, so that the next frame can be declared into this object and the memory that it has:
     * passes, resources, scopes, the blackboard, extents, and what was asked of resources after the frame. Whoever declares
     * the same frame after frame then allocates next to nothing for it. What is declared at the same place as in the frame
     * before, a pass of the same name and kind or a resource of the same name and shape, gets the object of then, so keep a
     * graph for each view if their frames differ.
     *
     * <p>The thread that declares the graph, at any time outside of a declaration: plans of the graph stay as they are, and so
     * do their frames, whether they are under way or are executed later; their bodies go on with their handles. A frame that
     * was not compiled is given up.
     *
     * <p>Handles, views, builders of passes, uniform buffers, overlap groups, setup tasks and open scopes of before are over.
     * Whoever declares with one gets the error that one of another graph gives, unless the new frame has got the very same
     * object again; then it stands for that. What reads them alone, such as {@link RdgTexture#description}, goes on.
     *
     * <p>The graph stays as large as its largest frame, and keeps names and shapes of that, but no body, condition, writer,
     * external resource or value of the blackboard of a former frame.
     *
     * @param newName name of the next frame
     * @return this graph
     * @throws RdgException if the graph runs in immediate mode, where a frame takes a new graph:
     *     {@link FrameExecutor#beginGraph(String, RenderGraphCompiler, RenderGraph)} resets a graph where it can
     */
    public RenderGraph reset(String newName) {
        if (immediate != null) {
            throw new RdgException("graph '" + name + "' runs in immediate mode and cannot be reset to declare '"
                    + newName + "'; begin a graph for each frame with FrameExecutor.beginGraph");
        }
        name = newName;
        frame++;
        passes.clear();
        clear();
        scopes.clear();
        blackboard.clear();
        overlapGroups.clear();
        journal.clear();
        declared = null;
        compiled = false;
        return this;
    }

    /** Returns what stands for the frame that is declared: another number after each reset. */
    long frame() {
        return frame;
    }

    /** Returns whether an overlap group of this graph is one of this frame. */
    boolean has(OverlapGroup group) {
        return overlapGroups.has(group.number(), group);
    }

    /** Returns in words where something comes from that is not of this frame. */
    String foreign(RenderGraph from) {
        return from == this ? "a former frame of the graph, which was reset" : "graph '" + from.name + "'";
    }

    /** Returns what the features that declare this graph leave for each other. */
    public RdgBlackboard blackboard() {
        return blackboard;
    }

    /**
     * Opens a scope: the passes that are declared until it is closed get a label around them in debuggers and a time of
     * their own in {@link FrameStatistics#scopeTimes}. Scopes nest. Passes that share a render pass are labelled by the
     * scope of the first of them.
     */
    public PassScope scope(String scopeName) {
        return scopes.open(scopeName, true, Set.of());
    }

    /** Declares passes in a scope: as {@link #scope(String)}, closed also if the declaration fails. */
    public void scope(String scopeName, Runnable declaration) {
        PassScope scope = scope(scopeName);
        try {
            declaration.run();
        } finally {
            scope.close();
        }
    }

    /**
     * Opens a scope whose passes all get flags: {@link PassFlag#NEVER_CULL}, {@link PassFlag#NEVER_MERGE},
     * {@link PassFlag#NEVER_PARALLEL} or {@link PassFlag#UNTRACKED_ACCESS}. Unreal's scope flags
     * (ERDGPassFlags::ScopeMask).
     *
     * @throws RdgException for any other flag, which depends on the pass
     */
    public PassScope flagScope(PassFlag first, PassFlag... more) {
        Set<PassFlag> flags = EnumSet.of(first, more);
        return scopes.open(flags.toString(), false, flags);
    }

    /**
     * Starts work of the host that passes depend on, and returns while it runs: the declaration goes on, the graph is
     * compiled, and passes that {@linkplain PassBuilder#after(RdgSetupTask...) name it} are recorded when it is done. So it
     * cannot declare anything itself. If it fails, the frame does. Nobody waits for one that no pass names, or only passes that
     * are culled. Unreal's setup tasks (AddSetupTask).
     *
     * @param tasks the task graph of the executor that is to execute the frame
     * @param body runs on a worker
     */
    public RdgSetupTask setupTask(TaskGraph tasks, String taskName, TaskBody body) {
        GraphEvent event = tasks.task(taskName, body).on(WorkerLevel.HIGH).dispatch();
        return new RdgSetupTask(this, tasks, taskName, event, site());
    }

    /** Notes that a plan is made of the graph as it is. */
    void compiled() {
        compiled = true;
    }

    void requireUncompiled(String resource) {
        if (compiled) {
            throw new RdgException("'" + resource + "' cannot be preallocated, since graph '" + name
                    + "' is compiled already and its plan has other memory for it; preallocate before compiling");
        }
    }

    /** Makes a group of storage writes that may overlap. */
    public OverlapGroup overlapGroup(String groupName) {
        OverlapGroup former = overlapGroups.former();
        OverlapGroup group = former != null && former.name().equals(groupName)
                ? former
                : new OverlapGroup(this, overlapGroups.size(), groupName);
        overlapGroups.add(group);
        return group;
    }

    /** Begins the declaration of a pass, which {@link PassBuilder#record} ends. Unreal's AddPass. */
    public PassBuilder addPass(String passName, PassKind kind) {
        return passes.add(passName, kind, scopes.innermost(), site());
    }

    /**
     * Adds a pass that declares no resource of the graph, such as one that works on resources of its own. It is never
     * culled; a raster pass begins its render passes itself.
     */
    public void addPass(String passName, PassKind kind, PassBody body) {
        PassBuilder pass = addPass(passName, kind).flag(PassFlag.NEVER_CULL);
        if (kind == PassKind.RASTER) {
            pass.flag(PassFlag.SKIP_RENDER_PASS);
        }
        pass.record(body);
    }

    /**
     * Adds a pass that uses what its parameters say: see {@link PassBuilder#parameters}.
     *
     * @param body gets the parameters again
     */
    public <P extends Record> void addPass(
            String passName, PassKind kind, P parameters, BiConsumer<PassContext, P> body) {
        addPass(passName, kind).parameters(parameters).record(context -> body.accept(context, parameters));
    }

    /**
     * Begins the declaration of a pass that runs on the CPU at its place in the graph, which {@link PassBuilder#run} ends: behind
     * the work of the device that it depends on, and before the work that depends on it is submitted. It declares reads of
     * buffers in mapped memory as {@link Access#HOST_READ} and writes as {@link Access#HOST_WRITE}, and its body gets that
     * memory. Nobody waits for it but what depends on it; a batch that does delays those behind it in the order of
     * submission.
     *
     * <p>So a frame can read what a pass of it has computed and decide by that what a later pass of it does, at the price of
     * a way to the host and back.
     */
    public PassBuilder hostPass(String passName) {
        return addPass(passName, PassKind.HOST);
    }

    void close(PassScope scope) {
        scopes.close(scope);
    }

    /** Takes notice of a pass to which a plan is bound by more than its body: a condition, uniform buffers, setup tasks. */
    void notOnlyBody() {
        declared = null;
        passes.notOnlyBody();
    }

    /** Returns whether plans are bound to the passes by their bodies alone. */
    boolean hasOnlyBodies() {
        return passes.hasOnlyBodies() && !keepSites;
    }

    /** Takes notice of a pass whose declaration has ended. */
    void recorded(int pass, PassBody body) {
        passes.record(pass, body);
        if (immediate == null) {
            return;
        }
        if (pass != passes.size() - 1) {
            throw new RdgException("graph '" + name + "' runs in immediate mode: end the declaration of pass '"
                    + passes.get(pass).name() + "' before that of '"
                    + passes.get(pass + 1).name() + "' begins");
        }
        immediate.run(soFar());
    }

    @Nullable
    ImmediateRun immediate() {
        return immediate;
    }

    /** Returns what was declared until now; all scopes must be closed. */
    DeclarationJournal journal() {
        scopes.requireClosed();
        return journal;
    }

    /** Returns where those that declare note it, before or behind what they declare. */
    DeclarationJournal noting() {
        declared = null;
        return journal;
    }

    DeclaredPasses passes() {
        return passes;
    }

    /** Returns a hash of the shapes of the resources as they are now. */
    int shapesHash() {
        return resources().shapesHash();
    }

    DeclaredGraph declared() {
        scopes.requireClosed();
        return soFar();
    }

    private DeclaredGraph soFar() {
        DeclaredGraph known = declared;
        if (known == null) {
            List<DeclaredGraph.Pass> declaredPasses = new ArrayList<>(passes.size());
            for (int i = 0; i < passes.size(); i++) {
                PassBuilder pass = passes.get(i);
                DeclaredGraph.Pass made = pass.declared();
                if (pass.isConditional()) {
                    resources().keepApart(made.uses());
                }
                declaredPasses.add(made);
            }
            known = new DeclaredGraph(name, declaredPasses, resources().declared(), scopes.declared());
            declared = known;
        }
        return known;
    }

    boolean keepsSites() {
        return keepSites;
    }

    @Nullable
    String site() {
        return keepSites ? DeclarationSite.ofCaller() : null;
    }

    @Override
    RenderGraph self() {
        return this;
    }
}
