package io.frameloom.rdg;

/**
 * What a pass of {@link PassKind#HOST} does on the CPU, given to {@link PassBuilder#run}. Called by workers, never two of one
 * executor at a time, whose threads differ from call to call; what one leaves behind the next one sees.
 */
@FunctionalInterface
public interface HostBody {
    /**
     * Does the work. Called once per frame in which the pass is not culled, by a worker, when the device is done with all that
     * the pass depends on; what depends on the pass is submitted when this has returned. Bodies of one executor run one after
     * the other.
     *
     * @param context valid until the body returns, on its thread alone
     * @throws Exception which fails the frame, as what a {@link PassBody} throws does: what depends on the pass is not
     *     submitted
     */
    void run(HostContext context) throws Exception;
}
