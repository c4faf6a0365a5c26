package io.frameloom.rdg;

/** What a pass of {@link PassKind#HOST} does on the CPU. */
@FunctionalInterface
public interface HostBody {
    /**
     * Does the work. Called once per frame in which the pass is not culled, by a worker, when the device is done with all that
     * the pass depends on; what depends on the pass is submitted when this has returned. Bodies of one executor run one after
     * the other.
     *
     * @throws Exception which fails the frame, as what a {@link PassBody} throws does
     */
    void run(HostContext context) throws Exception;
}
