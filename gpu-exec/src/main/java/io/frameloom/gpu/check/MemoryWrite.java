package io.frameloom.gpu.check;

import io.frameloom.gpu.Resource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The last write of a region, with the operations on it by barriers that name its resource. Operations on all memory are
 * in the {@link QueueClocks}.
 */
final class MemoryWrite {
    private final int queue;
    private final int stages;
    private final long sequence;
    private final String pass;
    /** Triples: queue, sequence, destination stages of a barrier that made the write available. */
    private long[] availability = new long[0];

    private List<Visible> visibility = List.of();

    /**
     * Accesses to which barriers have made the write visible: a barrier of a resource reaches the accesses through that
     * resource alone.
     */
    private record Visible(Resource through, int queue, int stages, int accesses) {}

    MemoryWrite(int queue, int stages, long sequence, String pass) {
        this.queue = queue;
        this.stages = stages;
        this.sequence = sequence;
        this.pass = pass;
    }

    MemoryWrite copy() {
        MemoryWrite copy = new MemoryWrite(queue, stages, sequence, pass);
        copy.availability = availability;
        copy.visibility = visibility;
        return copy;
    }

    /** Returns whether both are the same write, made available and visible by the same operations. */
    boolean sameAs(MemoryWrite other) {
        return queue == other.queue
                && stages == other.stages
                && sequence == other.sequence
                && Arrays.equals(availability, other.availability)
                && visibility.equals(other.visibility);
    }

    int queue() {
        return queue;
    }

    int stages() {
        return stages;
    }

    long sequence() {
        return sequence;
    }

    String pass() {
        return pass;
    }

    void madeAvailable(int byQueue, long at, int destinationStages) {
        for (int i = 0; i < availability.length; i += 3) {
            if (availability[i] == byQueue && (availability[i + 2] & destinationStages) == destinationStages) {
                return;
            }
        }
        long[] more = Arrays.copyOf(availability, availability.length + 3);
        more[more.length - 3] = byQueue;
        more[more.length - 2] = at;
        more[more.length - 1] = destinationStages;
        availability = more;
    }

    void madeVisible(Resource through, int toQueue, int toStages, int accesses) {
        for (Visible known : visibility) {
            if (known.through == through
                    && known.queue == toQueue
                    && (known.stages & toStages) == toStages
                    && (known.accesses & accesses) == accesses) {
                return;
            }
        }
        List<Visible> more = new ArrayList<>(visibility);
        more.add(new Visible(through, toQueue, toStages, accesses));
        visibility = more;
    }

    /** Returns whether an operation that made the write available is in {@code clock}. */
    boolean availableBefore(Clock clock) {
        for (int i = 0; i < availability.length; i += 3) {
            if (clock.coversAny((int) availability[i], (int) availability[i + 2], availability[i + 1])) {
                return true;
            }
        }
        return false;
    }

    private boolean visibleByName(Resource through, int toQueue, int stage, int access) {
        for (Visible known : visibility) {
            if (known.through == through
                    && known.queue == toQueue
                    && (known.stages & (1 << stage)) != 0
                    && (known.accesses & (1 << access)) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether an access of {@code reader} through a resource sees the write. */
    boolean visibleTo(QueueClocks reader, Resource through, int readerStages, int accesses) {
        for (int stages = readerStages; stages != 0; stages &= stages - 1) {
            int stage = Integer.numberOfTrailingZeros(stages);
            for (int rest = accesses; rest != 0; rest &= rest - 1) {
                int access = Integer.numberOfTrailingZeros(rest);
                int pair = Visibility.pair(stage, access);
                if (pair >= 0
                        && !reader.visibleWrites(pair).covers(queue, this.stages, sequence)
                        && !visibleByName(through, reader.queue(), stage, access)
                        && !availableBefore(reader.visibleOrder(pair))) {
                    return false;
                }
            }
        }
        return true;
    }
}
