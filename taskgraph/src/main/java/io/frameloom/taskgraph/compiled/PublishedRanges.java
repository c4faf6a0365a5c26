package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.parts.PaddedLong;
import java.util.Arrays;

/**
 * The ready nodes of one worker level that the participants of a run have published, one deque for each of them, and
 * how many participants look for some.
 *
 * <p>A deque is pushed and popped by its participant, see {@link RunParticipant}; any participant may call the rest.
 * {@code hungry} is counted by volatile read-modify-writes, before the first and after the last look. So if a thread
 * publishes, passes a full fence and finds none hungry, all that look from then on see the range.
 */
final class PublishedRanges {
    private static final int FIRST_CAPACITY = 16;

    /** Only added to, see {@link GraphRun#share}. Volatile, as what is looked for is, so that no look misses one. */
    private volatile RangeDeque[] deques = RangeDeque.NO_DEQUES;

    private final PaddedLong hungry = new PaddedLong(0);
    private final int firstCapacity;

    /**
     * Nothing published.
     *
     * @param rarely whether most deques stay empty, so that they take no memory before something is pushed
     */
    PublishedRanges(int participants, boolean rarely) {
        firstCapacity = rarely ? 0 : FIRST_CAPACITY;
        addDeques(participants);
    }

    /** Adds deques for more participants. One thread at a time. */
    void addDeques(int participants) {
        RangeDeque[] known = deques;
        RangeDeque[] all = Arrays.copyOf(known, known.length + participants);
        for (int slot = known.length; slot < all.length; slot++) {
            all[slot] = new RangeDeque(firstCapacity);
        }
        deques = all;
    }

    RangeDeque deque(int slot) {
        return deques[slot];
    }

    boolean isEmpty() {
        for (RangeDeque deque : deques) {
            if (!deque.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** What all have published at some moment; for reports. */
    long[] ranges() {
        return Arrays.stream(deques)
                .flatMapToLong(deque -> Arrays.stream(deque.ranges()))
                .toArray();
    }

    /** Takes the oldest range of another participant. */
    long steal(int thief) {
        RangeDeque[] victims = deques;
        for (int i = 1; i < victims.length; i++) {
            int victim = thief + i;
            long range = victims[victim < victims.length ? victim : victim - victims.length].steal();
            if (range != RangeDeque.NOTHING) {
                return range;
            }
        }
        return RangeDeque.NOTHING;
    }

    void addHungry(long delta) {
        hungry.getAndAdd(delta);
    }

    /** Whether a participant looks for ranges; may be out of date, for offers that no code relies on. */
    boolean isHungryOpaque() {
        return hungry.valueOpaque() > 0;
    }

    boolean isHungryVolatile() {
        return hungry.valueVolatile() > 0;
    }
}
