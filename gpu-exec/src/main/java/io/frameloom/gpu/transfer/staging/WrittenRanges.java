package io.frameloom.gpu.transfer.staging;

import io.frameloom.gpu.resource.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * The bytes of buffers that were written since the last barrier, as disjoint ranges of which no two touch. Used for one
 * batch after another, so that noting allocates nothing once it has grown. One thread at a time.
 */
final class WrittenRanges {
    /** Most ranges of a buffer: each new one may move all that are there. */
    static final int MOST = 1024;

    private final IdentityHashMap<Buffer, Ranges> written = new IdentityHashMap<>();
    /** Those of the buffers; after them some of former batches. */
    private final List<Ranges> made = new ArrayList<>();

    /** The ranges of one buffer, in order. */
    private static final class Ranges {
        private long[] begins = new long[8];
        private long[] ends = new long[8];
        private int count;

        /** Returns the number of ranges that begin before a byte. */
        private int before(long at) {
            int found = Arrays.binarySearch(begins, 0, count, at);
            return found < 0 ? -found - 1 : found;
        }

        private void add(long from, long to) {
            int at = before(from);
            boolean joinsLast = at > 0 && ends[at - 1] == from;
            boolean joinsNext = at < count && begins[at] == to;
            if (joinsLast && joinsNext) {
                ends[at - 1] = ends[at];
                move(at + 1, at);
            } else if (joinsLast) {
                ends[at - 1] = to;
            } else if (joinsNext) {
                begins[at] = from;
            } else {
                if (count == begins.length) {
                    begins = Arrays.copyOf(begins, 2 * count);
                    ends = Arrays.copyOf(ends, 2 * count);
                }
                move(at, at + 1);
                begins[at] = from;
                ends[at] = to;
            }
        }

        private void move(int from, int to) {
            System.arraycopy(begins, from, begins, to, count - from);
            System.arraycopy(ends, from, ends, to, count - from);
            count += to - from;
        }
    }

    /** Returns whether some of the bytes were written, or no further range of the buffer can be noted. */
    boolean overlap(Buffer target, long from, long to) {
        Ranges ranges = written.get(target);
        if (ranges == null) {
            return false;
        }
        if (ranges.count == MOST) {
            return true;
        }
        int below = ranges.before(to) - 1;
        return below >= 0 && ranges.ends[below] > from;
    }

    /** Notes that bytes are written that were not. */
    void add(Buffer target, long from, long to) {
        Ranges ranges = written.get(target);
        if (ranges == null) {
            if (written.size() == made.size()) {
                made.add(new Ranges());
            }
            ranges = made.get(written.size());
            written.put(target, ranges);
        }
        ranges.add(from, to);
    }

    /** Forgets everything: a barrier orders what follows. */
    void clear() {
        for (int i = 0; i < written.size(); i++) {
            made.get(i).count = 0;
        }
        written.clear();
    }
}
