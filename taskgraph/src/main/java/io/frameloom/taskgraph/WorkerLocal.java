package io.frameloom.taskgraph;

import io.frameloom.taskgraph.parts.Arguments;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One value for each slot of {@link TaskGraph#parallelFor}, made at the first access: scratch memory,
 * command lists, partial sums. Made by {@link TaskGraph#workerLocal}.
 *
 * <p>A slot belongs to one participant of one {@code parallelFor}. So the values need no synchronisation if one {@code
 * parallelFor} at a time uses an instance. All threads that are no workers share the last slot: two of them must not
 * use the same instance at the same time, nor must a nested {@code parallelFor} use the instance of the outer one. A
 * {@link TaskGraph#broadcast} can prepare the workers' values, each on its own thread, under {@link
 * TaskGraph#currentSlot}. After the {@code parallelFor} the caller sees what the bodies did to the values.
 *
 * <p>Any thread may call any method. Access is a volatile read and allocates nothing.
 *
 * @param <T> type of the values
 */
public final class WorkerLocal<T> {
    private final Supplier<? extends T> factory;
    private final AtomicReferenceArray<@Nullable T> values;

    WorkerLocal(int slots, Supplier<? extends T> factory) {
        this.values = new AtomicReferenceArray<>(slots);
        this.factory = factory;
    }

    /**
     * The value of a slot. The first access makes it; if the factory fails nothing is kept.
     *
     * @param slot the slot that a {@link RangeBody} was given
     * @return the value, always the same one
     * @throws IndexOutOfBoundsException if there is no such slot
     * @throws NullPointerException if the factory returned null
     */
    public T get(int slot) {
        T present = values.get(slot);
        return present != null ? present : make(slot);
    }

    private T make(int slot) {
        T fresh = Objects.requireNonNull(factory.get(), "the factory of a WorkerLocal returned null");
        T other = values.compareAndExchange(slot, null, fresh);
        return other == null ? fresh : other;
    }

    /**
     * Visits the values made so far, in the order of the slots; for collecting results.
     *
     * @param action called for each on the calling thread
     */
    public void forEach(Consumer<? super T> action) {
        Arguments.required(action, "action", "WorkerLocal.forEach");
        for (int slot = 0; slot < values.length(); slot++) {
            T present = values.get(slot);
            if (present != null) {
                action.accept(present);
            }
        }
    }

    /**
     * The number of slots.
     *
     * @return that of the graph, {@link TaskGraph#slotCount()}
     */
    public int slotCount() {
        return values.length();
    }
}
