package io.frameloom.benchmarks.rendergraph;

import io.frameloom.benchmarks.dag.SplitMix64;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgResource;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A frame of any number of passes that resembles real ones: every pass makes one or two transients and reads two to
 * four recent ones, 3.8 uses a pass in all; three passes in ten are async compute, one in ten a copy, and one compute pass
 * in eight works on single mips.
 * Nothing is culled: what nobody has read yet is read next, and the last pass reads the rest of it. Equal seeds give
 * equal frames; what to declare is decided once, so that declaring costs what it costs an application.
 */
final class RandomFrame {
    private static final int WINDOW = 24;
    private static final int MIPS = 4;
    private static final List<Access> RASTER_READS =
            List.of(Access.SAMPLED_FRAGMENT, Access.SAMPLED_FRAGMENT, Access.SAMPLED_VERTEX);
    private static final List<Access> COMPUTE_READS = List.of(Access.SAMPLED_COMPUTE, Access.STORAGE_READ_COMPUTE);
    private static final PassBody BODY = context -> {};

    /** Sizes as a device would tell them. */
    static final MemorySizer SIZER = new MemorySizer() {
        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            long texels = (long) description.width() * description.height() * description.mips();
            return new MemoryRequirements(texels * 4 + 4096, 4096, 1);
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            return new MemoryRequirements(description.bytes() + 192, 256, 1);
        }
    };

    /** What is to be made: a texture or a buffer, the other is null. */
    private record Made(
            String name,
            @Nullable TextureDescription texture,
            @Nullable BufferDescription buffer) {
        Object shape() {
            return texture != null ? texture : Objects.requireNonNull(buffer);
        }
    }

    private record Touch(int resource, int mip, Access access) {}

    private record Planned(String name, PassKind kind, boolean async, List<Touch> writes, List<Touch> reads) {}

    /** Of the graph that is declared. */
    private final RdgResource[] handles;

    // Arrays: an application has no lists of what it declares, whose objects the processor has to fetch.
    private final String[] resourceNames;
    private final Object[] shapes;
    private final String[] passNames;
    private final PassKind[] kinds;
    private final boolean[] async;
    /** By pass where its uses end. */
    private final int[] ends;

    private final int[] used;
    private final boolean[] writes;
    private final Access[] accesses;
    private final @Nullable SubresourceRange[] ranges;

    RandomFrame(long seed, int count) {
        Generator generator = new Generator(seed);
        List<Planned> passes = new ArrayList<>();
        for (int p = 0; p < count; p++) {
            passes.add(generator.pass(p, p == count - 1));
        }
        List<Made> resources = generator.resources;
        handles = new RdgResource[resources.size()];
        resourceNames = resources.stream().map(Made::name).toArray(String[]::new);
        shapes = resources.stream().map(Made::shape).toArray();
        passNames = passes.stream().map(Planned::name).toArray(String[]::new);
        kinds = passes.stream().map(Planned::kind).toArray(PassKind[]::new);
        async = new boolean[count];
        ends = new int[count];
        int uses = passes.stream()
                .mapToInt(pass -> pass.reads.size() + pass.writes.size())
                .sum();
        used = new int[uses];
        writes = new boolean[uses];
        accesses = new Access[uses];
        ranges = new SubresourceRange[uses];
        int end = 0;
        for (int p = 0; p < count; p++) {
            Planned pass = passes.get(p);
            async[p] = pass.async;
            end = note(pass.reads, false, end);
            end = note(pass.writes, true, end);
            ends[p] = end;
        }
    }

    private int note(List<Touch> touches, boolean write, int first) {
        int use = first;
        for (Touch touch : touches) {
            used[use] = touch.resource;
            writes[use] = write;
            accesses[use] = touch.access;
            ranges[use] = touch.mip < 0 ? null : SubresourceRange.mip(touch.mip);
            use++;
        }
        return use;
    }

    /** Declares the frame into a graph of its own. */
    RenderGraph declare(RdgOptions options) {
        return declare(new RenderGraph("benchmark", options));
    }

    /** Declares the frame into an empty graph. */
    RenderGraph declare(RenderGraph graph) {
        for (int r = 0; r < handles.length; r++) {
            handles[r] = shapes[r] instanceof TextureDescription texture
                    ? graph.createTexture(resourceNames[r], texture)
                    : graph.createBuffer(resourceNames[r], (BufferDescription) shapes[r]);
        }
        int last = kinds.length - 1;
        for (int p = 0, u = 0; p <= last; p++) {
            PassBuilder pass = graph.addPass(passNames[p], kinds[p]);
            if (async[p]) {
                pass.flag(PassFlag.ASYNC_COMPUTE);
            }
            if (p == last) {
                pass.flag(PassFlag.NEVER_CULL);
            }
            for (; u < ends[p]; u++) {
                if (handles[used[u]] instanceof RdgTexture texture) {
                    use(pass, texture, kinds[p], u);
                } else if (writes[u]) {
                    pass.overwrites((RdgBuffer) handles[used[u]], accesses[u]);
                } else {
                    pass.reads((RdgBuffer) handles[used[u]], accesses[u]);
                }
            }
            pass.record(BODY);
        }
        return graph;
    }

    private void use(PassBuilder pass, RdgTexture texture, PassKind kind, int use) {
        SubresourceRange range = ranges[use];
        if (!writes[use]) {
            if (range == null) {
                pass.reads(texture, accesses[use]);
            } else {
                pass.reads(texture, range, accesses[use]);
            }
        } else if (kind == PassKind.RASTER) {
            pass.color(texture, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT);
        } else if (range == null) {
            pass.overwrites(texture, accesses[use]);
        } else {
            pass.overwrites(texture, range, accesses[use]);
        }
    }

    /** Decides what a frame is. */
    private static final class Generator {
        private final SplitMix64 random;
        private final List<Made> resources = new ArrayList<>();
        private final List<Integer> unread = new ArrayList<>();

        Generator(long seed) {
            random = new SplitMix64(seed);
        }

        Planned pass(int index, boolean last) {
            int dice = random.below(20);
            boolean async = !last && dice < 6;
            PassKind kind =
                    async || (dice < 9 && !last) ? PassKind.COMPUTE : dice < 11 ? PassKind.COPY : PassKind.RASTER;
            List<Touch> reads = new ArrayList<>();
            int wanted = index == 0 ? 0 : 2 + random.below(3);
            while (!unread.isEmpty() && (last || reads.size() < wanted)) {
                addRead(reads, unread.remove(0), kind);
            }
            while (!resources.isEmpty() && reads.size() < wanted) {
                addRead(reads, resources.size() - 1 - random.below(Math.min(WINDOW, resources.size())), kind);
                wanted--;
            }
            List<Touch> writes = new ArrayList<>();
            boolean mips = kind == PassKind.COMPUTE && random.below(8) == 0;
            int made = mips || random.below(10) < 4 ? 2 : 1;
            int width = 64 << random.below(5);
            if (mips) {
                int resource = texture("r" + index, width, MIPS);
                writes.add(new Touch(resource, 0, write(kind)));
                writes.add(new Touch(resource, 1, write(kind)));
                reads.removeIf(read -> read.resource == resource);
                unread.add(resource);
            } else {
                for (int i = 0; i < made; i++) {
                    int resource = kind != PassKind.RASTER && random.below(3) == 0
                            ? buffer("r" + index + "." + i, 1024L << random.below(10))
                            : texture("r" + index + "." + i, width, 1);
                    writes.add(new Touch(resource, -1, write(kind)));
                    unread.add(resource);
                }
            }
            return new Planned("pass" + index, kind, async, writes, reads);
        }

        private void addRead(List<Touch> reads, int resource, PassKind kind) {
            for (Touch known : reads) {
                if (known.resource == resource) {
                    return;
                }
            }
            Made made = resources.get(resource);
            Access access;
            if (kind == PassKind.COPY) {
                access = Access.COPY_SRC;
            } else if (made.texture == null) {
                access = kind == PassKind.RASTER ? Access.VERTEX : Access.STORAGE_READ_COMPUTE;
            } else if (kind == PassKind.RASTER) {
                access = RASTER_READS.get(random.below(RASTER_READS.size()));
            } else {
                access = COMPUTE_READS.get(random.below(COMPUTE_READS.size()));
            }
            reads.add(new Touch(
                    resource, made.texture != null && made.texture.mips() > 1 ? random.below(2) : -1, access));
        }

        private static Access write(PassKind kind) {
            return kind == PassKind.COPY ? Access.COPY_DST : Access.STORAGE_WRITE_COMPUTE;
        }

        private int texture(String name, int width, int mips) {
            resources.add(new Made(
                    name,
                    TextureDescription.of(width, width, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED)
                            .withMips(mips),
                    null));
            return resources.size() - 1;
        }

        private int buffer(String name, long bytes) {
            resources.add(new Made(name, null, BufferDescription.device(bytes, BufferUsage.STORAGE)));
            return resources.size() - 1;
        }
    }
}
