package io.frameloom.taskgraph;

/**
 * Turns nodes of a compiled graph on and off from run to run. Immutable.
 *
 * <p>Obtained from {@link GraphBuilder#graphSwitch}; combined with {@code |} into the mask that is given
 * to {@link CompiledGraph#run(long)} and {@link CompiledGraph#execute(long)}.
 */
public final class GraphSwitch {
    private final String name;
    private final int bit;

    GraphSwitch(String name, int bit) {
        this.name = name;
        this.bit = bit;
    }

    /** The name. */
    public String name() {
        return name;
    }

    /**
     * The place in the mask.
     *
     * @return 0 to 63
     */
    public int bit() {
        return bit;
    }

    /**
     * The mask in which only this switch is on.
     *
     * @return a mask with one bit
     */
    public long mask() {
        return 1L << bit;
    }

    @Override
    public String toString() {
        return name;
    }
}
