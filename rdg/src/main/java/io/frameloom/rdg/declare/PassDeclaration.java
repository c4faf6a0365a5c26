package io.frameloom.rdg.declare;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.HostBody;
import io.frameloom.rdg.PartBody;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgResource;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RdgUniformBuffer;
import io.frameloom.rdg.declare.DeclaredGraph.Mode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one pass has declared until now. Used again for a pass of the same name and kind at its place in the next frame.
 */
public final class PassDeclaration implements BoundPass {
    private final GraphDeclaration graph;
    private final int index;
    private final String name;
    private final PassKind kind;
    private final RedeclaredList<DeclaredGraph.Use> uses = new RedeclaredList<>(4);
    private final PassTargets targets = new PassTargets(this);
    private final Set<PassFlag> flags = EnumSet.noneOf(PassFlag.class);
    private final RedeclaredList<Integer> after = new RedeclaredList<>(0);
    private final List<RdgUniformBuffer> uniforms = new ArrayList<>(0);
    private final List<RdgSetupTask> setups = new ArrayList<>(0);
    private @Nullable BooleanSupplier condition;
    /** The frame in which it was added last, {@link GraphDeclaration#frame}. */
    private long frame = -1;

    private boolean recorded;
    /** The component of a record that the next uses come from, for messages. */
    private @Nullable String component;

    private @Nullable String site;
    private int scope;
    /** -1 if the compiler chooses. */
    private int queue;

    private DeclaredGraph.@Nullable Area area;
    private DeclaredGraph.@Nullable Area formerArea;

    PassDeclaration(GraphDeclaration graph, int index, String name, PassKind kind) {
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
    void begin(@Nullable OpenScope inside, @Nullable String declaredAt) {
        uses.clear();
        component = null;
        targets.clear();
        formerArea = area == null ? formerArea : area;
        area = null;
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

    /** Names the component of a record that the next uses come from, for messages; null for none. */
    public void component(@Nullable String from) {
        component = from;
    }

    /** Declares a use of a texture, of all of it if {@code range} is null. */
    public void use(RdgTexture texture, @Nullable SubresourceRange range, Access access, Mode mode, int overlap) {
        add(texture, range, 0, -1, access, mode, false, overlap);
    }

    /** Declares a use of a buffer; {@code bytes} is -1 for all of it. */
    public void use(RdgBuffer buffer, long offset, long bytes, Access access, Mode mode, int overlap) {
        add(buffer, null, offset, bytes, access, mode, false, overlap);
    }

    /** Declares a use of an attachment; returns its index. */
    int attachment(RdgTexture texture, SubresourceRange range, Access access, Mode mode) {
        add(texture, range, 0, -1, access, mode, true, -1);
        return uses.size() - 1;
    }

    private void add(
            RdgResource resource,
            @Nullable SubresourceRange range,
            long offset,
            long bytes,
            Access access,
            Mode mode,
            boolean attachment,
            int overlap) {
        DeclarationJournal journal = noting();
        if (recorded) {
            throw new RdgException(subject() + " uses '" + resource.name()
                    + "' after its declaration has ended: declare uses before record");
        }
        int used = index(resource);
        if (used >= 0 && Handle.of(resource).passthrough() != null) {
            requirePassthrough(resource, access);
        }
        String declaredAt = component == null ? graph.site() : component;
        DeclaredGraph.Use former = uses.former();
        DeclaredGraph.Use use = former != null
                        && former.resource() == used
                        && former.access() == access
                        && former.mode() == mode
                        && former.attachment() == attachment
                        && former.overlap() == overlap
                        && former.offset() == offset
                        && former.bytes() == bytes
                        && Objects.equals(former.range(), range)
                        && former.resourceName().equals(resource.name())
                        && Objects.equals(former.site(), declaredAt)
                ? former
                : new DeclaredGraph.Use(
                        used, resource.name(), range, offset, bytes, access, mode, attachment, overlap, declaredAt);
        journal.use(index, use);
        uses.add(use);
    }

    /** Returns the index of a resource of this frame, or what is wrong with it in its place. */
    private int index(RdgResource resource) {
        if (Handle.of(resource).graph() != graph) {
            return DeclaredGraph.Use.OF_ANOTHER_GRAPH;
        }
        return graph.resources().has(resource) ? resource.index() : DeclaredGraph.Use.OF_A_FORMER_FRAME;
    }

    /** A passthrough resource is not tracked, so nothing may change it or its layout. */
    private void requirePassthrough(RdgResource resource, Access access) {
        TextureLayout stays = Handle.of(resource).passthrough();
        boolean fits = !access.writes() && (resource instanceof RdgBuffer || access.layout() == stays);
        if (stays != null && !fits) {
            throw new RdgException(subject() + suffix() + " declares " + access + " of '" + resource.name()
                    + "'" + graph.resources().siteSuffix(resource)
                    + ", a passthrough resource that is read in layout " + stays
                    + " and not tracked; register it as an external");
        }
    }

    /** Declares that the pass reads a uniform buffer of the frame. */
    public void uniform(RdgUniformBuffer buffer) {
        uniforms.add(buffer);
        graph.notOnlyBody();
    }

    /** Declares that the pass is recorded after a setup task of the frame. */
    public void after(RdgSetupTask task) {
        setups.add(task);
        graph.notOnlyBody();
    }

    /** Declares that the pass comes after another one of the same graph. */
    public void after(PassDeclaration earlier) {
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
    }

    /** Lets the pass be left out where {@code holds} is false. */
    public void onlyIf(BooleanSupplier holds) {
        requireOpen("a condition");
        if (condition != null) {
            throw new RdgException(subject() + suffix() + " has a condition already; join the two");
        }
        targets.requireNoResolve();
        noting().condition(index);
        condition = holds;
        graph.notOnlyBody();
    }

    /** Names the queue that the pass runs on. */
    public void onQueue(int number) {
        requireNotRun("a queue");
        if (number < 0 || (queue >= 0 && queue != number)) {
            throw new RdgException(subject() + suffix() + " cannot run on queue " + number + ": "
                    + (number < 0 ? "queues count from 0" : "it names queue " + queue + " already; name one"));
        }
        noting().queue(index, number);
        queue = number;
    }

    /** Sets a flag. */
    public void flag(PassFlag one) {
        requireNotRun("a flag");
        noting().flag(index, one);
        flags.add(one);
    }

    /** Limits what the pass renders to. */
    public void renderArea(int x, int y, int width, int height) {
        requireOpen("a render area");
        if (x < 0 || y < 0 || width < 1 || height < 1 || area != null || kind != PassKind.RASTER) {
            throw new RdgException(subject() + suffix() + " cannot render to " + width + "x" + height
                    + " texels at "
                    + x + "," + y + ": "
                    + (kind != PassKind.RASTER
                            ? "it is a " + kind + " pass, without a render area"
                            : area != null ? "it has a render area already" : "name an area of at least one texel"));
        }
        DeclaredGraph.Area known = formerArea;
        boolean again =
                known != null && known.x() == x && known.y() == y && known.width() == width && known.height() == height;
        DeclaredGraph.Area declared = known != null && again ? known : new DeclaredGraph.Area(x, y, width, height);
        noting().area(index, declared);
        area = declared;
    }

    /** Gives the pass a body in parts, and ends its declaration. */
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

    /** Gives the pass its body and ends its declaration. */
    public void record(PassBody commands) {
        requireDevice();
        finish(commands);
    }

    /** Gives a pass of the host its body and ends its declaration. */
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
    @Override
    public @Nullable PassBody body() {
        PassBody body = graph.bodies()[index];
        return condition == null || body == null ? body : conditional(condition, body);
    }

    @Override
    public List<RdgUniformBuffer> uniforms() {
        return uniforms;
    }

    @Override
    public List<RdgSetupTask> setups() {
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
                        ? ConditionalBody.keeping(uses)
                        : copy(PartialTargets.keeping(uses, targets.attachments(), area, graph.resources()::texture)),
                conditional ? ConditionalBody.loading(targets.attachments()) : copy(targets.attachments()),
                copy(after),
                body(),
                site,
                scope,
                copy(uniforms),
                area,
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
        return new ConditionalBody(holds, ownRendering ? List.of() : targets.attachments(), area, commands);
    }

    public String name() {
        return name;
    }

    /** Returns the pass and its graph, the beginning of a message. */
    public String subject() {
        return "pass '" + name + "' of graph '" + graph.name() + "'";
    }

    /** Returns where the pass was declared, null unless that is kept. */
    @Override
    public @Nullable String site() {
        return site;
    }

    /** Returns where the pass was declared, as part of a message. */
    public String suffix() {
        return DeclarationSite.suffix(site);
    }

    /** Refuses more declarations once the body is there. */
    public void requireOpen(String what) {
        if (!isOfThisFrame()) {
            throw over();
        }
        if (isRecorded()) {
            throw new RdgException(subject() + suffix() + " gets " + what
                    + " after its declaration has ended: declare everything before record");
        }
    }

    private void requireNotRun(String what) {
        if (graph.immediate() != null) {
            requireOpen(what);
        }
    }

    @Override
    public List<DeclaredGraph.Use> uses() {
        return uses;
    }

    public PassTargets targets() {
        return targets;
    }

    boolean isRecorded() {
        return recorded;
    }

    boolean hasCondition() {
        return condition != null;
    }

    GraphDeclaration graph() {
        return graph;
    }

    int index() {
        return index;
    }

    public PassKind kind() {
        return kind;
    }
}
