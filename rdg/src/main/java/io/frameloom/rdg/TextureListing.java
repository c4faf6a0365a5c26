package io.frameloom.rdg;

import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The textures of a plan, with what a {@linkplain io.frameloom.rdg.capture.Capture capture} can name. Unreal's vis
 * without arguments. Immutable; any thread.
 *
 * @param entries the textures that passes use
 */
public record TextureListing(List<Entry> entries) {
    private static final double KIB = 1024;

    /**
     * A texture.
     *
     * @param index position in {@link FramePlan#resources}
     * @param description shape
     * @param bytes bytes in a heap, or of all its texels if it is not placed in one
     * @param heap index of its heap, or -1
     * @param offset first byte in the heap
     * @param writers names of the passes that write it, in order: the n-th makes version n
     */
    public record Entry(
            int index,
            String name,
            TextureDescription description,
            Lifetime lifetime,
            long bytes,
            int heap,
            long offset,
            List<String> writers) {
        public Entry {
            writers = List.copyOf(writers);
        }

        /** Returns one line. */
        @Override
        public String toString() {
            String shape = description.width() + "x" + description.height()
                    + (description.depth() > 1 ? "x" + description.depth() : "")
                    + (description.mips() > 1 ? " mips=" + description.mips() : "")
                    + (description.layers() > 1 ? " layers=" + description.layers() : "")
                    + (description.samples() > 1 ? " samples=" + description.samples() : "");
            String place = heap < 0 ? lifetime.name().toLowerCase(Locale.ROOT) : "heap " + heap + " at " + offset;
            return String.format(
                    Locale.ROOT,
                    "%3d  %-28s %-24s %-20s %10.1f KiB  %-24s %s  [%s]",
                    index,
                    name,
                    shape,
                    description.format(),
                    bytes / KIB,
                    place,
                    writers.isEmpty() ? "not written" : writers.size() == 1 ? "@1" : "@1..@" + writers.size(),
                    description.usage().stream().map(TextureUsage::name).collect(Collectors.joining(", ")));
        }
    }

    public TextureListing {
        entries = List.copyOf(entries);
    }

    /** Returns the textures that a plan's passes use, in order of declaration. */
    public static TextureListing of(FramePlan plan) {
        List<Entry> entries = new ArrayList<>();
        for (ResourcePlan resource : plan.resources()) {
            TextureDescription shape = resource.textureDescription();
            if (shape != null && resource.used()) {
                entries.add(new Entry(
                        resource.index(),
                        resource.name(),
                        shape,
                        resource.lifetime(),
                        resource.heap() < 0 ? bytes(shape) : resource.bytes(),
                        resource.heap(),
                        resource.offset(),
                        writers(plan, resource.index())));
            }
        }
        return new TextureListing(entries);
    }

    private static List<String> writers(FramePlan plan, int resource) {
        return plan.passes().stream()
                .filter(pass -> !pass.culled())
                .filter(pass -> pass.uses().stream()
                        .anyMatch(use ->
                                use.resource() == resource && use.access().writes()))
                .map(PassPlan::name)
                .toList();
    }

    private static long bytes(TextureDescription shape) {
        int blockWidth = shape.format().blockWidth();
        int blockHeight = shape.format().blockHeight();
        long bytes = 0;
        for (int mip = 0; mip < shape.mips(); mip++) {
            long blocksX = (shape.width(mip) + blockWidth - 1L) / blockWidth;
            long blocksY = (shape.height(mip) + blockHeight - 1L) / blockHeight;
            bytes += blocksX * blocksY * shape.depth(mip) * shape.format().blockBytes();
        }
        return bytes * shape.layers() * shape.samples();
    }
}
