package io.frameloom.rdg.declare;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.HostBody;
import io.frameloom.rdg.PartBody;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgResource;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RdgUniformBuffer;
import io.frameloom.rdg.RenderTargets;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VkCommandBuffer;

/**
 * By what one pass is declared: it checks each call and puts it into the {@link DeclaredGraph}. Depth and stencil are
 * planes of their own: a declaration of one leaves the other alone. Used again for a pass of the same name and kind at
 * its place in the next frame.
 */
public final class PassDeclaration {
    /** What a set of queries has at most. */
    private static final int MOST_QUERIES = 1 << 16;

    private final GraphDeclaration graph;
    private final DeclaredGraph declared;
    private final int index;
    private final String name;
    private final PassKind kind;
    /** By what the application declares it. */
    private @Nullable PassBuilder builder;
    /** Until its body is there. */
    private @Nullable BooleanSupplier condition;
    /** Until its body is there. */
    private @Nullable BindlessTable table;
    /** The component of a record that the next uses come from, for messages. */
    private @Nullable String component;

    PassDeclaration(GraphDeclaration graph, int index, String name, PassKind kind) {
        this.graph = graph;
        this.declared = graph.graph();
        this.index = index;
        this.name = name;
        this.kind = kind;
    }

    /** Returns by what the application declares the pass, or null if that is not made yet. */
    public @Nullable PassBuilder builder() {
        return builder;
    }

    /** Keeps by what the application declares the pass, in each frame that has it; returns that. */
    public PassBuilder keep(PassBuilder made) {
        builder = made;
        return made;
    }

    boolean is(String otherName, PassKind otherKind) {
        return kind == otherKind && name.equals(otherName);
    }

    /** Begins the declaration in one frame, of which nothing is declared yet. */
    void begin(@Nullable OpenScope inside) {
        if (component != null) {
            component = null;
        }
        declared.addPass(name, kind, inside == null ? -1 : inside.index(), graph.site());
        if (inside != null && !inside.flags().isEmpty()) {
            for (PassFlag flag : inside.flags()) {
                declared.flag(index, flag);
            }
        }
    }

    /** Keeps nothing any longer that the application gave the pass for one frame. */
    void letGo() {
        condition = null;
        table = null;
    }

    /** Names the component of a record that the next uses come from, for messages; null for none. */
    public void component(@Nullable String from) {
        component = from;
    }

    /** Refuses an argument that is missing, before anything is declared by it. */
    public void require(@Nullable Object argument, String parameter) {
        if (argument == null) {
            throw new NullPointerException(subject() + ": " + parameter + " must not be null");
        }
    }

    /**
     * Declares a use of a texture, of all of it if {@code range} is null. Of depth with stencil only depth is read where
     * it is attached.
     */
    public void use(RdgTexture texture, @Nullable SubresourceRange range, Access access, Mode mode, int overlap) {
        int used = used(texture, access);
        TextureDescription shape = texture.description();
        SubresourceRange part = range == null
                        && access == Access.INPUT_ATTACHMENT
                        && shape.format().planes() > 1
                ? SubresourceRange.all(shape).plane(0)
                : range;
        declared.addUse(index, used, part, access, mode, overlap, useSite());
    }

    /** Declares a use of a buffer; {@code bytes} is -1 for all of it. */
    public void use(RdgBuffer buffer, long offset, long bytes, Access access, Mode mode, int overlap) {
        declared.addUse(index, used(buffer, access), offset, bytes, access, mode, overlap, useSite());
    }

    private @Nullable String useSite() {
        return component == null ? graph.site() : component;
    }

    /** Returns the index of a resource that the pass may use; negative for one that is none of this frame. */
    private int used(RdgResource resource, Access access) {
        require(resource, "resource");
        require(access, "access");
        if (!isOfThisFrame() || isRecorded()) {
            requireOfThisFrame();
            throw new RdgException(subject() + " uses '" + resource.name()
                    + "' after its declaration has ended: declare uses before record");
        }
        if (!graph.has(resource)) {
            return declared.foreign(resource.name(), Handle.of(resource).graph() == graph);
        }
        if (graph.anyPassthrough()) {
            requirePassthrough(resource, access);
        }
        return resource.index();
    }

    /** A passthrough resource is not tracked, so nothing may change it or its layout. */
    private void requirePassthrough(RdgResource resource, Access access) {
        TextureLayout stays = declared.initialLayout(resource.index());
        boolean fits = !access.writes() && (resource instanceof RdgBuffer || access.layout() == stays);
        if (graph.isPassthrough(resource.index()) && !fits) {
            throw new RdgException(subject() + suffix() + " declares " + access + " of '" + resource.name()
                    + "'" + graph.siteSuffix(resource)
                    + ", a passthrough resource that is read in layout " + stays
                    + " and not tracked; register it as an external");
        }
    }

    /** Adds a colour attachment. Slices are of one mip, which is used as a whole: there are no layouts of slices. */
    public void color(
            RdgTexture texture,
            SubresourceRange range,
            RenderTargets.@Nullable Slices slices,
            LoadOp load,
            ClearColor clear) {
        Access access = load == LoadOp.LOAD ? Access.COLOR_READ_WRITE : Access.COLOR_WRITE;
        attach(texture, range, access, Aspect.COLOR, load, clear, 0, 0, slices);
    }

    /** Adds a colour attachment that shaders read and nothing writes. */
    public void colorInput(RdgTexture texture, SubresourceRange range) {
        readOnly(texture, range, Access.INPUT_ATTACHMENT, Aspect.COLOR);
    }

    public void depth(RdgTexture texture, SubresourceRange range, LoadOp load, float clear) {
        Access access = load == LoadOp.LOAD ? Access.DEPTH_READ_WRITE : Access.DEPTH_WRITE;
        attach(texture, range.plane(0), access, Aspect.DEPTH, load, ClearColor.BLACK_TRANSPARENT, clear, 0, null);
    }

    public void depthReadOnly(RdgTexture texture, SubresourceRange range) {
        readOnly(texture, range.plane(0), Access.DEPTH_READ, Aspect.DEPTH);
    }

    public void stencil(RdgTexture texture, SubresourceRange range, LoadOp load, int clear) {
        Access access = load == LoadOp.LOAD ? Access.STENCIL_READ_WRITE : Access.STENCIL_WRITE;
        SubresourceRange plane = stencilOf(texture, range);
        attach(texture, plane, access, Aspect.STENCIL, load, ClearColor.BLACK_TRANSPARENT, 0, clear, null);
    }

    public void stencilReadOnly(RdgTexture texture, SubresourceRange range) {
        readOnly(texture, stencilOf(texture, range), Access.STENCIL_READ, Aspect.STENCIL);
    }

    private void readOnly(RdgTexture texture, SubresourceRange range, Access access, Aspect aspect) {
        attach(texture, range, access, aspect, LoadOp.LOAD, ClearColor.BLACK_TRANSPARENT, 0, 0, null);
    }

    /** Stencil is the last plane: of a texture without depth, the only one. */
    private static SubresourceRange stencilOf(RdgTexture texture, SubresourceRange range) {
        return range.plane(texture.description().format().planes() - 1);
    }

    /** Adds an attachment that is not resolved, and its use. */
    private void attach(
            RdgTexture texture,
            SubresourceRange range,
            Access access,
            Aspect aspect,
            LoadOp load,
            ClearColor clear,
            float clearDepth,
            int clearStencil,
            RenderTargets.@Nullable Slices slices) {
        require(load, "load");
        require(clear, "clear");
        boolean readOnly = !access.writes();
        Mode mode = readOnly ? Mode.READ : load == LoadOp.LOAD ? Mode.WRITE : Mode.OVERWRITE;
        int use = attachment(texture, range, access, mode);
        declared.addAttachment(index, use, aspect, load, clear, clearDepth, clearStencil, readOnly, slices);
    }

    /** Declares a use of an attachment; returns its index among those of the pass. */
    private int attachment(RdgTexture texture, SubresourceRange range, Access access, Mode mode) {
        use(texture, range, access, mode, DeclaredGraph.NO_GROUP);
        int use = declared.firstUse(index + 1) - 1;
        declared.attach(use);
        return use - declared.firstUse(index);
    }

    public void resolveColor(RdgTexture target, SubresourceRange range) {
        requireOfThisFrame();
        requireNoCondition();
        int first = declared.firstAttachment(index);
        for (int a = declared.firstAttachment(index + 1) - 1; a >= first; a--) {
            Attachment attachment = declared.attachment(a);
            if (attachment.aspect() == Aspect.COLOR) {
                requireUnresolved(attachment);
                requireDrawn(attachment);
                int use = attachment(target, range, Access.RESOLVE_DST, Mode.OVERWRITE);
                declared.resolve(index, a, use, null);
                return;
            }
        }
        throw new RdgException(subject() + suffix() + " resolves to '" + target.name()
                + "' but has no colour attachment; declare it before, or name a mode to resolve depth and stencil");
    }

    public void resolveDepthStencil(RdgTexture target, SubresourceRange range, ResolveMode mode) {
        require(mode, "mode");
        requireOfThisFrame();
        requireNoCondition();
        boolean any = false;
        for (int a = declared.firstAttachment(index), end = declared.firstAttachment(index + 1); a < end; a++) {
            Attachment attachment = declared.attachment(a);
            if (attachment.aspect() == Aspect.COLOR) {
                continue;
            }
            any = true;
            requireUnresolved(attachment);
            requireDrawn(attachment);
            SubresourceRange plane = attachment.aspect() == Aspect.DEPTH ? range.plane(0) : stencilOf(target, range);
            int use = attachment(target, plane, Access.DEPTH_RESOLVE_DST, Mode.OVERWRITE);
            int source = declared.useOf(index, attachment);
            declared.setAccess(source, Access.DEPTH_RESOLVE_SRC, declared.mode(source));
            declared.resolve(index, a, use, mode);
        }
        if (!any) {
            throw new RdgException(subject() + suffix() + " resolves to '" + target.name() + "' by " + mode
                    + " but has no attachment of depth or stencil; declare it before");
        }
    }

    /** What ends a render pass happens whatever is recorded in it. */
    private void requireNoResolve() {
        for (int a = declared.firstAttachment(index), end = declared.firstAttachment(index + 1); a < end; a++) {
            if (declared.attachment(a).resolve() >= 0) {
                throw unconditional();
            }
        }
    }

    private void requireNoCondition() {
        if (declared.isConditional(index)) {
            throw unconditional();
        }
    }

    private RdgException unconditional() {
        return new RdgException(subject() + suffix()
                + " has a condition and resolves targets, which would happen even in frames without it; resolve in a"
                + " pass of its own");
    }

    private void requireDrawn(Attachment attachment) {
        if (attachment.readOnly()) {
            throw new RdgException(subject() + suffix() + " resolves '" + name(attachment) + "', which it only "
                    + (attachment.aspect() == Aspect.COLOR ? "reads" : "tests")
                    + "; resolve it in the pass that writes it");
        }
    }

    private void requireUnresolved(Attachment attachment) {
        if (attachment.resolve() >= 0) {
            throw new RdgException(
                    subject() + suffix() + " resolves '" + name(attachment) + "' twice; name one target");
        }
    }

    private String name(Attachment attachment) {
        return declared.resourceName(declared.useOf(index, attachment));
    }

    public void uniform(RdgUniformBuffer buffer) {
        graph.bound().addUniform(index, buffer);
    }

    public void readsTable(BindlessTable read) {
        require(read, "table");
        requireOpen("a bindless table");
        if (table != null || kind == PassKind.HOST || kind == PassKind.COPY) {
            throw new RdgException(subject() + suffix() + " cannot read bindless table '" + read.name() + "': "
                    + (table == null
                            ? "it is a " + kind + " pass, without shaders"
                            : "it reads table '" + table.name() + "' already, and a pipeline takes one"));
        }
        table = read;
        graph.givenForBody();
    }

    public void count(QueryKind what, RdgBuffer results, long offset, long bytes) {
        requireOpen("queries");
        require(what, "kind");
        int resource = used(results, Access.COPY_DST);
        long count = bytes / what.bytes();
        if (kind != PassKind.RASTER
                || count < 1
                || count > MOST_QUERIES
                || bytes % what.bytes() != 0
                || offset % Long.BYTES != 0) {
            throw new RdgException(subject() + suffix() + " counts " + what + " into " + bytes + " bytes at " + offset
                    + " of '" + results.name() + "'" + graph.siteSuffix(results) + ": "
                    + (kind != PassKind.RASTER
                            ? "only RASTER passes count"
                            : "a query takes " + what.bytes() + " bytes, from a multiple of 8 on, and there are 1 to "
                                    + MOST_QUERIES));
        }
        graph.bound().addCounting(index, new Counting(what, resource, results.name(), offset, (int) count));
    }

    public void after(RdgSetupTask task) {
        graph.bound().addSetup(index, task);
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
        requireOfThisFrame();
        declared.addAfter(index, earlier.index);
    }

    /** Lets the pass be left out where {@code holds} is false. */
    public void onlyIf(BooleanSupplier holds) {
        require(holds, "holds");
        requireOpen("a condition");
        if (condition != null) {
            throw new RdgException(subject() + suffix() + " has a condition already; join the two");
        }
        requireNoResolve();
        declared.setConditional(index);
        condition = holds;
        graph.givenForBody();
    }

    public void onQueue(int number) {
        requireNotRun("a queue");
        requireOfThisFrame();
        int queue = declared.queue(index);
        if (number < 0 || (queue >= 0 && queue != number)) {
            throw new RdgException(subject() + suffix() + " cannot run on queue " + number + ": "
                    + (number < 0 ? "queues count from 0" : "it names queue " + queue + " already; name one"));
        }
        declared.setQueue(index, number);
    }

    public void flag(PassFlag one) {
        require(one, "flag");
        requireNotRun("a flag");
        requireOfThisFrame();
        declared.flag(index, one);
        if (one == PassFlag.SKIP_RENDER_PASS && graph.bound().body(index) instanceof ConditionalPass body) {
            graph.bound().setBody(index, body.withoutTargets());
        }
    }

    public void renderArea(int x, int y, int width, int height) {
        requireOpen("a render area");
        boolean again = declared.area(index) != null;
        if (x < 0 || y < 0 || width < 1 || height < 1 || again || kind != PassKind.RASTER) {
            throw new RdgException(subject() + suffix() + " cannot render to " + width + "x" + height
                    + " texels at "
                    + x + "," + y + ": "
                    + (kind != PassKind.RASTER
                            ? "it is a " + kind + " pass, without a render area"
                            : again ? "it has a render area already" : "name an area of at least one texel"));
        }
        declared.setArea(index, x, y, width, height);
    }

    public void recordParts(int parts, PartBody commands) {
        require(commands, "commands");
        requireOfThisFrame();
        requireDevice();
        for (int use = declared.firstUse(index); use < declared.firstUse(index + 1); use++) {
            if (declared.access(use) == Access.INPUT_ATTACHMENT) {
                throw new RdgException(subject() + suffix() + " cannot be recorded in " + parts + " parts: it declares"
                        + " INPUT_ATTACHMENT of '" + declared.resourceName(use)
                        + "', which no part can bind; record it as a whole");
            }
        }
        if (parts < 1 || condition != null || declared.has(index, PassFlag.SKIP_RENDER_PASS)) {
            throw new RdgException(subject() + suffix() + " cannot be recorded in " + parts + " parts: "
                    + (parts < 1
                            ? "name 1 or more"
                            : condition != null
                                    ? "it has a condition; let its parts record nothing instead"
                                    : "it begins its render passes itself; remove SKIP_RENDER_PASS"));
        }
        requireNoBody();
        flag(PassFlag.NEVER_MERGE);
        BindlessTable read = table;
        PartBody body = read == null
                ? commands
                : (context, part) -> {
                    context.commands().bindTable(read);
                    commands.record(context, part);
                };
        finish(new PartedBody(name, parts, body));
    }

    public void record(PassBody commands) {
        require(commands, "commands");
        requireDevice();
        BindlessTable read = table;
        finish(
                read == null
                        ? commands
                        : context -> {
                            context.commands().bindTable(read);
                            commands.record(context);
                        });
    }

    public void recordNative(BiConsumer<? super VkCommandBuffer, ? super PassContext> commands) {
        require(commands, "commands");
        if (table != null) {
            throw new RdgException(subject() + suffix() + " reads bindless table '" + table.name()
                    + "' and records native commands, which bind their sets themselves; remove one");
        }
        record(new NativePassBody(commands));
    }

    public void run(HostBody work) {
        require(work, "work");
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

    /** Ends the declaration; only now all is known that decides which contents of its targets stay. */
    private void finish(PassBody commands) {
        requireOfThisFrame();
        requireNoBody();
        table = null;
        declared.setBody(index);
        BooleanSupplier holds = condition;
        if (holds == null) {
            useResults();
            keepBesideTargets(declared, index);
            graph.recorded(index, commands);
            return;
        }
        condition = null;
        // A pass that begins its render passes itself clears its targets itself.
        boolean ownRendering = declared.has(index, PassFlag.SKIP_RENDER_PASS);
        List<Attachment> cleared = ownRendering ? List.of() : declared.attachments(index);
        ConditionalPass.keep(declared, index);
        // A pass that is left out leaves zeros there, so these it always overwrites.
        useResults();
        graph.recorded(index, new ConditionalPass(holds, cleared, declared.area(index), commands));
    }

    private void useResults() {
        List<Counting> countings = graph.bound().countings(index);
        for (int i = 0; i < countings.size(); i++) {
            Counting counting = countings.get(i);
            requireAlone(counting);
            declared.addUse(
                    index,
                    counting.resource(),
                    counting.offset(),
                    counting.bytes(),
                    Access.COPY_DST,
                    Mode.OVERWRITE,
                    -1,
                    useSite());
        }
    }

    /** The results are copied when the render pass ends: nothing orders them after another use of the pass. */
    private void requireAlone(Counting counting) {
        long end = counting.offset() + counting.bytes();
        for (int use = declared.firstUse(index); use < declared.firstUse(index + 1); use++) {
            long first = declared.offset(use);
            boolean meets = declared.resource(use) == counting.resource()
                    && first < end
                    && (declared.bytes(use) < 0 || first + declared.bytes(use) > counting.offset());
            if (meets) {
                throw new RdgException(subject() + suffix() + " counts into bytes " + counting.offset() + " to " + end
                        + " of '" + counting.name() + "', which it also declares as " + declared.access(use)
                        + "; count into other bytes, or use the results in a later pass");
            }
        }
    }

    /**
     * Lets render targets of which the pass writes a part keep the rest: under a render area smaller than they are, or
     * of some slices of a mip. Load operations touch that part alone, so a clear or discard overwrites nothing whole.
     */
    public static void keepBesideTargets(DeclaredGraph graph, int pass) {
        Area area = graph.area(pass);
        if (area == null && graph.hasPlainTargets(pass)) {
            return;
        }
        int first = graph.firstUse(pass);
        for (int a = graph.firstAttachment(pass), end = graph.firstAttachment(pass + 1); a < end; a++) {
            Attachment attachment = graph.attachment(a);
            if (area != null || attachment.slices() != null) {
                keepBeside(graph, first + attachment.use(), attachment.slices(), area);
                if (attachment.resolve() >= 0) {
                    keepBeside(graph, first + attachment.resolve(), attachment.slices(), area);
                }
            }
        }
    }

    private static void keepBeside(
            DeclaredGraph graph, int use, RenderTargets.@Nullable Slices slices, @Nullable Area area) {
        TextureDescription shape = graph.resource(use) < 0 ? null : graph.texture(graph.resource(use));
        SubresourceRange range = graph.range(use);
        boolean partial = shape != null
                && range != null
                && range.baseMip() < shape.mips()
                && ((area != null && !area.covers(shape, range.baseMip()))
                        || (slices != null && slices.count() < shape.depth(range.baseMip())));
        if (partial && graph.mode(use) == Mode.OVERWRITE) {
            graph.setAccess(use, graph.access(use), Mode.WRITE);
        }
    }

    private void requireOfThisFrame() {
        if (!isOfThisFrame()) {
            throw over();
        }
    }

    private boolean isOfThisFrame() {
        return graph.has(this, index);
    }

    private RdgException over() {
        return new RdgException(subject()
                + " belongs to a former frame of the graph, which was reset: add it again and declare what addPass"
                + " returns");
    }

    /** Returns the pass and its graph, the beginning of a message. */
    public String subject() {
        return "pass '" + name + "' of graph '" + graph.name() + "'";
    }

    /** Returns where the pass was declared, as part of a message. */
    public String suffix() {
        return DeclarationSite.suffix(declared.site(index));
    }

    /** Refuses more declarations once the body is there. */
    public void requireOpen(String what) {
        requireOfThisFrame();
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

    private boolean isRecorded() {
        return declared.hasBody(index);
    }

    public PassKind kind() {
        return kind;
    }
}
