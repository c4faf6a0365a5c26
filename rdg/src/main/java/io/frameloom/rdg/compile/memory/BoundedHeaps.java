package io.frameloom.rdg.compile.memory;

import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.Scratch;

/**
 * Packs heaps that are no larger than what a device allocates at once, given that each resource alone is not. Resources
 * that end beyond the bound in the best placement of all go to a further heap, unless they still fit next to the rest.
 */
final class BoundedHeaps {
    private final long mostBytes;
    private final long[] offset;
    private final long[] bytes;
    private final long[] alignment;
    private final Lifetimes lifetimes;
    private final TakeoverSearch takeovers;
    private final boolean aliasing;
    private final boolean searching;
    private final Scratch scratch;

    /** Packs resources of these bytes and alignments, writes their offsets and finds whose memory they take over. */
    BoundedHeaps(
            long mostBytes,
            long[] offset,
            long[] bytes,
            long[] alignment,
            Lifetimes lifetimes,
            TakeoverSearch takeovers,
            boolean aliasing,
            boolean searching,
            Scratch scratch) {
        this.mostBytes = mostBytes;
        this.offset = offset;
        this.bytes = bytes;
        this.alignment = alignment;
        this.lifetimes = lifetimes;
        this.takeovers = takeovers;
        this.aliasing = aliasing;
        this.searching = searching;
        this.scratch = scratch;
    }

    HeapPacker.Packed pack(IntList members) {
        long mark = scratch.mark();
        HeapPacker packer = new HeapPacker(
                members.reserve(0), members.size(), bytes, alignment, lifetimes, aliasing, searching, scratch);
        HeapPacker.Packed packed = packer.pack(offset);
        if (aliasing) {
            takeovers.find(packer.byFirstUse(), members.size());
        }
        scratch.release(mark);
        return packed;
    }

    boolean isTooLarge(HeapPacker.Packed packed) {
        return packed.bytes() > mostBytes;
    }

    /** Takes resources out of a heap that is too large and returns them; packed again, the rest is not. */
    IntList split(IntList members) {
        IntList taken = new IntList(members.size());
        HeapPacker.Packed packed;
        do {
            takeWhatEndsBehind(members, taken);
            packed = pack(members);
        } while (isTooLarge(packed));
        int sure = members.size();
        giveBackWhatFits(members, taken, packed.bytes());
        if (members.size() > sure && isTooLarge(pack(members))) {
            for (int i = sure; i < members.size(); i++) {
                taken.add(members.get(i));
            }
            members.resize(sure);
        }
        return taken;
    }

    /** What lies at 0 stays, so there is an end to it. */
    private void takeWhatEndsBehind(IntList members, IntList taken) {
        int kept = 0;
        for (int i = 0; i < members.size(); i++) {
            int resource = members.get(i);
            if (offset[resource] + bytes[resource] > mostBytes) {
                taken.add(resource);
            } else {
                members.set(kept++, resource);
            }
        }
        members.resize(kept);
    }

    private void giveBackWhatFits(IntList members, IntList taken, long packed) {
        long end = packed;
        int left = 0;
        for (int i = 0; i < taken.size(); i++) {
            int resource = taken.get(i);
            long behind = FirstFit.align(end, alignment[resource]) + bytes[resource];
            if (behind <= mostBytes) {
                members.add(resource);
                end = behind;
            } else {
                taken.set(left++, resource);
            }
        }
        taken.resize(left);
    }
}
