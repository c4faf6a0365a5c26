package io.frameloom.rdg;

/**
 * The commands of a pass that is recorded in parts, given to {@link PassBuilder#recordParts}; otherwise as {@link
 * PassBody}.
 */
@FunctionalInterface
public interface PartBody {
    /**
     * Records one part, once per frame in which the pass is not culled. Parts run in parallel, on workers and on the
     * thread that records the pass's group. Pipeline and bindings do not carry over from part to part; in a raster pass
     * viewport and scissor are set to the render area.
     *
     * @param part 0 for the first
     */
    void record(PassContext context, int part);
}
