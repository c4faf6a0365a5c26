package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.GraphModel.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes sound graphs at random with all that can be declared, and queues and options for them: equal seeds give equal
 * cases.
 */
public final class RandomCases {
    private static final List<Access> COMPUTE_TEXTURE_READS =
            List.of(Access.SAMPLED_COMPUTE, Access.SAMPLED_COMPUTE, Access.STORAGE_READ_COMPUTE);
    private static final List<Access> COMPUTE_WRITES =
            List.of(Access.STORAGE_WRITE_COMPUTE, Access.STORAGE_READ_WRITE_COMPUTE);
    private static final List<Access> RASTER_TEXTURE_READS = List.of(
            Access.SAMPLED_FRAGMENT, Access.SAMPLED_FRAGMENT, Access.SAMPLED_VERTEX, Access.STORAGE_READ_FRAGMENT);

    private final long seed;
    private final SplittableRandom random;
    private final List<GraphModel.Res> resources = new ArrayList<>();
    private final List<boolean[]> written = new ArrayList<>();
    private final List<GraphModel.Pass> passes = new ArrayList<>();
    private List<GraphModel.Use> lastTargets = List.of();
    private int lastQuarter;
    private int lastQueue = -1;

    private final UnaryOperator<GraphModel> change;
    private final RandomSettings settings;
    private final RandomResources shapes;
    private final MappedUses mapped;

    private RandomCases(long seed, boolean presents, UnaryOperator<GraphModel> change) {
        this.seed = seed;
        random = new SplittableRandom(seed);
        this.change = change;
        settings = new RandomSettings(random);
        shapes = new RandomResources(random, seed, presents);
        mapped = new MappedUses(random, resources, written);
    }

    /** Returns a graph for a number of queues, to be compiled only. */
    public static PlanCase judged(long seed, int queues) {
        RandomCases cases = new RandomCases(seed, true, UnaryOperator.identity());
        return cases.make(cases.settings.queues(queues));
    }

    /** Returns a graph that a device with these queues can execute with one result. */
    static PlanCase runnable(long seed, QueueTopology queues) {
        return new RandomCases(seed, false, RunnableModels::of).make(queues);
    }

    private PlanCase make(QueueTopology queues) {
        RdgOptions options = settings.options();
        int histories = one(6) ? 1 : 0;
        for (int h = 0; h < histories; h++) {
            history(h);
        }
        int resourceCount = 2 + random.nextInt(6);
        for (int r = 0; r < resourceCount; r++) {
            GraphModel.Res res = one(6) ? shapes.multisampled(resources.size()) : shapes.resource(resources.size());
            add(res.shared(shapes.sharing(res)));
        }
        int passCount = 2 + random.nextInt(10);
        for (int p = 0; p < passCount; p++) {
            GraphModel.Pass pass = placed(pass(passes.size()), queues);
            passes.add(pass);
            note(pass);
        }
        GraphModel model =
                change.apply(RandomStructures.into(new GraphModel(List.copyOf(resources), List.copyOf(passes)), seed));
        boolean unordered = options.order() == PassOrder.UNORDERED;
        return new PlanCase(unordered ? UnorderedModels.shuffled(model, random) : model, queues, options);
    }

    private void add(GraphModel.Res res) {
        resources.add(res);
        boolean[] units = new boolean[res.units()];
        Arrays.fill(units, res.hasContents());
        written.add(units);
    }

    private void history(int index) {
        boolean texture = random.nextBoolean();
        int mips = texture && one(3) ? 2 : 1;
        Access rest = texture ? Access.SAMPLED_COMPUTE : Access.STORAGE_READ_COMPUTE;
        int previous = resources.size();
        QueueSharing sharing = QueueSharing.CONCURRENT;
        for (Role role : List.of(Role.PREVIOUS, Role.CURRENT)) {
            GraphModel.Res half = new GraphModel.Res(
                    "h" + index,
                    texture,
                    false,
                    mips,
                    1,
                    1,
                    role == Role.PREVIOUS ? Lifetime.EXTERNAL : Lifetime.HISTORY,
                    TextureLayout.UNDEFINED,
                    rest,
                    MemoryUsage.DEVICE,
                    role);
            sharing = role == Role.PREVIOUS ? shapes.sharing(half) : sharing;
            add(half.shared(sharing));
        }
        GraphModel.Pass clear = new GraphModel.Pass(
                        "clear " + index,
                        texture ? PassKind.COMPUTE : PassKind.COPY,
                        false,
                        false,
                        List.of(new GraphModel.Use(previous, 0, mips, 0, 1, Access.COPY_DST, true, null)))
                .asBuiltin();
        passes.add(clear);
        note(clear);
    }

    private boolean drawsSamples() {
        return lastTargets.stream()
                .anyMatch(target -> resources.get(target.resource()).samples() > 1);
    }

    private GraphModel.Pass pass(int index) {
        PassKind kind = one(7) && resources.stream().anyMatch(res -> res.memory() != MemoryUsage.DEVICE)
                ? PassKind.HOST
                : pick(List.of(PassKind.RASTER, PassKind.COMPUTE, PassKind.COMPUTE, PassKind.COPY));
        Set<PassFlag> flags = EnumSet.noneOf(PassFlag.class);
        List<GraphModel.Use> uses = new ArrayList<>();
        boolean drawsOn = !lastTargets.isEmpty() && (one(3) || (drawsSamples() && one(2)));
        if (drawsOn) {
            // Draws on into what the pass before has drawn.
            kind = PassKind.RASTER;
            lastTargets.forEach(target -> target(target, one(4), uses));
        } else if (kind == PassKind.RASTER) {
            targets(uses);
            stencils(uses, flags);
            if (uses.isEmpty()) {
                kind = PassKind.COMPUTE;
            }
        }
        int wanted = (drawsOn ? uses.size() : 0) + 1 + random.nextInt(4);
        int first = random.nextInt(resources.size());
        for (int i = 0; i < 2 * resources.size() && uses.size() < wanted; i++) {
            GraphModel.Use use = use((first + i) % resources.size(), kind);
            if (use != null && uses.stream().noneMatch(use::meets)) {
                uses.add(use);
            }
        }
        if (kind == PassKind.RASTER && uses.stream().allMatch(use -> use.attachment() == null)) {
            flags.add(PassFlag.SKIP_RENDER_PASS);
        }
        if (one(6)) {
            flags.add(PassFlag.NEVER_CULL);
        }
        if (one(10)) {
            flags.add(PassFlag.NEVER_MERGE);
        }
        if (one(10)) {
            flags.add(PassFlag.NEVER_PARALLEL);
        }
        if (kind == PassKind.COPY && one(8)) {
            flags.add(PassFlag.READBACK);
        }
        boolean resolves = uses.stream().anyMatch(GraphModel.Use::isResolve);
        boolean hasTargets = uses.stream().anyMatch(use -> use.attachment() != null);
        int quarter = drawsOn ? lastQuarter : (hasTargets && one(8)) ? 1 + random.nextInt(4) : 0;
        List<Integer> after = new ArrayList<>();
        if (index > 0 && one(5)) {
            int earlier = random.nextInt(index);
            if (!passes.get(earlier).builtin()) {
                after.add(earlier);
            }
        }
        Boolean condition = (!resolves && one(8)) ? (Boolean) random.nextBoolean() : null;
        boolean parted =
                kind != PassKind.HOST && condition == null && !flags.contains(PassFlag.SKIP_RENDER_PASS) && one(12);
        return new GraphModel.Pass(
                "p" + index,
                kind,
                flags,
                -1,
                after,
                condition,
                false,
                quarter,
                parted ? 1 + random.nextInt(3) : 0,
                List.copyOf(uses));
    }

    /** Decides where a pass may run. */
    private GraphModel.Pass placed(GraphModel.Pass pass, QueueTopology queues) {
        if (pass.kind() == PassKind.HOST) {
            return pass;
        }
        Set<PassFlag> flags = EnumSet.copyOf(pass.flags().isEmpty() ? EnumSet.noneOf(PassFlag.class) : pass.flags());
        boolean computes = pass.uses().stream()
                .allMatch(use -> PassKind.COMPUTE.queue().supports(use.access().queue()));
        if (pass.kind() != PassKind.RASTER && computes && random.nextBoolean()) {
            flags.add(PassFlag.ASYNC_COMPUTE);
        } else if (one(10)) {
            // Async ones are refused.
            flags.add(PassFlag.UNTRACKED_ACCESS);
        }
        if (pass.kind() == PassKind.COPY && !flags.contains(PassFlag.UNTRACKED_ACCESS) && one(3)) {
            flags.add(PassFlag.ASYNC_COPY);
        }
        int queue = -1;
        boolean follows = lastQueue > 0 && pass.kind() == PassKind.RASTER && !one(4);
        if (follows || one(pass.kind() == PassKind.RASTER ? 2 : 3)) {
            int wanted = flags.contains(PassFlag.UNTRACKED_ACCESS)
                    ? 0
                    : follows ? lastQueue : random.nextInt(queues.queues().size());
            queue = executes(queues.queues().get(wanted).kind(), pass) ? wanted : -1;
        }
        return pass.with(flags).on(queue);
    }

    /** Returns whether a pass may name a queue; copies to depth that may come from buffers take graphics. */
    private boolean executes(QueueKind kind, GraphModel.Pass pass) {
        boolean toDepth = pass.uses().stream().anyMatch(use -> isDepthCopy(use, Access.COPY_DST))
                && pass.uses().stream().noneMatch(use -> isDepthCopy(use, Access.COPY_SRC));
        return kind.supports(pass.kind().queue())
                && pass.uses().stream()
                        .allMatch(use -> kind.supports(use.access().queue()))
                && (!toDepth || kind == QueueKind.GRAPHICS);
    }

    private boolean isDepthCopy(GraphModel.Use use, Access access) {
        return use.access() == access && resources.get(use.resource()).depth();
    }

    private void note(GraphModel.Pass pass) {
        lastTargets = new ArrayList<>();
        lastQuarter = pass.quarter();
        lastQueue = pass.queue();
        for (GraphModel.Use use : pass.uses()) {
            GraphModel.Res res = resources.get(use.resource());
            if (use.attachment() != null) {
                Access on = !use.access().writes()
                        ? use.access()
                        : res.depth() ? Access.DEPTH_READ_WRITE : Access.COLOR_READ_WRITE;
                lastTargets.add(
                        new GraphModel.Use(use.resource(), use.mip(), 1, use.layer(), 1, on, false, LoadOp.LOAD));
            }
            if (use.access().writes()) {
                for (int u = 0; u < res.units(); u++) {
                    written.get(use.resource())[u] |= use.covers(res, u);
                }
                boolean gives = res.samples() == 1 && res.memory() != MemoryUsage.UPLOAD;
                if (res.lifetime() == Lifetime.TRANSIENT && gives && one(12)) {
                    resources.set(use.resource(), res.extracted(res.texture() ? Access.SAMPLED_FRAGMENT : null));
                }
            }
        }
    }

    /** One or two targets of one extent. */
    private void targets(List<GraphModel.Use> uses) {
        int first = random.nextInt(resources.size());
        int wanted = 1 + random.nextInt(2);
        boolean depth = false;
        for (int i = 0; i < resources.size() && uses.size() < wanted; i++) {
            int r = (first + i) % resources.size();
            GraphModel.Res res = resources.get(r);
            int mip = uses.isEmpty() ? random.nextInt(res.mips()) : uses.get(0).mip();
            boolean fits = res.texture() && res.planes() == 1 && isTarget(res) && mip < res.mips();
            fits &= uses.isEmpty() || resources.get(uses.get(0).resource()).samples() == res.samples();
            if (fits && !(depth && res.depth()) && uses.stream().noneMatch(use -> use.resource() == r)) {
                depth |= res.depth();
                target(target(r, mip, random.nextInt(res.layers())), !one(4), uses);
            }
        }
    }

    private boolean isTarget(GraphModel.Res res) {
        return writable(res) || res.role() == Role.MULTISAMPLED;
    }

    /** Adds a target, and what it is resolved to unless that is left out. */
    private void target(GraphModel.Use target, boolean unresolved, List<GraphModel.Use> uses) {
        uses.add(target);
        if (resources.get(target.resource()).samples() == 1 || unresolved) {
            return;
        }
        int first = random.nextInt(resources.size());
        // Mostly to what was not there before, so that it takes over memory.
        boolean anew = !one(4);
        for (int i = 0; i < 2 * resources.size(); i++) {
            int r = (first + i) % resources.size();
            GraphModel.Res res = resources.get(r);
            boolean fits = res.texture() && !res.depth() && res.role() == Role.PLAIN && res.samples() == 1;
            GraphModel.Use use =
                    new GraphModel.Use(r, 0, 1, random.nextInt(res.layers()), 1, Access.RESOLVE_DST, true, null);
            boolean fresh = res.lifetime() == Lifetime.TRANSIENT && !writtenIn(use);
            if (fits
                    && (fresh || !anew || i >= resources.size())
                    && uses.stream().noneMatch(use::meets)) {
                uses.add(use);
                return;
            }
        }
    }

    private GraphModel.Use target(int r, int mip, int layer) {
        GraphModel.Res res = resources.get(r);
        LoadOp load = pick(List.of(LoadOp.LOAD, LoadOp.CLEAR, LoadOp.DONT_CARE));
        boolean keeps = load == LoadOp.LOAD;
        GraphModel.Use box = new GraphModel.Use(r, mip, 1, layer, 1, Access.COPY_SRC, false, null);
        if (res.depth() && keeps && writtenIn(box) && random.nextBoolean()) {
            return new GraphModel.Use(r, mip, 1, layer, 1, Access.DEPTH_READ, false, load);
        }
        Access access = res.depth()
                ? keeps ? Access.DEPTH_READ_WRITE : Access.DEPTH_WRITE
                : keeps ? Access.COLOR_READ_WRITE : Access.COLOR_WRITE;
        return new GraphModel.Use(r, mip, 1, layer, 1, access, !keeps, load);
    }

    /** A pass that begins its render passes itself may use the planes of one texture differently. */
    private void stencils(List<GraphModel.Use> uses, Set<PassFlag> flags) {
        int r = random.nextInt(resources.size());
        GraphModel.Res res = resources.get(r);
        if (res.planes() != 2 || !writable(res) || (!uses.isEmpty() && !one(3))) {
            return;
        }
        uses.clear();
        int mip = random.nextInt(res.mips());
        int layer = random.nextInt(res.layers());
        for (int plane = 0; plane < 2; plane++) {
            GraphModel.Use box = new GraphModel.Use(r, mip, 1, layer, 1, plane, 1, Access.COPY_SRC, false, null, -1);
            List<Access> possible = plane == 0
                    ? List.of(Access.DEPTH_WRITE, Access.DEPTH_READ_WRITE, Access.DEPTH_READ)
                    : List.of(Access.STENCIL_WRITE, Access.STENCIL_READ_WRITE, Access.STENCIL_READ);
            Access access = writtenIn(box) ? pick(possible) : possible.get(0);
            boolean discard = access == possible.get(0) && random.nextBoolean();
            if (!one(3)) {
                uses.add(new GraphModel.Use(r, mip, 1, layer, 1, plane, 1, access, discard, null, -1));
                flags.add(PassFlag.SKIP_RENDER_PASS);
            }
        }
    }

    private boolean writable(GraphModel.Res res) {
        return res.role() == Role.PLAIN || res.role() == Role.CURRENT;
    }

    private GraphModel.@Nullable Use use(int r, PassKind kind) {
        GraphModel.Res res = resources.get(r);
        if (res.samples() > 1) {
            return null;
        }
        boolean whole = random.nextBoolean();
        int mip = whole ? 0 : random.nextInt(res.mips());
        int mips = whole ? res.mips() : 1 + random.nextInt(res.mips() - mip);
        int layer = whole ? 0 : random.nextInt(res.layers());
        int layers = whole ? res.layers() : 1 + random.nextInt(res.layers() - layer);
        int plane = random.nextInt(res.planes());
        int planes = res.planes() == 2 && kind == PassKind.COPY && random.nextBoolean() ? 2 : 1;
        plane = planes == 2 ? 0 : plane;
        GraphModel.Use box =
                new GraphModel.Use(r, mip, mips, layer, layers, plane, planes, Access.COPY_SRC, false, null, -1);
        if (res.memory() != MemoryUsage.DEVICE && kind == PassKind.HOST) {
            return mapped.onHost(box);
        }
        if (res.memory() != MemoryUsage.DEVICE) {
            return kind == PassKind.COPY ? mapped.copied(box) : null;
        }
        if (kind == PassKind.HOST) {
            return null;
        }
        boolean read = writtenIn(box) && (random.nextInt(5) < 3 || !writable(res));
        if (!read && !writable(res)) {
            return null;
        }
        boolean discard = !read && random.nextBoolean();
        Access access = read ? readAccess(res, kind) : writeAccess(kind);
        if (access == null) {
            return null;
        }
        int group = !discard && access.writes() && kind == PassKind.COMPUTE && random.nextBoolean()
                ? random.nextInt(2)
                : -1;
        return new GraphModel.Use(r, mip, mips, layer, layers, plane, planes, access, discard, null, group);
    }

    private @Nullable Access readAccess(GraphModel.Res res, PassKind kind) {
        if (res.role() == Role.PASSTHROUGH && res.texture()) {
            return switch (kind) {
                case RASTER -> Access.SAMPLED_FRAGMENT;
                case COMPUTE -> Access.SAMPLED_COMPUTE;
                case COPY -> null;
                case HOST -> throw onHost();
            };
        }
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
        return new IllegalArgumentException("passes of the host use mapped buffers alone");
    }

    private @Nullable Access writeAccess(PassKind kind) {
        return switch (kind) {
            case RASTER -> null;
            case COMPUTE -> pick(COMPUTE_WRITES);
            case COPY -> Access.COPY_DST;
            case HOST -> throw onHost();
        };
    }

    /** Returns whether any unit of a use was written. */
    private boolean writtenIn(GraphModel.Use box) {
        GraphModel.Res res = resources.get(box.resource());
        for (int u = 0; u < res.units(); u++) {
            if (box.covers(res, u) && written.get(box.resource())[u]) {
                return true;
            }
        }
        return false;
    }

    private boolean one(int in) {
        return random.nextInt(in) == 0;
    }

    private <T> T pick(List<T> options) {
        return options.get(random.nextInt(options.size()));
    }
}
