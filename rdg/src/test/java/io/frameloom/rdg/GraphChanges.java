package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Small changes of random graphs; what comes out can be declared, but need not be sound. */
final class GraphChanges {
    private GraphChanges() {}

    static GraphModel oneOf(GraphModel model, Random random) {
        List<GraphModel.Res> resources = new ArrayList<>(model.resources());
        List<GraphModel.Pass> passes = new ArrayList<>(model.passes());
        int pass = random.nextInt(passes.size());
        int resource = random.nextInt(resources.size());
        switch (random.nextInt(8)) {
            case 0 -> passes.remove(pass);
            case 1 -> Collections.swap(passes, pass, random.nextInt(passes.size()));
            case 2 -> resources.set(resource, changed(resources.get(resource), random));
            case 3, 4 -> passes.set(pass, changed(passes.get(pass), random));
            default -> {
                GraphModel.Pass old = passes.get(pass);
                List<GraphModel.Use> uses = new ArrayList<>(old.uses());
                if (!uses.isEmpty()) {
                    int use = random.nextInt(uses.size());
                    uses.set(use, changed(uses.get(use), resources, random));
                }
                passes.set(pass, new GraphModel.Pass(old.name(), old.kind(), old.async(), old.neverCull(), uses));
            }
        }
        return new GraphModel(resources, passes);
    }

    private static GraphModel.Res changed(GraphModel.Res old, Random random) {
        int what = random.nextInt(5);
        return new GraphModel.Res(
                what == 0 ? old.name() + "'" : old.name(),
                old.texture(),
                old.depth(),
                what == 1 ? old.mips() + 1 : old.mips(),
                what == 2 ? old.layers() + 1 : old.layers(),
                old.lifetime(),
                what == 3 ? TextureLayout.TRANSFER_SRC : old.initial(),
                what == 4 ? Access.COPY_SRC : old.finalAccess());
    }

    private static GraphModel.Pass changed(GraphModel.Pass old, Random random) {
        int what = random.nextInt(5);
        List<GraphModel.Use> uses = new ArrayList<>(old.uses());
        if (what == 4) {
            Collections.swap(uses, 0, random.nextInt(uses.size()));
        }
        return new GraphModel.Pass(
                what == 0 ? old.name() + "'" : old.name(),
                what == 1 ? PassKind.COPY : old.kind(),
                (what == 2) != old.async(),
                (what == 3) != old.neverCull(),
                uses);
    }

    private static GraphModel.Use changed(GraphModel.Use old, List<GraphModel.Res> resources, Random random) {
        int what = random.nextInt(6);
        int other = random.nextInt(resources.size());
        boolean fits = resources.get(other).texture()
                        == resources.get(old.resource()).texture()
                && resources.get(other).depth() == resources.get(old.resource()).depth();
        return new GraphModel.Use(
                what == 0 && fits ? other : old.resource(),
                what == 1 && old.attachment() == null ? old.mip() + 1 : old.mip(),
                what == 2 && old.attachment() == null ? old.mips() + 1 : old.mips(),
                what == 3 && old.attachment() == null ? old.layer() + 1 : old.layer(),
                old.layers(),
                old.access(),
                (what == 4) != old.discard(),
                old.attachment(),
                what == 5 && old.attachment() == null ? 1 - Math.max(0, old.group()) : old.group());
    }
}
