package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.resource.Resource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The last write of a region, with the operations on it by barriers that name its resource. Operations on all memory
 * are in the {@link QueueClocks}.
 */
final class MemoryWrite {
    private final int queue;
    private final int stages;
    private final long sequence;
    private final String pass;
    /** Whether it is a layout transition that changes no owner: those of one queue follow each other by themselves. */
    private final boolean transition;
    /** Triples: queue, sequence, destination stages of a barrier that made the write available. */
    private long[] availability = new long[0];

    private List<Visible> visibility = List.of();
    /** Barriers of a resource that made the write visible or available to the host. */
    private List<ShownBy> shown = List.of();

    private record ShownBy(Resource through, int queue, long at, HostNeed need) {}

    /**
     * Accesses to which barriers have made the write visible: a barrier of a resource reaches the accesses through that
     * resource alone.
     */
    private record Visible(Resource through, int queue, int stages, int accesses) {}

    MemoryWrite(int queue, int stages, long sequence, String pass) {
        this(queue, stages, sequence, pass, false);
    }

    private MemoryWrite(int queue, int stages, long sequence, String pass, boolean transition) {
        this.queue = queue;
        this.stages = stages;
        this.sequence = sequence;
        this.pass = pass;
        this.transition = transition;
    }

    /** Returns the write of a layout transition that changes no owner. */
    static MemoryWrite ofTransition(int queue, long sequence, String name) {
        return new MemoryWrite(queue, 1 << Scopes.TRANSITION, sequence, name, true);
    }

    MemoryWrite copy() {
        MemoryWrite copy = new MemoryWrite(queue, stages, sequence, pass, transition);
        copy.availability = availability;
        copy.visibility = visibility;
        copy.shown = shown;
        return copy;
    }

    /** Returns whether both are the same write, made available and visible by the same operations. */
    boolean sameAs(MemoryWrite other) {
        return queue == other.queue
                && stages == other.stages
                && sequence == other.sequence
                && Arrays.equals(availability, other.availability)
                && visibility.equals(other.visibility)
                && shown.equals(other.shown);
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

    /**
     * Returns whether a later layout transition follows this by itself: those of one queue are executed in submission
     * order, and their writes are available ("Image Layout Transitions" in the Vulkan specification).
     */
    boolean precedesTransition(int ofQueue, long at) {
        return transition && queue == ofQueue && sequence < at;
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

    private void madeVisible(Resource through, int toQueue, int toStages, int accesses) {
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

    void madeVisible(Resource through, BarrierScope by) {
        madeVisible(through, by.queue(), by.destinationStages(), by.destinationAccess());
        madeShown(through, by);
    }

    /** Notes that a barrier makes the write visible or available to the host, if it does. */
    void madeShown(Resource through, BarrierScope by) {
        for (HostNeed need : HostNeed.values()) {
            if (need.isIn(by.destinationStages(), by.destinationAccess())) {
                madeShown(new ShownBy(through, by.queue(), by.end(), need));
                return;
            }
        }
    }

    private void madeShown(ShownBy barrier) {
        for (ShownBy known : shown) {
            // A clock that has a later one has this one, too.
            if (known.through == barrier.through
                    && known.queue == barrier.queue
                    && barrier.need.comesWith(known.need)) {
                return;
            }
        }
        List<ShownBy> more = new ArrayList<>(shown);
        more.add(barrier);
        shown = more;
    }

    /** Returns whether a barrier of all memory makes the write fit the need of a host that knows {@code known}. */
    boolean isShown(Shown known, HostNeed need) {
        return known.made(need).hasAvailable(this);
    }

    /**
     * Returns whether the write fits the need of a host that touches a resource after work of a queue, which knows
     * {@code known}.
     */
    boolean isShown(Shown known, Resource through, int afterQueue, HostNeed need) {
        if (isShown(known, need)) {
            return true;
        }
        for (ShownBy barrier : shown) {
            if (barrier.through == through
                    && need.comesWith(barrier.need)
                    && (barrier.queue == afterQueue || known.hasReached(barrier.queue, barrier.at))) {
                return true;
            }
        }
        return false;
    }

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

    /** Returns whether writes by these stages of {@code writer} follow an operation that made the write available. */
    boolean availableTo(QueueClocks writer, int writerStages) {
        for (int rest = writerStages; rest != 0; rest &= rest - 1) {
            int stage = Integer.numberOfTrailingZeros(rest);
            if (!writer.past(stage).hasAvailable(this) && !availableByName(writer.queue(), stage)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a barrier that made the write available has later work of a stage in its second scope. */
    private boolean availableByName(int toQueue, int stage) {
        for (int i = 0; i < availability.length; i += 3) {
            if (availability[i] == toQueue && (availability[i + 2] & (1 << stage)) != 0) {
                return true;
            }
        }
        return false;
    }

    boolean visibleTo(QueueClocks reader, Resource through, int readerStages, int accesses) {
        for (int stages = readerStages; stages != 0; stages &= stages - 1) {
            int stage = Integer.numberOfTrailingZeros(stages);
            for (int rest = accesses; rest != 0; rest &= rest - 1) {
                int access = Integer.numberOfTrailingZeros(rest);
                int pair = Scopes.pair(stage, access);
                if (pair >= 0
                        && !reader.visible(pair).hasAvailable(this)
                        && !visibleByName(through, reader.queue(), stage, access)) {
                    return false;
                }
            }
        }
        return true;
    }
}
