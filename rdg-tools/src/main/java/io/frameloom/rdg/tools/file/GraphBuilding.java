package io.frameloom.rdg.tools.file;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.declare.BoundFrame;
import io.frameloom.rdg.declare.ConditionalPass;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.HostPassBody;
import io.frameloom.rdg.declare.Mode;
import io.frameloom.rdg.declare.PassDeclaration;
import io.frameloom.rdg.tools.GraphFileException;
import io.frameloom.rdg.tools.file.FileGraph.Flag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Declares the graph of a file. */
public final class GraphBuilding {
    private static final PassBody NOTHING = context -> {};
    private static final PassBody NOTHING_ON_HOST = new HostPassBody(context -> {});

    private final FileGraph source;
    private final FileNames names;
    private final Map<String, Integer> groups = new HashMap<>();
    private final Map<Integer, BooleanSupplier> conditions = new HashMap<>();
    private final ResourceBuilding resources;

    /**
     * Resolves the names.
     *
     * @throws GraphFileException if a name is unknown or what the passes use is beyond all measure
     */
    public GraphBuilding(FileGraph source, FileNames names) {
        this.source = source;
        this.names = names;
        this.resources = new ResourceBuilding(names, source.resources.size());
        source.passes.forEach(this::scan);
        if (source.mode.actuallyUsed != null) {
            for (FileGraph.Taken taken : source.mode.actuallyUsed) {
                if (taken.pass() != null) {
                    names.pass(taken.pass());
                }
                taken.resources().forEach(used -> names.resource(used.text(), used.line()));
            }
        }
        CellBound.check(source, names);
    }

    /**
     * Returns the graph. With {@link AsyncCompute#OFF} passes of compute queues stand on the first queue, unless their
     * queue is fixed. They stay compute passes.
     *
     * @param bound receives what the passes do
     */
    public DeclaredGraph graph(AsyncCompute policy, BoundFrame bound) {
        DeclaredGraph graph = new DeclaredGraph(source.id);
        resources.declare(source.resources, graph);
        List<List<Integer>> after = new ArrayList<>();
        source.passes.forEach(pass -> after.add(new ArrayList<>(0)));
        for (FileGraph.Dependency dependency : source.dependencies) {
            after.get(names.pass(dependency.later())).add(names.pass(dependency.earlier()));
        }
        new VersionOrders(source, names).add(after);
        List<QueueTopology.Queue> queues = names.topology().queues();
        for (FileGraph.Pass pass : source.passes) {
            int queue = queue(pass, queues, policy);
            int index = declare(pass, graph);
            graph.setQueue(index, queue);
            after.get(index).forEach(earlier -> graph.addAfter(index, earlier));
            PassBody body = pass.kind == FileGraph.Kind.HOST ? NOTHING_ON_HOST : NOTHING;
            graph.setBody(index);
            bound.setBody(
                    index, pass.isConditional() ? new ConditionalPass(condition(pass), List.of(), null, body) : body);
        }
        return graph;
    }

    /** Resolves names, and notes what decides about resources. */
    private void scan(FileGraph.Pass pass) {
        resources.noteUses(pass);
        pass.touches.forEach(touched -> names.resource(touched.text(), touched.line()));
        if (pass.targets != null) {
            requireRaster(pass, pass.targets);
            resources.noteTargets(pass, pass.targets);
        }
    }

    private void requireRaster(FileGraph.Pass pass, List<FileGraph.Target> targets) {
        if (pass.kind != FileGraph.Kind.RASTER) {
            throw names.fail(
                    pass.line,
                    "pass '" + pass.id + "' has render targets (\"rt\"), which only passes of the kind raster have");
        }
        if (targets.isEmpty() && pass.area != null) {
            throw names.fail(
                    pass.line,
                    "pass '" + pass.id + "' has a render area and no render target; name one, or leave \"area\" out");
        }
    }

    /** Adds a pass with its flags, uses and targets, and returns its index. */
    private int declare(FileGraph.Pass pass, DeclaredGraph graph) {
        PassKind kind = kind(pass);
        int index = graph.addPass(pass.id, kind, -1, null);
        for (Flag flag : pass.flags) {
            boolean shows = flag.flag() == PassFlag.ASYNC_COPY && names.showsInPlaceOfCopies();
            if (flag.flag() != null && !shows) {
                graph.flag(index, flag.flag());
            }
        }
        if (pass.async) {
            graph.flag(index, PassFlag.ASYNC_COMPUTE);
        }
        if (pass.kind == FileGraph.Kind.PRESENT || readsOnHost(pass)) {
            graph.flag(index, PassFlag.NEVER_CULL);
        }
        for (FileGraph.Use use : pass.uses) {
            declare(pass, use, graph);
        }
        if (pass.targets != null) {
            new TargetBuilding(names, this::whole, graph, index, pass.isConditional()).declare(pass.targets);
        }
        if (kind == PassKind.RASTER && graph.firstAttachment(index) == graph.firstAttachment(index + 1)) {
            graph.flag(index, PassFlag.SKIP_RENDER_PASS);
        }
        List<Integer> area = pass.area;
        if (area != null) {
            graph.setArea(index, area.get(0), area.get(1), area.get(2), area.get(3));
        }
        PassDeclaration.keepBesideTargets(graph, index);
        return index;
    }

    /** Returns the condition of a pass: that of all with its number, or one of its own. */
    private BooleanSupplier condition(FileGraph.Pass pass) {
        Integer number = pass.condition;
        return number == null ? new AlwaysRuns() : conditions.computeIfAbsent(number, first -> new AlwaysRuns());
    }

    private static PassKind kind(FileGraph.Pass pass) {
        return switch (pass.kind) {
            case RASTER -> PassKind.RASTER;
            case COMPUTE -> PassKind.COMPUTE;
            case COPY, PRESENT -> PassKind.COPY;
            case HOST -> PassKind.HOST;
        };
    }

    /** Returns the queue that a pass stands on whatever the policy, or -1. */
    private int queue(FileGraph.Pass pass, List<QueueTopology.Queue> queues, AsyncCompute policy) {
        int queue = names.queueOf(pass);
        if (pass.kind == FileGraph.Kind.HOST) {
            return -1;
        }
        QueueKind needs = kind(pass).queue();
        QueueTopology.Queue own = queues.get(queue);
        boolean shows = names.presents(queue);
        if (!own.kind().supports(needs) || (shows && pass.kind != FileGraph.Kind.PRESENT)) {
            throw names.fail(
                    pass,
                    RdgError.Code.QUEUE_CAPABILITY,
                    "pass '" + pass.id + "' needs a queue with the capability " + word(needs) + ", queue '" + own.name()
                            + "' has " + (shows ? "present" : word(own.kind())) + " at most");
        }
        if (pass.flags.contains(Flag.QUEUE_FIXED) || queues.get(0).kind() != QueueKind.GRAPHICS) {
            return queue;
        }
        return queue == 0 || (policy == AsyncCompute.OFF && own.kind() == QueueKind.COMPUTE) ? -1 : queue;
    }

    /** What the host reads is an effect, whatever the graph makes of it; a dump says itself what is one. */
    private boolean readsOnHost(FileGraph.Pass pass) {
        return !source.dumped
                && pass.kind == FileGraph.Kind.HOST
                && pass.uses.stream().anyMatch(use -> AccessNames.access(pass, use) == Access.HOST_READ);
    }

    private static String word(QueueKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private void declare(FileGraph.Pass pass, FileGraph.Use use, DeclaredGraph graph) {
        Access access = AccessNames.access(pass, use);
        int resource = names.resource(use.resource, use.line);
        // A pass that may be skipped leaves what was there before.
        boolean discards = use.discard && !pass.isConditional();
        Mode mode = !access.writes() ? Mode.READ : discards ? Mode.OVERWRITE : Mode.WRITE;
        int group = use.group == null || !access.writes()
                ? use.alone ? DeclaredGraph.ALONE : DeclaredGraph.NO_GROUP
                : groups.computeIfAbsent(use.group, name -> groups.size());
        int index = graph.passes() - 1;
        TextureDescription texture = graph.texture(resource);
        FileGraph.Interval bytes = bytes(use, graph.buffer(resource));
        SubresourceRange range = range(pass, use, texture);
        if (bytes == null) {
            graph.addUse(index, resource, range, access, mode, group, null);
        } else {
            graph.addUse(index, resource, bytes.from(), bytes.to() - bytes.from(), access, mode, group, null);
        }
    }

    private FileGraph.@Nullable Interval bytes(FileGraph.Use use, @Nullable BufferDescription buffer) {
        if (use.bytes != null && buffer == null) {
            throw names.fail(use.line, "a use names bytes of '" + use.resource + "', a texture");
        }
        return use.bytes;
    }

    private @Nullable SubresourceRange range(
            FileGraph.Pass pass, FileGraph.Use use, @Nullable TextureDescription texture) {
        if (use.mip == null && use.layer == null && use.plane == null) {
            return null;
        }
        if (texture == null) {
            throw names.fail(
                    use.line,
                    "pass '" + pass.id + "' names mips, layers or planes of '" + use.resource + "', a buffer");
        }
        SubresourceRange all = SubresourceRange.all(texture);
        FileGraph.Interval mips = use.mip == null ? new FileGraph.Interval(0, all.mipCount()) : use.mip;
        FileGraph.Interval layers = use.layer == null ? new FileGraph.Interval(0, all.layerCount()) : use.layer;
        FileGraph.Interval planes = use.plane == null ? new FileGraph.Interval(0, all.planeCount()) : use.plane;
        return new SubresourceRange(
                (int) mips.from(),
                (int) (mips.to() - mips.from()),
                (int) layers.from(),
                (int) (layers.to() - layers.from()),
                (int) planes.from(),
                (int) (planes.to() - planes.from()));
    }

    private SubresourceRange whole(int index) {
        FileGraph.Res resource = source.resources.get(index);
        return new SubresourceRange(0, resource.mips, 0, resource.layers, 0, resource.planes);
    }

    /** A condition of a file, which does not say on what it depends: each object is one of its own. */
    private static final class AlwaysRuns implements BooleanSupplier {
        @Override
        public boolean getAsBoolean() {
            return true;
        }
    }
}
