package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.GraphModel.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Lets passes of a model build acceleration structures and trace rays through them, at random: equal seeds give equal ones.
 * Draws numbers of its own, so that graphs are otherwise those that they would be without.
 */
final class RandomStructures {
    private final SplittableRandom random;
    private final List<GraphModel.Res> resources;
    private final List<Integer> bottoms = new ArrayList<>();
    private final List<Integer> tops = new ArrayList<>();

    private RandomStructures(SplittableRandom random, GraphModel model) {
        this.random = random;
        resources = new ArrayList<>(model.resources());
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            bottoms.add(add(Role.BOTTOM_LEVEL));
            tops.add(add(Role.TOP_LEVEL));
        }
    }

    /** Returns the model with structures, or one in three as it is. */
    static GraphModel into(GraphModel model, long seed) {
        SplittableRandom random = new SplittableRandom(~seed);
        if (random.nextInt(3) == 0) {
            return model;
        }
        RandomStructures structures = new RandomStructures(random, model);
        List<GraphModel.Pass> passes =
                model.passes().stream().map(structures::changed).toList();
        return new GraphModel(List.copyOf(structures.resources), passes);
    }

    private int add(Role role) {
        boolean scratch = role == Role.PLAIN;
        resources.add(new GraphModel.Res(
                "r" + resources.size(),
                false,
                false,
                1,
                1,
                1,
                scratch ? Lifetime.TRANSIENT : Lifetime.EXTERNAL,
                TextureLayout.UNDEFINED,
                null,
                MemoryUsage.DEVICE,
                role));
        return resources.size() - 1;
    }

    private GraphModel.Pass changed(GraphModel.Pass pass) {
        boolean computes = pass.kind() == PassKind.COMPUTE;
        if (pass.builtin() || (!computes && pass.kind() != PassKind.RASTER)) {
            return pass;
        }
        List<GraphModel.Use> uses = new ArrayList<>(pass.uses());
        switch (random.nextInt(4)) {
            case 0 -> trace(computes, uses);
            case 1 -> {
                if (computes) {
                    inputs(uses);
                    build(pick(bottoms), uses);
                }
            }
            case 2 -> {
                if (computes) {
                    bottoms.forEach(bottom -> uses.add(use(bottom, Access.ACCELERATION_STRUCTURE_BUILD_READ, false)));
                    build(pick(tops), uses);
                }
            }
            default -> {
                return pass;
            }
        }
        return pass.using(List.copyOf(uses));
    }

    /** A top level may refer to any of the bottom levels. */
    private void trace(boolean computes, List<GraphModel.Use> uses) {
        Access access = !computes
                ? Access.ACCELERATION_STRUCTURE_TRACE_GRAPHICS
                : random.nextInt(3) == 0
                        ? Access.ACCELERATION_STRUCTURE_TRACE_RAYS
                        : Access.ACCELERATION_STRUCTURE_TRACE_COMPUTE;
        uses.add(use(pick(tops), access, false));
        bottoms.forEach(bottom -> uses.add(use(bottom, access, false)));
    }

    /** Builds anew, or updates what is there. */
    private void build(int structure, List<GraphModel.Use> uses) {
        boolean anew = random.nextInt(3) != 0;
        Access access =
                anew ? Access.ACCELERATION_STRUCTURE_BUILD_WRITE : Access.ACCELERATION_STRUCTURE_BUILD_READ_WRITE;
        uses.add(use(structure, access, anew));
        uses.add(use(add(Role.PLAIN), Access.ACCELERATION_STRUCTURE_SCRATCH, true));
    }

    /** Reads a buffer that the pass reads anyway as vertices. */
    private void inputs(List<GraphModel.Use> uses) {
        for (int u = 0; u < uses.size(); u++) {
            GraphModel.Use use = uses.get(u);
            if (use.access() == Access.STORAGE_READ_COMPUTE
                    && !resources.get(use.resource()).texture()) {
                uses.set(
                        u,
                        new GraphModel.Use(
                                use.resource(),
                                use.mip(),
                                use.mips(),
                                0,
                                1,
                                Access.ACCELERATION_STRUCTURE_INPUT,
                                false,
                                null));
                return;
            }
        }
    }

    private static GraphModel.Use use(int resource, Access access, boolean discard) {
        return new GraphModel.Use(resource, 0, 1, 0, 1, access, discard, null);
    }

    private int pick(List<Integer> of) {
        return of.get(random.nextInt(of.size()));
    }
}
