package io.frameloom.rdg;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.rdg.declare.AccessUsage;
import io.frameloom.rdg.declare.FirstContents;
import io.frameloom.rdg.declare.GraphDeclaration;
import java.util.EnumSet;
import java.util.Set;

/**
 * A buffer with a history, such as the particles of a simulation: see {@link RdgHistory} and
 * {@link RenderGraph#history(BufferHistory, BufferDescription)}. The thread that declares and executes graphs, one at a
 * time; close it after the executor, or when its frames have completed.
 */
public final class BufferHistory extends RdgHistory<Buffer, BufferDescription> {
    private static final int TEXTURES_ONLY =
            MemoryAccess.mask(MemoryAccess.SAMPLED_READ, MemoryAccess.COLOR_READ, MemoryAccess.DEPTH_READ);

    private final int initial;

    /**
     * A history without memory yet.
     *
     * @param rest the access that most passes read it by
     * @param initial word that fills what a frame reads if there is no former frame
     * @throws IllegalArgumentException if {@code rest} writes, is one of the host, or reads no buffers
     */
    public BufferHistory(GpuDevice device, String name, Access rest, int initial) {
        super(name, rest, rest.memoryAccess() != 0 && (rest.memoryAccess() & TEXTURES_ONLY) == 0, device::createBuffer);
        this.initial = initial;
    }

    /** Takes both halves into a graph, and fills the former one if no frame has written it. */
    Frame declare(RenderGraph graph, BufferDescription shape) {
        GraphDeclaration declaration = graph.declaration();
        Set<BufferUsage> usage = EnumSet.of(BufferUsage.COPY_DST);
        usage.addAll(AccessUsage.bufferUsage(rest().memoryAccess()));
        usage.addAll(shape.usage());
        prepare(shape.withUsage(usage));
        boolean kept = hasContents();
        String site = declaration.site();
        RdgBuffer previous = declaration.history(
                name() + " (previous)",
                previous(),
                Lifetime.EXTERNAL,
                rest(),
                new HistoryUse(this, false, site),
                !kept);
        RdgBuffer current = declaration.history(
                name(), current(), Lifetime.HISTORY, rest(), new HistoryUse(this, true, site), false);
        if (!kept) {
            FirstContents.clear(graph, previous, initial);
        }
        return new Frame(previous, current, kept);
    }

    /**
     * The buffers of one frame.
     *
     * @param previous what the former frame wrote, or what was filled
     * @param current what this frame writes for the next; it has no contents before
     * @param hasContents whether a former frame wrote {@code previous}
     */
    public record Frame(RdgBuffer previous, RdgBuffer current, boolean hasContents) {}
}
