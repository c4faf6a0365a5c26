package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.MemoryUsage;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Uses of mapped buffers at random. Passes of the host read and write them in their turn, whole or in parts. What a pass that
 * is recorded writes on the host is written before the frame, so that nothing of the frame may come before it; what it reads
 * there is read when the frame is done, so that nothing may write behind it.
 */
final class MappedUses {
    private final SplittableRandom random;
    private final List<GraphModel.Res> resources;
    private final List<boolean[]> written;
    /** What the host reads when the frame is done. */
    private final Set<Integer> readAtTheEnd = new HashSet<>();

    MappedUses(SplittableRandom random, List<GraphModel.Res> resources, List<boolean[]> written) {
        this.random = random;
        this.resources = resources;
        this.written = written;
    }

    /** Returns a use of some of the units of a box by a pass of the host, or null if nothing is possible. */
    GraphModel.@Nullable Use onHost(GraphModel.Use box) {
        boolean writable = !readAtTheEnd.contains(box.resource());
        boolean known = isWritten(box);
        if (known && (!writable || one(2))) {
            return use(box, Access.HOST_READ, false);
        }
        return writable ? use(box, Access.HOST_WRITE, !known || one(2)) : null;
    }

    /** Returns a use by a pass of copies, or null if nothing is possible. */
    GraphModel.@Nullable Use copied(GraphModel.Use box) {
        GraphModel.Res res = resources.get(box.resource());
        boolean upload = res.memory() == MemoryUsage.UPLOAD;
        boolean outside = res.lifetime() == Lifetime.EXTERNAL;
        boolean writable = !upload && !readAtTheEnd.contains(box.resource());
        if (isWritten(box)) {
            if (writable && one(4)) {
                return use(box, Access.COPY_DST, one(2));
            }
            Access access = upload || outside || one(2) ? Access.COPY_SRC : Access.HOST_READ;
            if (access == Access.HOST_READ) {
                readAtTheEnd.add(box.resource());
            }
            return use(box, access, false);
        }
        GraphModel.Use whole = new GraphModel.Use(box.resource(), 0, res.mips(), 0, 1, Access.COPY_SRC, false, null);
        if (isWritten(whole)) {
            return null;
        }
        return use(whole, upload ? Access.HOST_WRITE : Access.COPY_DST, true);
    }

    private static GraphModel.Use use(GraphModel.Use box, Access access, boolean discard) {
        return new GraphModel.Use(box.resource(), box.mip(), box.mips(), 0, 1, access, discard, null);
    }

    /** Returns whether any unit of a box was written. */
    private boolean isWritten(GraphModel.Use box) {
        boolean[] units = written.get(box.resource());
        boolean any = false;
        for (int u = box.mip(); u < box.mip() + box.mips(); u++) {
            any |= units[u];
        }
        return any;
    }

    private boolean one(int in) {
        return random.nextInt(in) == 0;
    }
}
