package io.frameloom.rdg.execute;

import io.frameloom.taskgraph.GraphEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * The slots of one frame in flight, one for each graph that is executed in it; more are made as frames take them.
 * RENDER thread only.
 *
 * <p>All are recycled together, when every graph of the former frame has ended. Slots that no frame of a period has
 * taken are closed, but for the first.
 */
final class FrameSlots {
    private final IntFunction<FrameSlot> make;
    private final int period;
    private final List<FrameSlot> slots = new ArrayList<>(1);
    private int taken;
    private int peak;
    private int rounds;

    /**
     * The first slot.
     *
     * @param make makes the slot of the graph with a number within its frame
     * @param period frames of these slots after which those that none of them took are closed
     */
    FrameSlots(IntFunction<FrameSlot> make, int period) {
        this.make = make;
        this.period = period;
        slots.add(make.apply(0));
    }

    /**
     * Waits until the device and the host have done with every graph of the former frame, as {@link
     * FrameSlot#awaitFree}.
     */
    void awaitFree(SubmitThread submitThread) {
        for (int i = 0; i < slots.size(); i++) {
            slots.get(i).awaitFree(submitThread);
        }
    }

    /** Begins a frame without graphs; all of the former one have ended. */
    void begin() {
        peak = Math.max(peak, taken);
        taken = 0;
        rounds++;
        if (rounds < period) {
            return;
        }
        while (slots.size() > Math.max(peak, 1)) {
            slots.remove(slots.size() - 1).close();
        }
        peak = 0;
        rounds = 0;
    }

    /** Returns the slot for the next graph of the frame, the same until it is {@linkplain #take taken}. */
    FrameSlot next() {
        if (taken == slots.size()) {
            slots.add(make.apply(taken));
        }
        return slots.get(taken);
    }

    /** Gives the graph at hand its slot. */
    void take() {
        taken++;
    }

    /**
     * Lets the next graph of the frame have the slot of the last one again, if that is {@code ended} and has released
     * it. One that has failed keeps it, for the frame fails with it.
     */
    void giveBack(Frame ended) {
        boolean over = ended.isReleased() && ended.failure() == null;
        if (taken > 0 && over && slots.get(taken - 1).holds(ended)) {
            taken--;
        }
    }

    /** Returns the events of completion of the graphs that were launched in the frame. */
    List<GraphEvent> completed() {
        List<GraphEvent> events = new ArrayList<>(taken);
        for (int i = 0; i < taken; i++) {
            Frame graph = slots.get(i).frame();
            if (graph.isLaunched()) {
                events.add(graph.completed());
            }
        }
        return events;
    }

    void forEach(Consumer<FrameSlot> action) {
        slots.forEach(action);
    }

    /** Returns whether neither the device nor the host touches any slot. */
    boolean isReleased() {
        return slots.stream().allMatch(FrameSlot::isReleased);
    }
}
