package io.frameloom.stress.gpu.frames;

import io.frameloom.stress.gpu.frames.GraphShape.Box;
import io.frameloom.stress.gpu.frames.GraphShape.Chunks;
import io.frameloom.stress.gpu.frames.GraphShape.Resource;
import io.frameloom.stress.gpu.frames.GraphShape.Texels;
import io.frameloom.stress.gpu.frames.GraphShape.Words;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Which chunks of buffers and which subresources of textures have contents at a place in a graph. One thread. */
final class DefinedContents {
    private final List<Resource> resources = new ArrayList<>();
    private final List<BitSet> units = new ArrayList<>();

    void add(Resource resource, boolean defined) {
        BitSet all = new BitSet();
        all.set(0, defined ? units(resource) : 0);
        resources.add(resource);
        units.add(all);
    }

    private static int units(Resource resource) {
        return resource instanceof Texels texture ? texture.mips() * texture.layers() : ((Words) resource).chunks();
    }

    boolean hasAll(int resource) {
        return units.get(resource).cardinality() == units(resources.get(resource));
    }

    boolean has(Chunks chunks) {
        return units.get(chunks.resource()).nextClearBit(chunks.first()) >= chunks.first() + chunks.count();
    }

    void define(Chunks chunks) {
        units.get(chunks.resource()).set(chunks.first(), chunks.first() + chunks.count());
    }

    boolean has(Box box) {
        int first = unit(box);
        return units.get(box.resource()).nextClearBit(first) >= first + box.layers();
    }

    /** Takes notice of a box that is written; part of a subresource gives it no contents. */
    void define(Box box) {
        if (box.isWhole((Texels) resources.get(box.resource()))) {
            units.get(box.resource()).set(unit(box), unit(box) + box.layers());
        }
    }

    private int unit(Box box) {
        return box.mip() * ((Texels) resources.get(box.resource())).layers() + box.layer();
    }
}
