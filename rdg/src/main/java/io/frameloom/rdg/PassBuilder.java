package io.frameloom.rdg;

import io.frameloom.rdg.compile.DeclaredGraph;
import io.frameloom.rdg.compile.PartialTargets;
import io.frameloom.rdg.execute.HostPassBody;
import io.frameloom.rdg.execute.PartedBody;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of one pass; finished by {@link #record}, {@link #recordParts} or {@link #run}. The thread that declares
 * the graph.
 *
 * <p>A mistake in a declaration is reported by the compiler, together with all others.
 */
public final class PassBuilder extends PassRenderTargets {
    private final RenderGraph graph;
    private final int index;
    private final String name;
    private final PassKind kind;
    private final Set<PassFlag> flags = EnumSet.noneOf(PassFlag.class);
    private final RedeclaredList<Integer> after = new RedeclaredList<>(0);
    private final List<RdgUniformBuffer> uniforms = new ArrayList<>(0);
    private final List<RdgSetupTask> setups = new ArrayList<>(0);
    private @Nullable BooleanSupplier condition;
    /** The frame in which it was added last, {@link RenderGraph#frame}. */
    private long frame = -1;

    private boolean recorded;
    private @Nullable String site;
    private int scope;
    /** -1 if the compiler chooses. */
    private int queue;

    PassBuilder(RenderGraph graph, int index, String name, PassKind kind) {
        this.graph = graph;
        this.index = index;
        this.name = name;
        this.kind = kind;
    }

    /** Returns whether the pass has a name and a kind. */
    boolean is(String otherName, PassKind otherKind) {
        return kind == otherKind && name.equals(otherName);
    }

    /** Begins the declaration in one frame, of which nothing is declared yet. */
    void begin(@Nullable PassScope inside, @Nullable String declaredAt) {
        clear();
        flags.clear();
        after.clear();
        queue = -1;
        frame = graph.frame();
        recorded = false;
        site = declaredAt;
        scope = inside == null ? -1 : inside.index();
        DeclarationJournal journal = graph.noting();
        journal.pass(index, name, kind, scope);
        if (inside != null && !inside.flags().isEmpty()) {
            flags.addAll(inside.flags());
            for (PassFlag flag : flags) {
                journal.flag(index, flag);
            }
        }
    }

    /** Keeps nothing any longer that the application gave the pass for one frame. */
    void letGo() {
        condition = null;
        uniforms.clear();
        setups.clear();
    }

    /**
     * Declares that the pass reads uniform buffers of the frame, which {@link PassContext#uniforms} then gives it.
     *
     * @throws RdgException if one belongs to another graph
     */
    public PassBuilder uniforms(RdgUniformBuffer... read) {
        requireOpen("uniform buffers");
        if (kind == PassKind.HOST) {
            throw new RdgException(
                    subject() + suffix() + " is a HOST pass, which binds nothing; let its body use what the"
                            + " contents of the uniform buffers come from");
        }
        for (RdgUniformBuffer buffer : read) {
            if (buffer.graph() != graph || buffer.frame() != graph.frame()) {
                throw new RdgException(subject() + " reads uniform buffer " + buffer.described() + " of "
                        + graph.foreign(buffer.graph()) + "; make one in this graph");
            }
            uniforms.add(buffer);
            graph.notOnlyBody();
        }
        return this;
    }

    /**
     * Declares what the annotated components of a record name, such as {@code @Sampled RdgTexture source}: see the
     * package {@link io.frameloom.rdg.parameter}. Unreal's shader parameter structs. A component that is null is not
     * used. The record's class is looked at once, whatever the number of passes and frames.
     *
     * @throws RdgException if a component has a type that its annotation does not fit, naming record and component
     */
    public PassBuilder parameters(Record parameters) {
        ParameterLayout.of(parameters.getClass(), subject() + suffix()).declare(this, kind, parameters);
        uses.component(null);
        return this;
    }

    /**
     * Declares that the pass comes after another one whatever the two use, and so after what that one comes after by such
     * orders, even if it is culled. It keeps nothing from being culled.
     *
     * @throws RdgException if the other pass belongs to another graph or is this one
     */
    public PassBuilder after(PassBuilder earlier) {
        if (earlier.graph != graph || earlier == this) {
            throw new RdgException("pass '" + name + "' of graph '" + graph.name() + "' cannot come after pass '"
                    + earlier.name + "' of graph '" + earlier.graph.name() + "': name another pass of the same graph");
        }
        if (!earlier.isOfThisFrame()) {
            throw earlier.over();
        }
        noting().after(index, earlier.index);
        Integer former = after.former();
        after.add(former != null && former == earlier.index ? former : (Integer) earlier.index);
        return this;
    }

    /**
     * Declares that the pass is recorded behind setup tasks of the graph, whose results its body takes.
     *
     * @throws RdgException if one belongs to another graph
     */
    public PassBuilder after(RdgSetupTask... tasks) {
        requireOpen("setup tasks");
        for (RdgSetupTask task : tasks) {
            if (task.graph() != graph || task.frame() != graph.frame()) {
                throw new RdgException(subject() + suffix() + " waits for setup task " + task + " of "
                        + graph.foreign(task.graph()) + "; start one in this graph");
            }
            setups.add(task);
            graph.notOnlyBody();
        }
        return this;
    }

    /**
     * Lets the pass be left out in frames for which {@code holds} is false. It is asked once for each frame, by the thread
     * that calls {@link FrameExecutor#execute}, before that returns and before anything of the frame is recorded, for all
     * passes with the same object unless all of them are culled; what it throws fails the frame. It does not wait for
     * setup tasks, those of its own pass included, since the half of a history that the next frame reads is chosen by the
     * answer: what a condition needs of {@link RdgSetupTask#event} must be complete by then, or it sees what the former
     * frame has left. What only a setup task decides, the body finds out by itself and records nothing.
     *
     * <p>Barriers, waits and memory stay as they are, and nothing else of a pass that is left out is recorded: it leaves what
     * was there before, for which a transient that it writes shares no memory. If it runs it begins its targets as they are
     * declared, cleared or not loaded. A transient, or the half of a history that the frame writes, has no contents where
     * nothing but such passes writes it and they are skipped: what reads it takes the same condition object, otherwise the plan
     * has the warning {@link PlanWarning.Code#CONDITIONAL_CONTENTS}.
     *
     * @throws RdgException if the pass has a condition already, or resolves targets, which happens whatever it records
     */
    public PassBuilder onlyIf(BooleanSupplier holds) {
        requireOpen("a condition");
        if (condition != null) {
            throw new RdgException(subject() + suffix() + " has a condition already; join the two");
        }
        targets.requireNoResolve();
        noting().condition(index);
        condition = holds;
        graph.notOnlyBody();
        return this;
    }

    /**
     * Names the queue that the pass runs on, in place of {@link PassFlag#ASYNC_COMPUTE} and {@link PassFlag#ASYNC_COPY}, for
     * which the compiler chooses one. The compiler refuses a queue that is not there or cannot execute the kind of pass, so
     * ask the device: {@link io.frameloom.gpu.GpuDevice#queues(io.frameloom.gpu.command.QueueKind)}. It refuses a queue that does no
     * graphics also for copies from buffers to textures of depth or stencil. Compute passes, and no others, stand on the graphics
     * queue all the same with {@link AsyncCompute#OFF}.
     *
     * @param number position in {@link QueueTopology#queues}, {@link io.frameloom.gpu.command.GpuQueue#index}; 0 for graphics
     * @throws RdgException if the number is negative or the pass names another queue already, or in immediate mode has run
     */
    public PassBuilder onQueue(int number) {
        requireNotRun("a queue");
        if (number < 0 || (queue >= 0 && queue != number)) {
            throw new RdgException(subject() + suffix() + " cannot run on queue " + number + ": "
                    + (number < 0 ? "queues count from 0" : "it names queue " + queue + " already; name one"));
        }
        noting().queue(index, number);
        queue = number;
        return this;
    }

    /**
     * Sets flags, also behind {@link #record}; flags set before stay.
     *
     * @throws RdgException in immediate mode, if the pass has run
     */
    public PassBuilder flag(PassFlag... more) {
        for (PassFlag each : more) {
            flag(each);
        }
        return this;
    }

    /** Sets one flag, as {@link #flag(PassFlag...)}. */
    public PassBuilder flag(PassFlag one) {
        requireNotRun("a flag");
        noting().flag(index, one);
        flags.add(one);
        return this;
    }

    /**
     * Gives the pass a body that is recorded in parts, each into a command list of its own, in parallel; the device sees
     * them in order. A raster pass of this kind shares its render pass with no other. Unreal's dispatch pass.
     *
     * @param parts number of parts, at least 1
     * @throws RdgException if the pass has a body already, a condition, begins render passes itself, or is a pass of the host
     */
    public void recordParts(int parts, PartBody commands) {
        requireDevice();
        if (parts < 1 || condition != null || flags.contains(PassFlag.SKIP_RENDER_PASS)) {
            throw new RdgException(subject() + suffix() + " cannot be recorded in " + parts + " parts: "
                    + (parts < 1
                            ? "name 1 or more"
                            : condition != null
                                    ? "it has a condition; let its parts record nothing instead"
                                    : "it begins its render passes itself; remove SKIP_RENDER_PASS"));
        }
        requireNoBody();
        flag(PassFlag.NEVER_MERGE);
        finish(new PartedBody(name, parts, commands));
    }

    /**
     * Gives the pass its body and ends its declaration.
     *
     * @throws RdgException if the pass has a body already, or is a pass of the host
     */
    public void record(PassBody commands) {
        requireDevice();
        finish(commands);
    }

    /**
     * Gives a pass of {@link PassKind#HOST} its body and ends its declaration: see {@link RenderGraph#hostPass}.
     *
     * @throws RdgException if the pass has a body already, or is of another kind
     */
    public void run(HostBody work) {
        if (kind != PassKind.HOST) {
            throw new RdgException(
                    subject() + suffix() + " is a " + kind + " pass, whose commands are recorded; end its"
                            + " declaration with record, or make it a HOST pass");
        }
        finish(new HostPassBody(work));
    }

    private void requireDevice() {
        if (kind == PassKind.HOST) {
            throw new RdgException(
                    subject() + suffix() + " is a HOST pass, which records no commands; end its declaration"
                            + " with run, or make it a pass of another kind");
        }
    }

    private void requireNoBody() {
        if (isRecorded()) {
            throw new RdgException("pass '" + name + "' of graph '" + graph.name()
                    + "' has a body already: call record once, or add another pass");
        }
    }

    private void finish(PassBody commands) {
        DeclarationJournal journal = noting();
        requireNoBody();
        journal.body(index, commands instanceof PartedBody parted ? parted.parts() : 0);
        recorded = true;
        graph.recorded(index, commands);
    }

    /**
     * Returns where what is declared of the pass is noted.
     *
     * @throws RdgException if the pass is none of this frame
     */
    DeclarationJournal noting() {
        if (!isOfThisFrame()) {
            throw over();
        }
        return graph.noting();
    }

    private boolean isOfThisFrame() {
        return frame == graph.frame();
    }

    private RdgException over() {
        return new RdgException(subject()
                + " belongs to a former frame of the graph, which was reset: add it again and declare what addPass"
                + " returns");
    }

    /** Returns the commands with the condition around them, or null if there are none. */
    @Nullable
    PassBody body() {
        PassBody body = graph.passes().body(index);
        return condition == null || body == null ? body : conditional(condition, body);
    }

    List<RdgUniformBuffer> uniforms() {
        return uniforms;
    }

    List<RdgSetupTask> setups() {
        return setups;
    }

    boolean isConditional() {
        return condition != null;
    }

    DeclaredGraph.Pass declared() {
        boolean conditional = isConditional();
        return new DeclaredGraph.Pass(
                index,
                name,
                kind,
                queue,
                flags.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(flags)),
                conditional
                        ? ConditionalBody.keeping(uses.all())
                        : copy(PartialTargets.keeping(
                                uses.all(), targets.attachments(), area(), graph.resources()::texture)),
                conditional ? ConditionalBody.loading(targets.attachments()) : copy(targets.attachments()),
                copy(after),
                body(),
                site,
                scope,
                copy(uniforms),
                area(),
                copy(setups));
    }

    /** Most lists are short: those are made without an array in between. */
    private static <T> List<T> copy(List<T> list) {
        return switch (list.size()) {
            case 0 -> List.of();
            case 1 -> List.of(list.get(0));
            case 2 -> List.of(list.get(0), list.get(1));
            case 3 -> List.of(list.get(0), list.get(1), list.get(2));
            case 4 -> List.of(list.get(0), list.get(1), list.get(2), list.get(3));
            case 5 -> List.of(list.get(0), list.get(1), list.get(2), list.get(3), list.get(4));
            default -> List.copyOf(list);
        };
    }

    /** A pass that begins its render passes itself clears its targets itself. */
    private PassBody conditional(BooleanSupplier holds, PassBody commands) {
        boolean ownRendering = flags.contains(PassFlag.SKIP_RENDER_PASS);
        return new ConditionalBody(holds, ownRendering ? List.of() : targets.attachments(), area(), commands);
    }

    String name() {
        return name;
    }

    /** Names the component of a record that the next uses come from, for messages. */
    void component(String from) {
        uses.component(from);
    }

    String subject() {
        return "pass '" + name + "' of graph '" + graph.name() + "'";
    }

    @Override
    PassBuilder self() {
        return this;
    }

    @Nullable
    String site() {
        return site;
    }

    String suffix() {
        return DeclarationSite.suffix(site);
    }

    void requireOpen(String what) {
        if (!isOfThisFrame()) {
            throw over();
        }
        if (isRecorded()) {
            throw new RdgException(subject() + suffix() + " gets " + what
                    + " after its declaration has ended: declare everything before record");
        }
    }

    /** In immediate mode what is declared behind the body comes too late. */
    private void requireNotRun(String what) {
        if (graph.immediate() != null) {
            requireOpen(what);
        }
    }

    /** Returns the uses declared so far. */
    List<DeclaredGraph.Use> uses() {
        return uses.all();
    }

    boolean isRecorded() {
        return recorded;
    }

    boolean hasCondition() {
        return condition != null;
    }

    RenderGraph graph() {
        return graph;
    }

    int index() {
        return index;
    }

    PassKind kind() {
        return kind;
    }
}
