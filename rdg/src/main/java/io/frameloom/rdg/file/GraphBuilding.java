package io.frameloom.rdg.file;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.LoadOp;
import io.frameloom.gpu.MemoryRequirements;
import io.frameloom.gpu.RenderingInfo.ClearColor;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureUsage;
import io.frameloom.rdg.GraphFileException;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.compile.DeclaredGraph;
import io.frameloom.rdg.file.FileGraph.Flag;
import io.frameloom.rdg.file.FileGraph.Life;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Declares the graph of a file. */
public final class GraphBuilding {
    private static final PassBody NOTHING = context -> {};
    private static final long MAX_TOUCHES = 4_000_000;

    private final FileGraph source;
    private final FileNames names;
    private final Map<String, Integer> groups = new HashMap<>();
    private final boolean[] depth;
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
        source.passes().forEach(this::scan);
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

    /** Returns the graph. */
    public DeclaredGraph graph() {
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
        List<DeclaredGraph.Pass> result = new ArrayList<>(source.passes().size());
        for (FileGraph.Pass pass : source.passes()) {
            result.add(pass(result.size(), pass, after.get(result.size()), declared));
        }
        return new DeclaredGraph(source.id(), result, declared);
    }

    /** Notes what decides about formats and lifetimes. */
    private void scan(FileGraph.Pass pass) {
        for (FileGraph.Use use : pass.uses()) {
            int resource = names.resource(use.resource(), use.line());
            Access access = access(pass, use);
            depth[resource] |= use.access().startsWith("depth");
            if (access.writes()) {
                written.add(use.resource());
            } else if (!written.contains(use.resource())) {
                readFirst.add(use.resource());
            }
        }
        if (pass.targets() != null) {
            for (FileGraph.Target target : pass.targets()) {
                depth[names.resource(target.resource(), target.line())] |= target.depth();
            }
        }
    }

    private DeclaredGraph.Declared declared(int index, FileGraph.Res resource) {
        Lifetime lifetime = lifetime(resource);
        Access last = resource.last() == null ? null : AccessNames.access(resource.last(), false);
        MemoryRequirements memory = new MemoryRequirements(resource.bytes(), resource.align(), resource.memoryTypes());
        if (!resource.texture()) {
            BufferDescription buffer = new BufferDescription(
                    Math.max(1, resource.size() > 0 ? resource.size() : resource.bytes()),
                    EnumSet.allOf(BufferUsage.class),
                    resource.memory());
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
                    !resource.alone(),
                    null,
                    sharing(resource));
        }
        int extent = 1 << Math.max(10, resource.mips() - 1);
        TextureDescription texture = new TextureDescription(
                resource.width() > 0 ? resource.width() : extent,
                resource.height() > 0 ? resource.height() : extent,
                resource.mips(),
                resource.layers(),
                format(index, resource),
                EnumSet.allOf(TextureUsage.class));
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
                !resource.alone(),
                null,
                sharing(resource));
    }

    private static DeclaredGraph.Sharing sharing(FileGraph.Res resource) {
        return resource.exclusive() ? DeclaredGraph.Sharing.EXCLUSIVE : DeclaredGraph.Sharing.CONCURRENT;
    }

    private Format format(int index, FileGraph.Res resource) {
        if (resource.format() != null && resource.format().planes() == resource.planes()) {
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
            int index, FileGraph.Pass pass, List<Integer> after, List<DeclaredGraph.Declared> declared) {
        Set<PassFlag> flags = EnumSet.noneOf(PassFlag.class);
        pass.flags().forEach(flag -> addFlag(flags, flag));
        if (pass.kind() == FileGraph.Kind.PRESENT) {
            flags.add(PassFlag.NEVER_CULL);
        }
        PassKind kind = switch (pass.kind()) {
            case RASTER -> PassKind.RASTER;
            case COMPUTE -> PassKind.COMPUTE;
            case COPY, PRESENT, HOST -> PassKind.COPY;
        };
        List<DeclaredGraph.Use> uses = new ArrayList<>(pass.uses().size());
        for (FileGraph.Use use : pass.uses()) {
            uses.add(use(pass, use, declared));
        }
        List<DeclaredGraph.Attachment> attachments = attachments(pass, uses);
        if (kind == PassKind.RASTER && attachments.isEmpty()) {
            flags.add(PassFlag.SKIP_RENDER_PASS);
        }
        int queue = names.queueOf(pass);
        return new DeclaredGraph.Pass(
                index,
                pass.id(),
                kind,
                queue == 0 ? -1 : queue,
                Set.copyOf(flags),
                List.copyOf(uses),
                attachments,
                List.copyOf(after),
                NOTHING,
                null);
    }

    private static void addFlag(Set<PassFlag> flags, Flag flag) {
        switch (flag) {
            case NEVER_CULL -> flags.add(PassFlag.NEVER_CULL);
            case READBACK -> flags.add(PassFlag.READBACK);
            case SKIP_RENDER_PASS -> flags.add(PassFlag.SKIP_RENDER_PASS);
            case NEVER_MERGE -> flags.add(PassFlag.NEVER_MERGE);
            case NEVER_PARALLEL -> flags.add(PassFlag.NEVER_PARALLEL);
            case UNTRACKED -> flags.add(PassFlag.UNTRACKED_ACCESS);
            case CONDITIONAL -> {
                // Says something of the writes of the pass, not of the pass: see use.
            }
        }
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

    /** Makes the uses of the render targets attachments; a target without a use gets one. */
    private List<DeclaredGraph.Attachment> attachments(FileGraph.Pass pass, List<DeclaredGraph.Use> uses) {
        List<DeclaredGraph.Attachment> result = new ArrayList<>();
        if (pass.targets() == null || pass.kind() != FileGraph.Kind.RASTER) {
            return result;
        }
        for (FileGraph.Target target : pass.targets()) {
            int resource = names.resource(target.resource(), target.line());
            int found = -1;
            for (int u = 0; u < uses.size() && found < 0; u++) {
                if (uses.get(u).resource() == resource && attaches(uses.get(u), target)) {
                    found = u;
                }
            }
            if (found < 0) {
                uses.add(targetUse(resource, target));
                found = uses.size() - 1;
            }
            uses.set(found, attached(uses.get(found)));
            boolean readOnly = uses.get(found).access() == Access.DEPTH_READ;
            result.add(new DeclaredGraph.Attachment(
                    found,
                    readOnly ? LoadOp.LOAD : target.load(),
                    ClearColor.BLACK_TRANSPARENT,
                    0,
                    target.depth(),
                    readOnly));
        }
        return result;
    }

    private static boolean attaches(DeclaredGraph.Use use, FileGraph.Target target) {
        Access access = use.access();
        SubresourceRange range = use.range();
        boolean there = range == null
                || ((target.mip() == null || target.mip().from() == range.baseMip())
                        && (target.layer() == null || target.layer().from() == range.baseLayer()));
        boolean fits = target.depth()
                ? access == Access.DEPTH_READ || access == Access.DEPTH_WRITE || access == Access.DEPTH_READ_WRITE
                : access == Access.COLOR_WRITE || access == Access.COLOR_READ_WRITE;
        return there && fits;
    }

    private DeclaredGraph.Use targetUse(int resource, FileGraph.Target target) {
        boolean loads = target.load() == LoadOp.LOAD;
        Access access = target.depth()
                ? target.readOnly() ? Access.DEPTH_READ : loads ? Access.DEPTH_READ_WRITE : Access.DEPTH_WRITE
                : loads ? Access.COLOR_READ_WRITE : Access.COLOR_WRITE;
        DeclaredGraph.Mode mode = !access.writes()
                ? DeclaredGraph.Mode.READ
                : loads ? DeclaredGraph.Mode.WRITE : DeclaredGraph.Mode.OVERWRITE;
        SubresourceRange range = target.mip() == null && target.layer() == null
                ? null
                : range(whole(resource), target.mip(), target.layer(), null);
        return new DeclaredGraph.Use(resource, target.resource(), range, 0, -1, access, mode, true, -1, null);
    }

    /** An attachment names its range. */
    private DeclaredGraph.Use attached(DeclaredGraph.Use use) {
        SubresourceRange range = use.range() != null ? use.range() : whole(use.resource());
        return new DeclaredGraph.Use(
                use.resource(),
                use.resourceName(),
                range,
                use.offset(),
                use.bytes(),
                use.access(),
                use.mode(),
                true,
                use.overlap(),
                use.site());
    }

    private SubresourceRange whole(int index) {
        FileGraph.Res resource = source.resources().get(index);
        return new SubresourceRange(0, resource.mips(), 0, resource.layers(), 0, resource.planes());
    }

    private static Access access(FileGraph.Pass pass, FileGraph.Use use) {
        return AccessNames.access(use.access(), pass.kind() == FileGraph.Kind.COMPUTE);
    }
}
