package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes models that devices can execute with one result: every pass reads only what was written before, in accesses that
 * the formats have.
 */
final class RunnableModels {
    private final GraphModel model;
    private final boolean[][] written;
    /** As these, by passes that are left out as well. */
    private final boolean[][] declared;

    private RunnableModels(GraphModel model) {
        this.model = model;
        written = new boolean[model.resources().size()][];
        for (int r = 0; r < written.length; r++) {
            written[r] = new boolean[model.resources().get(r).units()];
            Arrays.fill(written[r], model.resources().get(r).hasContents());
        }
        declared = Arrays.stream(written).map(boolean[]::clone).toArray(boolean[][]::new);
    }

    /** Returns the model with what it cannot do left out; its passes are in the order in which they happen. */
    static GraphModel of(GraphModel serial) {
        GraphModel runnable = new RunnableModels(serial).runnable();
        for (int r = 0; r < serial.resources().size(); r++) {
            if (serial.resources().get(r).role() == GraphModel.Role.CURRENT && isPartly(written(runnable)[r])) {
                runnable = without(runnable, r);
            }
        }
        return runnable;
    }

    /** Returns whether the passes of one frame read only what they have written before, whatever a history is left with. */
    static boolean isReadAfterWrites(GraphModel serial) {
        return new RunnableModels(serial).runnable().equals(serial);
    }

    /** Returns by resource and unit what has contents when the passes have run. */
    static boolean[][] written(GraphModel serial) {
        RunnableModels models = new RunnableModels(serial);
        serial.passes().forEach(models::note);
        return models.written;
    }

    private GraphModel runnable() {
        List<GraphModel.Pass> passes = new ArrayList<>();
        for (GraphModel.Pass pass : model.passes()) {
            List<GraphModel.Use> uses = new ArrayList<>();
            for (GraphModel.Use use : pass.uses()) {
                GraphModel.Use possible = possible(pass, use);
                if (possible != null) {
                    uses.add(possible);
                }
            }
            GraphModel.Pass sound = pass.using(List.copyOf(uses));
            if (pass.hasTargets() && uses.stream().noneMatch(use -> use.attachment() != null)) {
                Set<PassFlag> flags = EnumSet.of(PassFlag.SKIP_RENDER_PASS);
                flags.addAll(pass.flags());
                sound = sound.with(flags).in(0, 0);
            }
            boolean begins =
                    uses.stream().anyMatch(use -> (use.attachment() != null || use.isResolve()) && !isIn(written, use));
            sound = begins ? sound.in(0, sound.parts()) : sound;
            passes.add(sound);
            note(sound);
        }
        List<GraphModel.Res> resources = new ArrayList<>();
        for (int r = 0; r < model.resources().size(); r++) {
            GraphModel.Res res = model.resources().get(r);
            int resource = r;
            boolean gone = res.lifetime() == Lifetime.EXTRACTED
                    && passes.stream()
                            .noneMatch(pass -> pass.uses().stream()
                                    .anyMatch(use -> use.resource() == resource
                                            && use.access().writes()));
            resources.add(gone ? res.kept() : res);
        }
        return new GraphModel(List.copyOf(resources), List.copyOf(passes));
    }

    private void note(GraphModel.Pass pass) {
        for (GraphModel.Use use : pass.uses()) {
            for (int u = 0; u < written[use.resource()].length; u++) {
                boolean writes =
                        use.access().writes() && use.covers(model.resources().get(use.resource()), u);
                written[use.resource()][u] |= writes && pass.runs();
                declared[use.resource()][u] |= writes;
            }
        }
    }

    private GraphModel.@Nullable Use possible(GraphModel.Pass pass, GraphModel.Use use) {
        GraphModel.Use suited = suited(pass, use);
        if (suited == null || isIn(pass.runs() ? written : declared, suited)) {
            return suited;
        }
        if (!suited.access().writes()) {
            return null;
        }
        return suited.discard() ? suited : beginning(suited);
    }

    /** Depth is no storage and painted by the graphics queue alone; arguments that nobody made for it are none. */
    private GraphModel.@Nullable Use suited(GraphModel.Pass pass, GraphModel.Use use) {
        boolean depth = model.resources().get(use.resource()).depth();
        return switch (use.access()) {
            case COPY_DST -> depth && pass.queue() > 0 ? null : use;
            case INDIRECT -> null;
            case STORAGE_READ_COMPUTE -> depth ? with(use, Access.SAMPLED_COMPUTE) : use;
            case STORAGE_READ_FRAGMENT -> depth ? with(use, Access.SAMPLED_FRAGMENT) : use;
            case STORAGE_WRITE_COMPUTE, STORAGE_READ_WRITE_COMPUTE -> depth ? null : use;
            case DEPTH_WRITE -> keepsPlane(use) ? with(use, Access.DEPTH_READ_WRITE) : use;
            case STENCIL_WRITE -> keepsPlane(use) ? with(use, Access.STENCIL_READ_WRITE) : use;
            default -> use;
        };
    }

    /** Whether a pass that begins its render pass itself loads what it writes. */
    private static boolean keepsPlane(GraphModel.Use use) {
        return use.attachment() == null && !use.discard();
    }

    private boolean isIn(boolean[][] contents, GraphModel.Use use) {
        for (int u = 0; u < contents[use.resource()].length; u++) {
            if (use.covers(model.resources().get(use.resource()), u) && !contents[use.resource()][u]) {
                return false;
            }
        }
        return true;
    }

    private static GraphModel.Use beginning(GraphModel.Use use) {
        Access access = switch (use.access()) {
            case COLOR_READ_WRITE -> Access.COLOR_WRITE;
            case DEPTH_READ_WRITE -> Access.DEPTH_WRITE;
            case STENCIL_READ_WRITE -> Access.STENCIL_WRITE;
            default -> use.access();
        };
        return new GraphModel.Use(
                use.resource(),
                use.mip(),
                use.mips(),
                use.layer(),
                use.layers(),
                use.plane(),
                use.planes(),
                access,
                true,
                use.attachment() == null ? null : LoadOp.CLEAR,
                -1);
    }

    private static GraphModel.Use with(GraphModel.Use use, Access access) {
        return new GraphModel.Use(
                use.resource(),
                use.mip(),
                use.mips(),
                use.layer(),
                use.layers(),
                use.plane(),
                use.planes(),
                access,
                use.discard(),
                use.attachment(),
                use.group());
    }

    private static boolean isPartly(boolean[] units) {
        boolean any = false;
        boolean all = true;
        for (boolean unit : units) {
            any |= unit;
            all &= unit;
        }
        return any && !all;
    }

    /** What half of a history was written would be undefined in the next frame. */
    private static GraphModel without(GraphModel model, int resource) {
        List<GraphModel.Pass> passes = new ArrayList<>();
        for (GraphModel.Pass pass : model.passes()) {
            passes.add(pass.using(pass.uses().stream()
                    .filter(use -> use.resource() != resource)
                    .toList()));
        }
        return of(new GraphModel(model.resources(), passes));
    }
}
