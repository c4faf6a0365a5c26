package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Makes sound graphs at random: equal seeds give equal graphs. */
final class RandomGraphs {
    private static final List<Access> COMPUTE_TEXTURE_READS =
            List.of(Access.SAMPLED_COMPUTE, Access.SAMPLED_COMPUTE, Access.STORAGE_READ_COMPUTE);
    private static final List<Access> COMPUTE_WRITES =
            List.of(Access.STORAGE_WRITE_COMPUTE, Access.STORAGE_READ_WRITE_COMPUTE);
    private static final List<Access> RASTER_TEXTURE_READS = List.of(
            Access.SAMPLED_FRAGMENT, Access.SAMPLED_FRAGMENT, Access.SAMPLED_VERTEX, Access.STORAGE_READ_FRAGMENT);

    private final SplittableRandom random;
    private final List<GraphModel.Res> resources = new ArrayList<>();
    private final List<boolean[]> written = new ArrayList<>();
    private GraphModel.@Nullable Use lastTarget;

    private RandomGraphs(long seed) {
        random = new SplittableRandom(seed);
    }

    static GraphModel graph(long seed) {
        return new RandomGraphs(seed).build();
    }

    private GraphModel build() {
        int resourceCount = 2 + random.nextInt(6);
        for (int r = 0; r < resourceCount; r++) {
            GraphModel.Res res = resource(r);
            resources.add(res);
            boolean[] units = new boolean[res.units()];
            Arrays.fill(units, res.lifetime() == Lifetime.EXTERNAL);
            written.add(units);
        }
        List<GraphModel.Pass> passes = new ArrayList<>();
        int passCount = 2 + random.nextInt(12);
        for (int p = 0; p < passCount; p++) {
            passes.add(pass(p));
        }
        return new GraphModel(List.copyOf(resources), List.copyOf(passes));
    }

    private GraphModel.Res resource(int index) {
        boolean texture = random.nextInt(4) != 0;
        boolean depth = texture && random.nextInt(4) == 0;
        int mips = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 1;
        int layers = texture && random.nextInt(5) == 0 ? 2 : 1;
        boolean external = random.nextInt(4) == 0;
        TextureLayout initial = !external || !texture
                ? TextureLayout.UNDEFINED
                : pick(List.of(
                        TextureLayout.SHADER_RO,
                        depth ? TextureLayout.DEPTH : TextureLayout.COLOR,
                        TextureLayout.GENERAL));
        Access last =
                external && texture && random.nextBoolean() ? pick(List.of(Access.PRESENT, Access.COPY_SRC)) : null;
        return new GraphModel.Res(
                "r" + index,
                texture,
                depth,
                mips,
                layers,
                external ? Lifetime.EXTERNAL : Lifetime.TRANSIENT,
                initial,
                depth && last == Access.PRESENT ? Access.SAMPLED_FRAGMENT : last);
    }

    private GraphModel.Pass pass(int index) {
        PassKind kind = pick(List.of(PassKind.RASTER, PassKind.COMPUTE, PassKind.COMPUTE, PassKind.COPY));
        boolean async = kind != PassKind.RASTER && random.nextInt(2) == 0;
        List<GraphModel.Use> uses = new ArrayList<>();
        int first = random.nextInt(resources.size());
        int wanted = 1 + random.nextInt(4);
        boolean attached = false;
        GraphModel.Use target = lastTarget;
        if (target != null && random.nextInt(3) == 0) {
            // Draws on into what the pass before has drawn.
            kind = PassKind.RASTER;
            async = false;
            attached = true;
            first = target.resource() + 1;
            Access access =
                    resources.get(target.resource()).depth() ? Access.DEPTH_READ_WRITE : Access.COLOR_READ_WRITE;
            uses.add(new GraphModel.Use(
                    target.resource(),
                    target.mip(),
                    target.mips(),
                    target.layer(),
                    target.layers(),
                    access,
                    false,
                    LoadOp.LOAD));
            wanted += random.nextInt(2);
        }
        int others = resources.size() - uses.size();
        for (int i = 0; i < others && uses.size() < wanted; i++) {
            int r = (first + i) % resources.size();
            GraphModel.Use use = kind == PassKind.RASTER && !attached ? attachment(r) : use(r, kind);
            if (use != null) {
                attached |= use.attachment() != null;
                uses.add(use);
            }
        }
        if (kind == PassKind.RASTER && !attached) {
            kind = PassKind.COMPUTE;
            uses.removeIf(use -> !PassKind.COMPUTE.queue().supports(use.access().queue()));
        }
        lastTarget = null;
        for (GraphModel.Use use : uses) {
            if (use.attachment() != null && use.access().writes()) {
                lastTarget = use;
            }
            if (use.access().writes()) {
                GraphModel.Res res = resources.get(use.resource());
                for (int u = 0; u < res.units(); u++) {
                    written.get(use.resource())[u] |= use.covers(res, u);
                }
                if (res.lifetime() == Lifetime.TRANSIENT && random.nextInt(12) == 0) {
                    resources.set(
                            use.resource(),
                            new GraphModel.Res(
                                    res.name(),
                                    res.texture(),
                                    res.depth(),
                                    res.mips(),
                                    res.layers(),
                                    Lifetime.EXTRACTED,
                                    res.initial(),
                                    res.texture() ? Access.SAMPLED_FRAGMENT : null));
                }
            }
        }
        return new GraphModel.Pass("p" + index, kind, async, random.nextInt(6) == 0, List.copyOf(uses));
    }

    private GraphModel.@Nullable Use attachment(int r) {
        GraphModel.Res res = resources.get(r);
        if (!res.texture()) {
            return null;
        }
        int mip = random.nextInt(res.mips());
        int layer = random.nextInt(res.layers());
        LoadOp load = pick(List.of(LoadOp.LOAD, LoadOp.CLEAR, LoadOp.DONT_CARE));
        boolean keeps = load == LoadOp.LOAD;
        if (res.depth() && keeps && anyWritten(r, mip, 1, layer, 1) && random.nextBoolean()) {
            return new GraphModel.Use(r, mip, 1, layer, 1, Access.DEPTH_READ, false, load);
        }
        Access access = res.depth()
                ? keeps ? Access.DEPTH_READ_WRITE : Access.DEPTH_WRITE
                : keeps ? Access.COLOR_READ_WRITE : Access.COLOR_WRITE;
        return new GraphModel.Use(r, mip, 1, layer, 1, access, !keeps, load);
    }

    private GraphModel.@Nullable Use use(int r, PassKind kind) {
        GraphModel.Res res = resources.get(r);
        boolean whole = random.nextInt(2) == 0;
        int mip = whole ? 0 : random.nextInt(res.mips());
        int mips = whole ? res.mips() : 1 + random.nextInt(res.mips() - mip);
        int layer = whole ? 0 : random.nextInt(res.layers());
        int layers = whole ? res.layers() : 1 + random.nextInt(res.layers() - layer);
        boolean read = anyWritten(r, mip, mips, layer, layers) && random.nextInt(5) < 3;
        boolean discard = !read && random.nextBoolean();
        Access access = read ? readAccess(res, kind) : writeAccess(kind);
        if (access == null) {
            return null;
        }
        int group = access.writes() && kind == PassKind.COMPUTE && random.nextBoolean() ? random.nextInt(2) : -1;
        return new GraphModel.Use(r, mip, mips, layer, layers, access, discard && group < 0, null, group);
    }

    private Access readAccess(GraphModel.Res res, PassKind kind) {
        return switch (kind) {
            case RASTER ->
                res.texture() ? pick(RASTER_TEXTURE_READS) : pick(List.of(Access.VERTEX, Access.UNIFORM_GRAPHICS));
            case COMPUTE ->
                res.texture()
                        ? pick(COMPUTE_TEXTURE_READS)
                        : pick(List.of(Access.UNIFORM_COMPUTE, Access.STORAGE_READ_COMPUTE, Access.INDIRECT));
            case COPY -> Access.COPY_SRC;
            case HOST -> throw onHost();
        };
    }

    private static IllegalArgumentException onHost() {
        return new IllegalArgumentException("passes of the host have random graphs of their own");
    }

    private @Nullable Access writeAccess(PassKind kind) {
        return switch (kind) {
            case RASTER -> null;
            case COMPUTE -> pick(COMPUTE_WRITES);
            case COPY -> Access.COPY_DST;
            case HOST -> throw onHost();
        };
    }

    private boolean anyWritten(int r, int mip, int mips, int layer, int layers) {
        GraphModel.Use box = new GraphModel.Use(r, mip, mips, layer, layers, Access.COPY_SRC, false, null);
        for (int u = 0; u < resources.get(r).units(); u++) {
            if (box.covers(resources.get(r), u) && written.get(r)[u]) {
                return true;
            }
        }
        return false;
    }

    private <T> T pick(List<T> options) {
        return options.get(random.nextInt(options.size()));
    }
}
