package io.frameloom.rdg.file;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.LoadOp;
import io.frameloom.gpu.MemoryRequirements;
import io.frameloom.gpu.MemoryUsage;
import io.frameloom.gpu.QueueKind;
import io.frameloom.gpu.RenderingInfo.ClearColor;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureUsage;
import io.frameloom.rdg.GraphFileException;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.RdgError.Code;
import io.frameloom.rdg.RdgValidationException;
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

/** Resolves the names of a file and declares its graph. */
public final class GraphBuilding {
    private static final PassBody NOTHING = context -> {};
    private static final long MAX_TOUCHES = 4_000_000;

    private final String file;
    private final FileGraph source;
    private final Map<String, Integer> resources = new HashMap<>();
    private final Map<String, Integer> passes = new HashMap<>();
    private final Map<String, Integer> queues = new HashMap<>();
    private final Map<String, Integer> groups = new HashMap<>();
    private final List<FileGraph.Queue> queueOrder = new ArrayList<>();
    private final boolean[] depth;
    private final Set<String> written = new HashSet<>();
    private final Set<String> readFirst = new HashSet<>();

    /**
     * Resolves the names.
     *
     * @param file name of the file for messages
     * @throws GraphFileException if a name is unknown or a queue that does graphics is missing
     * @throws RdgValidationException if two passes have one name, or two resources one identity
     */
    public GraphBuilding(String file, FileGraph source) {
        this.file = file;
        this.source = source;
        this.depth = new boolean[source.resources().size()];
        names();
        source.passes().forEach(this::scan);
        boundCells();
    }

    /** Ranges cut resources into cells; what the passes touch of them decides about memory and time. */
    private void boundCells() {
        List<Set<Integer>> cuts = new ArrayList<>();
        for (int i = 0; i < 3 * source.resources().size(); i++) {
            cuts.add(new HashSet<>(4));
        }
        for (FileGraph.Pass pass : source.passes()) {
            for (FileGraph.Use use : pass.uses()) {
                int at = 3 * known(resources, use.resource(), "resource");
                cut(cuts.get(at), use.mip());
                cut(cuts.get(at + 1), use.layer());
                cut(cuts.get(at + 2), use.plane());
            }
        }
        long touched = 0;
        for (FileGraph.Pass pass : source.passes()) {
            for (FileGraph.Use use : pass.uses()) {
                int at = 3 * known(resources, use.resource(), "resource");
                touched += cells(cuts.get(at), use.mip())
                        * cells(cuts.get(at + 1), use.layer())
                        * cells(cuts.get(at + 2), use.plane());
                if (touched > MAX_TOUCHES) {
                    throw new GraphFileException(file + ": pass '" + pass.id() + "' goes beyond " + MAX_TOUCHES
                            + " uses of separate mips, layers and planes, the most that a graph may have");
                }
            }
        }
    }

    private static long cells(Set<Integer> cuts, FileGraph.@Nullable Interval interval) {
        long all = 1L + cuts.size();
        return interval == null ? all : Math.min(all, interval.to() - interval.from());
    }

    private static void cut(Set<Integer> cuts, FileGraph.@Nullable Interval interval) {
        if (interval != null) {
            cuts.add(interval.from());
            cuts.add(interval.to());
        }
    }

    /** Returns the queues. */
    public QueueTopology topology() {
        List<QueueTopology.Queue> result = new ArrayList<>();
        for (FileGraph.Queue queue : queueOrder) {
            result.add(new QueueTopology.Queue(queue.id(), queue.kind(), queue.family()));
        }
        return new QueueTopology(result);
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
            after.get(pass(dependency.later())).add(pass(dependency.earlier()));
        }
        List<DeclaredGraph.Pass> result = new ArrayList<>(source.passes().size());
        for (FileGraph.Pass pass : source.passes()) {
            result.add(pass(result.size(), pass, after.get(result.size()), declared));
        }
        return new DeclaredGraph(source.id(), result, declared);
    }

    /** Returns the index of a pass. */
    int pass(String name) {
        return known(passes, name, "pass");
    }

    /** Returns the queue of a pass. */
    int queueOf(FileGraph.Pass pass) {
        return pass.queue() == null ? 0 : known(queues, pass.queue(), "queue");
    }

    private void names() {
        List<RdgError> errors = new ArrayList<>();
        int graphics = 0;
        while (graphics < source.queues().size()
                && source.queues().get(graphics).kind() != QueueKind.GRAPHICS) {
            graphics++;
        }
        boolean fixed = source.mode().order() == FileGraph.Order.FIXED;
        if (graphics == source.queues().size() && !fixed) {
            throw new GraphFileException(file + ": no queue has the capability graphics; the first one needs it");
        }
        for (int q = 0; q < source.queues().size(); q++) {
            int at = fixed || q > graphics ? q : q == 0 ? graphics : q - 1;
            FileGraph.Queue queue = source.queues().get(at);
            if (queues.putIfAbsent(queue.id(), queueOrder.size()) != null) {
                throw new GraphFileException(file + ": two queues are called '" + queue.id() + "'");
            }
            queueOrder.add(queue);
        }
        Map<String, String> handles = new HashMap<>();
        for (FileGraph.Res resource : source.resources()) {
            if (resources.putIfAbsent(resource.id(), resources.size()) != null) {
                throw new GraphFileException(file + ": two resources are called '" + resource.id() + "'");
            }
            String first = resource.handle() == null ? null : handles.putIfAbsent(resource.handle(), resource.id());
            if (first != null) {
                errors.add(new RdgError(
                        Code.DUPLICATE_EXTERNAL,
                        "",
                        resource.id(),
                        "'" + first + "' and '" + resource.id() + "' are both the outside resource '"
                                + resource.handle() + "'",
                        "register it once and use the one handle",
                        List.of()));
            }
        }
        for (FileGraph.Pass pass : source.passes()) {
            if (passes.putIfAbsent(pass.id(), passes.size()) != null) {
                errors.add(new RdgError(
                        Code.DUPLICATE_PASS,
                        pass.id(),
                        "",
                        "two passes are called '" + pass.id() + "'",
                        "in a file names are identities: rename one",
                        List.of()));
            }
        }
        if (!errors.isEmpty()) {
            throw new RdgValidationException(source.id(), errors);
        }
    }

    /** Notes what decides about formats and lifetimes. */
    private void scan(FileGraph.Pass pass) {
        for (FileGraph.Use use : pass.uses()) {
            int resource = known(resources, use.resource(), "resource");
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
                depth[known(resources, target.resource(), "resource")] |= target.depth();
            }
        }
    }

    private DeclaredGraph.Declared declared(int index, FileGraph.Res resource) {
        Lifetime lifetime = lifetime(resource);
        MemoryRequirements memory = new MemoryRequirements(resource.bytes(), resource.align(), 1);
        if (!resource.texture()) {
            BufferDescription buffer = new BufferDescription(
                    Math.max(1, resource.bytes()), EnumSet.allOf(BufferUsage.class), MemoryUsage.DEVICE);
            return new DeclaredGraph.Declared(
                    index,
                    resource.id(),
                    null,
                    buffer,
                    lifetime,
                    null,
                    resource.initial(),
                    null,
                    null,
                    memory,
                    !resource.alone(),
                    null);
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
                null,
                null,
                memory,
                !resource.alone(),
                null);
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
        boolean keeps = resource.life() == Life.HISTORY
                && (readFirst.contains(resource.id()) || !written.contains(resource.id()));
        return resource.life() == Life.EXTERNAL || keeps ? Lifetime.EXTERNAL : Lifetime.EXTRACTED;
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
        int queue = queueOf(pass);
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
        int index = known(resources, use.resource(), "resource");
        DeclaredGraph.Declared resource = declared.get(index);
        // A pass that may be skipped leaves what was there before.
        boolean discards = use.discard() && !pass.flags().contains(Flag.CONDITIONAL);
        DeclaredGraph.Mode mode = !access.writes()
                ? DeclaredGraph.Mode.READ
                : discards ? DeclaredGraph.Mode.OVERWRITE : DeclaredGraph.Mode.WRITE;
        int group = use.group() == null || !access.writes()
                ? -1
                : groups.computeIfAbsent(use.group(), name -> groups.size());
        return new DeclaredGraph.Use(
                index, use.resource(), range(pass, use, resource.texture()), 0, -1, access, mode, false, group, null);
    }

    private @Nullable SubresourceRange range(
            FileGraph.Pass pass, FileGraph.Use use, @Nullable TextureDescription texture) {
        if (use.mip() == null && use.layer() == null && use.plane() == null) {
            return null;
        }
        if (texture == null) {
            throw new GraphFileException(file + ": pass '" + pass.id() + "' names mips, layers or planes of '"
                    + use.resource() + "', a buffer");
        }
        SubresourceRange all = SubresourceRange.all(texture);
        FileGraph.Interval mip = use.mip() == null ? new FileGraph.Interval(0, all.mipCount()) : use.mip();
        FileGraph.Interval layer = use.layer() == null ? new FileGraph.Interval(0, all.layerCount()) : use.layer();
        FileGraph.Interval plane = use.plane() == null ? new FileGraph.Interval(0, all.planeCount()) : use.plane();
        return new SubresourceRange(
                mip.from(),
                mip.to() - mip.from(),
                layer.from(),
                layer.to() - layer.from(),
                plane.from(),
                plane.to() - plane.from());
    }

    /** Makes the uses of the render targets attachments; a target without a use gets one. */
    private List<DeclaredGraph.Attachment> attachments(FileGraph.Pass pass, List<DeclaredGraph.Use> uses) {
        List<DeclaredGraph.Attachment> result = new ArrayList<>();
        if (pass.targets() == null || pass.kind() != FileGraph.Kind.RASTER) {
            return result;
        }
        for (FileGraph.Target target : pass.targets()) {
            int resource = known(resources, target.resource(), "resource");
            int found = -1;
            for (int u = 0; u < uses.size() && found < 0; u++) {
                if (uses.get(u).resource() == resource && attaches(uses.get(u).access(), target.depth())) {
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

    private static boolean attaches(Access access, boolean depth) {
        return depth
                ? access == Access.DEPTH_READ || access == Access.DEPTH_WRITE || access == Access.DEPTH_READ_WRITE
                : access == Access.COLOR_WRITE || access == Access.COLOR_READ_WRITE;
    }

    private static DeclaredGraph.Use targetUse(int resource, FileGraph.Target target) {
        boolean loads = target.load() == LoadOp.LOAD;
        Access access = target.depth()
                ? target.readOnly() ? Access.DEPTH_READ : loads ? Access.DEPTH_READ_WRITE : Access.DEPTH_WRITE
                : loads ? Access.COLOR_READ_WRITE : Access.COLOR_WRITE;
        DeclaredGraph.Mode mode = !access.writes()
                ? DeclaredGraph.Mode.READ
                : loads ? DeclaredGraph.Mode.WRITE : DeclaredGraph.Mode.OVERWRITE;
        return new DeclaredGraph.Use(resource, target.resource(), null, 0, -1, access, mode, true, -1, null);
    }

    /** An attachment names its range. */
    private DeclaredGraph.Use attached(DeclaredGraph.Use use) {
        FileGraph.Res resource = source.resources().get(use.resource());
        SubresourceRange range = use.range() != null
                ? use.range()
                : new SubresourceRange(0, resource.mips(), 0, resource.layers(), 0, resource.planes());
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

    private static Access access(FileGraph.Pass pass, FileGraph.Use use) {
        return AccessNames.access(use.access(), pass.kind() == FileGraph.Kind.COMPUTE);
    }

    private int known(Map<String, Integer> names, String name, String what) {
        Integer index = names.get(name);
        if (index == null) {
            throw new GraphFileException(file + ": unknown " + what + " '" + name + "'");
        }
        return index;
    }
}
