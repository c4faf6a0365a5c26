package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.GraphModel.Role;
import java.util.List;
import java.util.SplittableRandom;

/** Resources at random: equal seeds give equal ones. */
final class RandomResources {
    private final SplittableRandom random;
    /** Of its own, so that graphs are otherwise those that they would be if everything were shared. */
    private final SplittableRandom sharing;
    /** Whether externals are imported images, which may be presented. */
    private final boolean presents;

    RandomResources(SplittableRandom random, long seed, boolean presents) {
        this.random = random;
        this.sharing = new SplittableRandom(seed);
        this.presents = presents;
    }

    GraphModel.Res multisampled(int index) {
        return new GraphModel.Res(
                "r" + index,
                true,
                false,
                1,
                1,
                1,
                Lifetime.TRANSIENT,
                TextureLayout.UNDEFINED,
                null,
                MemoryUsage.DEVICE,
                Role.MULTISAMPLED);
    }

    GraphModel.Res resource(int index) {
        boolean texture = !one(4);
        boolean depth = texture && one(4);
        boolean stencil = depth && one(2);
        int mips = one(3) ? 1 + random.nextInt(3) : 1;
        int layers = texture && one(5) ? 2 : 1;
        boolean external = one(4);
        boolean passthrough = external && one(3);
        MemoryUsage memory = texture || passthrough || !one(2)
                ? MemoryUsage.DEVICE
                : pick(List.of(external ? MemoryUsage.READBACK : MemoryUsage.UPLOAD, MemoryUsage.READBACK));
        TextureLayout initial = !external || !texture
                ? TextureLayout.UNDEFINED
                : passthrough
                        ? TextureLayout.SHADER_RO
                        : pick(List.of(
                                TextureLayout.SHADER_RO,
                                depth ? TextureLayout.DEPTH : TextureLayout.COLOR,
                                TextureLayout.GENERAL));
        Access last = external && texture && !passthrough && random.nextBoolean()
                ? pick(List.of(depth || !presents ? Access.SAMPLED_FRAGMENT : Access.PRESENT, Access.COPY_SRC))
                : null;
        return new GraphModel.Res(
                "r" + index,
                texture,
                depth,
                mips,
                layers,
                stencil ? 2 : 1,
                external ? Lifetime.EXTERNAL : Lifetime.TRANSIENT,
                initial,
                last,
                memory,
                passthrough ? Role.PASSTHROUGH : Role.PLAIN);
    }

    /**
     * Returns how queue families share a resource, where a device says whether that is right. What the host maps it may use
     * in a pass of its own, and what passes through is handed over by nobody.
     */
    QueueSharing sharing(GraphModel.Res res) {
        boolean possible = !presents && res.memory() == MemoryUsage.DEVICE && res.role() != Role.PASSTHROUGH;
        return possible && sharing.nextInt(3) == 0 ? QueueSharing.EXCLUSIVE : QueueSharing.CONCURRENT;
    }

    private boolean one(int in) {
        return random.nextInt(in) == 0;
    }

    private <T> T pick(List<T> options) {
        return options.get(random.nextInt(options.size()));
    }
}
