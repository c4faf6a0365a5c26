package io.frameloom.rdg.file;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.MemoryRequirements;
import io.frameloom.gpu.MemoryUsage;
import io.frameloom.gpu.QueueKind;
import io.frameloom.gpu.QueueSharing;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureKind;
import io.frameloom.gpu.TextureUsage;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.GraphFileException;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.compile.DeclaredGraph;
import io.frameloom.rdg.compile.DeclaredGraph.Aspect;
import io.frameloom.rdg.compile.PartialTargets;
import io.frameloom.rdg.execute.HostPassBody;
import io.frameloom.rdg.file.FileGraph.Flag;
import io.frameloom.rdg.file.FileGraph.Life;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Declares the graph of a file. */
public final class GraphBuilding {
    /** A usage that leaves out all others is not asked for. */
    private static final Set<TextureUsage> ANY_USAGE =
            Set.copyOf(EnumSet.complementOf(EnumSet.of(TextureUsage.TRANSIENT_ATTACHMENT)));

    private static final PassBody NOTHING = context -> {};
    private static final PassBody NOTHING_ON_HOST = new HostPassBody(context -> {});
    private static final long MAX_TOUCHES = 4_000_000;

    private final FileGraph source;
    private final FileNames names;
    private final Map<String, Integer> groups = new HashMap<>();
    private final Map<Integer, BooleanSupplier> conditions = new HashMap<>();
    private final boolean[] depth;
    /** By resource the memory in which passes of the host reach it, null if none uses it. */
    private final @Nullable MemoryUsage[] onHost;

    /** By resource whether a pass that may be left out writes it, so that what was there before must be its own. */
    private final boolean[] skippable;

    private final Set<String> written = new HashSet<>();
    private final Set<String> readFirst = new HashSet<>();

    /**
     * Resolves the names.
     *
     * @throws GraphFileException if a name is unknown or what the passes use is beyond all measure
     */
    public GraphBuilding(FileGraph source, FileNames names) {
        this.source = source;
        this.names = names;
        this.depth = new boolean[source.resources().size()];
        this.onHost = new MemoryUsage[depth.length];
        this.skippable = new boolean[depth.length];
        source.passes().forEach(this::scan);
        if (source.mode().actuallyUsed() != null) {
            for (FileGraph.Taken taken : source.mode().actuallyUsed()) {
                if (taken.pass() != null) {
                    names.pass(taken.pass());
                }
                taken.resources().forEach(used -> names.resource(used.text(), used.line()));
            }
        }
        boundCells();
    }

    /** Ranges cut resources into cells; what the passes touch of them decides about memory and time. */
    private void boundCells() {
        List<Set<Long>> cuts = new ArrayList<>();
        for (int i = 0; i < 3 * source.resources().size(); i++) {
            cuts.add(new HashSet<>(4));
        }
        for (FileGraph.Pass pass : source.passes()) {
            for (FileGraph.Use use : pass.uses()) {
                int at = 3 * names.resource(use.resource(), use.line());
                cut(cuts.get(at), use.bytes() == null ? use.mip() : use.bytes());
                cut(cuts.get(at + 1), use.layer());
                cut(cuts.get(at + 2), use.plane());
            }
        }
        long touched = 0;
        for (FileGraph.Pass pass : source.passes()) {
            for (FileGraph.Use use : pass.uses()) {
                int at = 3 * names.resource(use.resource(), use.line());
                touched += cells(cuts.get(at), use.bytes() == null ? use.mip() : use.bytes())
                        * cells(cuts.get(at + 1), use.layer())
                        * cells(cuts.get(at + 2), use.plane());
                if (touched > MAX_TOUCHES) {
                    throw names.fail(
                            pass.line(),
                            "pass '" + pass.id() + "' goes beyond " + MAX_TOUCHES
                                    + " uses of separate mips, layers and planes, the most that a graph may have");
                }
            }
        }
    }

    private static long cells(Set<Long> cuts, FileGraph.@Nullable Interval interval) {
        long all = 1L + cuts.size();
        return interval == null ? all : Math.min(all, interval.to() - interval.from());
    }

    private static void cut(Set<Long> cuts, FileGraph.@Nullable Interval interval) {
        if (interval != null) {
            cuts.add(interval.from());
            cuts.add(interval.to());
        }
    }

    /**
     * Returns the graph; passes of compute queues stand on the first one if the policy is {@link AsyncCompute#OFF}, unless their
     * queue is fixed, and compute passes all the same.
     */
    public DeclaredGraph graph(AsyncCompute policy) {
        List<DeclaredGraph.Declared> declared =
                new ArrayList<>(source.resources().size());
        for (FileGraph.Res resource : source.resources()) {
            declared.add(declared(declared.size(), resource));
        }
        List<List<Integer>> after = new ArrayList<>();
        source.passes().forEach(pass -> after.add(new ArrayList<>(0)));
        for (FileGraph.Dependency dependency : source.dependencies()) {
            after.get(names.pass(dependency.later())).add(names.pass(dependency.earlier()));
        }
        new VersionOrders(source, names).add(after);
        List<QueueTopology.Queue> queues = names.topology().queues();
        List<DeclaredGraph.Pass> result = new ArrayList<>(source.passes().size());
        for (FileGraph.Pass pass : source.passes()) {
            result.add(pass(result.size(), pass, after.get(result.size()), declared, queue(pass, queues, policy)));
        }
        return new DeclaredGraph(source.id(), result, declared);
    }

    /** Notes what decides about formats and lifetimes. */
    private void scan(FileGraph.Pass pass) {
        for (FileGraph.Use use : pass.uses()) {
            int resource = names.resource(use.resource(), use.line());
            Access access = access(pass, use);
            if (pass.kind() == FileGraph.Kind.HOST && onHost[resource] != MemoryUsage.READBACK) {
                onHost[resource] = access == Access.HOST_READ ? MemoryUsage.READBACK : MemoryUsage.UPLOAD;
            }
            depth[resource] |= use.access().startsWith("depth") || use.access().startsWith("stencil");
            if (access.writes()) {
                skippable[resource] |= pass.flags().contains(Flag.CONDITIONAL);
                written.add(use.resource());
            } else if (!written.contains(use.resource())) {
                readFirst.add(use.resource());
            }
        }
        pass.touches().forEach(touched -> names.resource(touched.text(), touched.line()));
        if (pass.targets() != null) {
            requireRaster(pass, pass.targets());
            for (FileGraph.Target target : pass.targets()) {
                int resource = names.resource(target.resource(), target.line());
                depth[resource] |= target.aspect() != Aspect.COLOR;
                skippable[resource] |= !target.readOnly() && pass.flags().contains(Flag.CONDITIONAL);
            }
        }
    }

    private void requireRaster(FileGraph.Pass pass, List<FileGraph.Target> targets) {
        if (pass.kind() != FileGraph.Kind.RASTER) {
            throw names.fail(
                    pass.line(),
                    "pass '" + pass.id() + "' has render targets (\"rt\"), which only passes of the kind raster have");
        }
        if (targets.isEmpty() && pass.area() != null) {
            throw names.fail(
                    pass.line(),
                    "pass '" + pass.id() + "' has a render area and no render target; name one, or leave \"area\" out");
        }
    }

    private DeclaredGraph.Declared declared(int index, FileGraph.Res resource) {
        Lifetime lifetime = lifetime(resource);
        Access last = resource.last() == null ? null : AccessNames.access(resource.last(), false);
        MemoryRequirements memory = new MemoryRequirements(resource.bytes(), resource.align(), resource.memoryTypes());
        if (!resource.texture()) {
            BufferDescription buffer = new BufferDescription(
                    Math.max(1, resource.size() > 0 ? resource.size() : resource.bytes()),
                    resource.bufferUsage() == null ? EnumSet.allOf(BufferUsage.class) : resource.bufferUsage(),
                    memory(index, resource),
                    resource.exclusive() ? QueueSharing.EXCLUSIVE : QueueSharing.CONCURRENT);
            return new DeclaredGraph.Declared(
                    index,
                    resource.id(),
                    null,
                    buffer,
                    lifetime,
                    null,
                    resource.initial(),
                    last,
                    null,
                    memory,
                    !resource.alone() && !skippable[index],
                    null,
                    sharing(resource),
                    resource.discardedAfter());
        }
        TextureDescription texture = shape(index, resource);
        return new DeclaredGraph.Declared(
                index,
                resource.id(),
                texture,
                null,
                lifetime,
                null,
                resource.initial(),
                last,
                null,
                memory,
                !resource.alone() && !skippable[index],
                null,
                sharing(resource),
                resource.discardedAfter());
    }

    /** A buffer that passes of the host use is in memory that the host reaches, whether the file says so or not. */
    private MemoryUsage memory(int index, FileGraph.Res resource) {
        MemoryUsage reached = onHost[index];
        return resource.memory() == MemoryUsage.DEVICE && reached != null ? reached : resource.memory();
    }

    private static DeclaredGraph.Sharing sharing(FileGraph.Res resource) {
        return resource.exclusive() ? DeclaredGraph.Sharing.EXCLUSIVE : DeclaredGraph.Sharing.CONCURRENT;
    }

    private TextureDescription shape(int index, FileGraph.Res resource) {
        int extent = ResourceReader.defaultExtent(resource.mips());
        Format format = format(index, resource);
        if (resource.depth() > 0 && format.isDepth()) {
            throw names.fail(
                    resource.line(), "texture '" + resource.id() + "' has a depth, so it cannot be a depth target");
        }
        return new TextureDescription(
                resource.depth() > 0 ? TextureKind.THREE_D : resource.cube() ? TextureKind.CUBE : TextureKind.TWO_D,
                resource.width() > 0 ? resource.width() : extent,
                resource.height() > 0 ? resource.height() : extent,
                Math.max(1, resource.depth()),
                resource.mips(),
                resource.layers(),
                resource.samples(),
                format,
                Set.copyOf(resource.viewFormats()),
                resource.textureUsage() == null ? ANY_USAGE : resource.textureUsage(),
                resource.exclusive() ? QueueSharing.EXCLUSIVE : QueueSharing.CONCURRENT);
    }

    private Format format(int index, FileGraph.Res resource) {
        if (resource.format() != null) {
            return resource.format();
        }
        if (resource.planes() == 2) {
            return Format.D32_SFLOAT_S8_UINT;
        }
        return depth[index] ? Format.D32_SFLOAT : Format.R8G8B8A8_UNORM;
    }

    /** What was kept from the frame before and is read before it is written has contents when the frame starts. */
    private Lifetime lifetime(FileGraph.Res resource) {
        if (resource.life() == Life.TRANSIENT) {
            return Lifetime.TRANSIENT;
        }
        if (resource.life() == Life.HISTORY) {
            return readFirst.contains(resource.id()) ? Lifetime.EXTERNAL : Lifetime.HISTORY;
        }
        return resource.life() == Life.EXTERNAL ? Lifetime.EXTERNAL : Lifetime.EXTRACTED;
    }

    private DeclaredGraph.Pass pass(
            int index, FileGraph.Pass pass, List<Integer> after, List<DeclaredGraph.Declared> declared, int queue) {
        Set<PassFlag> flags = EnumSet.noneOf(PassFlag.class);
        for (Flag flag : pass.flags()) {
            if (flag.flag() != null) {
                flags.add(flag.flag());
            }
        }
        if (pass.async()) {
            flags.add(PassFlag.ASYNC_COMPUTE);
        }
        if (pass.kind() == FileGraph.Kind.PRESENT || readsOnHost(pass)) {
            flags.add(PassFlag.NEVER_CULL);
        }
        if (names.showsInPlaceOfCopies()) {
            flags.remove(PassFlag.ASYNC_COPY);
        }
        PassKind kind = kind(pass);
        List<DeclaredGraph.Use> uses = new ArrayList<>(pass.uses().size());
        for (FileGraph.Use use : pass.uses()) {
            uses.add(use(pass, use, declared));
        }
        List<DeclaredGraph.Attachment> attachments = attachments(pass, uses);
        if (kind == PassKind.RASTER && attachments.isEmpty()) {
            flags.add(PassFlag.SKIP_RENDER_PASS);
        }
        PassBody body = kind == PassKind.HOST ? NOTHING_ON_HOST : NOTHING;
        DeclaredGraph.Area area = area(pass);
        return new DeclaredGraph.Pass(
                index,
                pass.id(),
                kind,
                queue,
                Set.copyOf(flags),
                List.copyOf(PartialTargets.keeping(
                        uses,
                        attachments,
                        area,
                        resource -> declared.get(resource).texture())),
                attachments,
                List.copyOf(after),
                pass.flags().contains(Flag.CONDITIONAL) ? new SkippablePass(condition(pass), body) : body,
                null,
                -1,
                List.of(),
                area,
                List.of());
    }

    /** Returns the condition of a pass: that of all with its number, or one of its own. */
    private BooleanSupplier condition(FileGraph.Pass pass) {
        Integer number = pass.condition();
        return number == null ? new AlwaysRuns() : conditions.computeIfAbsent(number, first -> new AlwaysRuns());
    }

    private static DeclaredGraph.@Nullable Area area(FileGraph.Pass pass) {
        List<Integer> said = pass.area();
        return said == null ? null : new DeclaredGraph.Area(said.get(0), said.get(1), said.get(2), said.get(3));
    }

    private static PassKind kind(FileGraph.Pass pass) {
        return switch (pass.kind()) {
            case RASTER -> PassKind.RASTER;
            case COMPUTE -> PassKind.COMPUTE;
            case COPY, PRESENT -> PassKind.COPY;
            case HOST -> PassKind.HOST;
        };
    }

    /** Returns the queue that a pass stands on whatever the policy, or -1. */
    private int queue(FileGraph.Pass pass, List<QueueTopology.Queue> queues, AsyncCompute policy) {
        int queue = names.queueOf(pass);
        if (pass.kind() == FileGraph.Kind.HOST) {
            return -1;
        }
        QueueKind needs = kind(pass).queue();
        QueueTopology.Queue own = queues.get(queue);
        boolean shows = names.presents(queue);
        if (!own.kind().supports(needs) || (shows && pass.kind() != FileGraph.Kind.PRESENT)) {
            throw names.fail(
                    pass,
                    RdgError.Code.QUEUE_CAPABILITY,
                    "pass '" + pass.id() + "' needs a queue with the capability " + word(needs) + ", queue '"
                            + own.name() + "' has " + (shows ? "present" : word(own.kind())) + " at most");
        }
        if (pass.flags().contains(Flag.QUEUE_FIXED) || queues.get(0).kind() != QueueKind.GRAPHICS) {
            return queue;
        }
        return queue == 0 || (policy == AsyncCompute.OFF && own.kind() == QueueKind.COMPUTE) ? -1 : queue;
    }

    /** What the host reads is an effect, whatever the graph makes of it; a dump says itself what is one. */
    private boolean readsOnHost(FileGraph.Pass pass) {
        return !source.dumped()
                && pass.kind() == FileGraph.Kind.HOST
                && pass.uses().stream().anyMatch(use -> access(pass, use) == Access.HOST_READ);
    }

    private static String word(QueueKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private DeclaredGraph.Use use(FileGraph.Pass pass, FileGraph.Use use, List<DeclaredGraph.Declared> declared) {
        Access access = access(pass, use);
        int index = names.resource(use.resource(), use.line());
        DeclaredGraph.Declared resource = declared.get(index);
        // A pass that may be skipped leaves what was there before.
        boolean discards = use.discard() && !pass.flags().contains(Flag.CONDITIONAL);
        DeclaredGraph.Mode mode = !access.writes()
                ? DeclaredGraph.Mode.READ
                : discards ? DeclaredGraph.Mode.OVERWRITE : DeclaredGraph.Mode.WRITE;
        int group = use.group() == null || !access.writes()
                ? use.alone() ? DeclaredGraph.Use.ALONE : -1
                : groups.computeIfAbsent(use.group(), name -> groups.size());
        FileGraph.Interval bytes = bytes(use, resource.buffer());
        return new DeclaredGraph.Use(
                index,
                use.resource(),
                range(pass, use, resource.texture()),
                bytes == null ? 0 : bytes.from(),
                bytes == null ? -1 : bytes.to() - bytes.from(),
                access,
                mode,
                false,
                group,
                null);
    }

    private FileGraph.@Nullable Interval bytes(FileGraph.Use use, @Nullable BufferDescription buffer) {
        if (use.bytes() != null && buffer == null) {
            throw names.fail(use.line(), "a use names bytes of '" + use.resource() + "', a texture");
        }
        return use.bytes();
    }

    private @Nullable SubresourceRange range(
            FileGraph.Pass pass, FileGraph.Use use, @Nullable TextureDescription texture) {
        if (use.mip() == null && use.layer() == null && use.plane() == null) {
            return null;
        }
        if (texture == null) {
            throw names.fail(
                    use.line(),
                    "pass '" + pass.id() + "' names mips, layers or planes of '" + use.resource() + "', a buffer");
        }
        return range(SubresourceRange.all(texture), use.mip(), use.layer(), use.plane());
    }

    private static SubresourceRange range(
            SubresourceRange all,
            FileGraph.@Nullable Interval mip,
            FileGraph.@Nullable Interval layer,
            FileGraph.@Nullable Interval plane) {
        FileGraph.Interval mips = mip == null ? new FileGraph.Interval(0, all.mipCount()) : mip;
        FileGraph.Interval layers = layer == null ? new FileGraph.Interval(0, all.layerCount()) : layer;
        FileGraph.Interval planes = plane == null ? new FileGraph.Interval(0, all.planeCount()) : plane;
        return new SubresourceRange(
                (int) mips.from(),
                (int) (mips.to() - mips.from()),
                (int) layers.from(),
                (int) (layers.to() - layers.from()),
                (int) planes.from(),
                (int) (planes.to() - planes.from()));
    }

    private List<DeclaredGraph.Attachment> attachments(FileGraph.Pass pass, List<DeclaredGraph.Use> uses) {
        return pass.targets() == null
                ? new ArrayList<>()
                : new TargetBuilding(names, this::whole, uses, pass.flags().contains(Flag.CONDITIONAL))
                        .attachments(pass.targets());
    }

    private SubresourceRange whole(int index) {
        FileGraph.Res resource = source.resources().get(index);
        return new SubresourceRange(0, resource.mips(), 0, resource.layers(), 0, resource.planes());
    }

    private static Access access(FileGraph.Pass pass, FileGraph.Use use) {
        return AccessNames.access(use.access(), pass.kind() == FileGraph.Kind.COMPUTE);
    }
}
