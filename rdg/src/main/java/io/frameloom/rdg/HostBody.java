package io.frameloom.rdg;

/**
 * What a pass of {@link PassKind#HOST} does on the CPU, given to {@link PassBuilder#run}. Workers call it, never two of
 * one executor at a time, and not always the same thread. Each call sees what the one before left.
 */
@FunctionalInterface
public interface HostBody {
    /**
     * Does the work. A worker calls it once per frame in which the pass is not culled, when the device has done all
     * that the pass depends on. What depends on the pass is submitted when this has returned. Bodies of one executor
     * run one after the other.
     *
     * @param context valid until the body returns, on its thread alone
     * @throws Exception which fails the frame, as what a {@link PassBody} throws does: what depends on the pass is not
     *     submitted
     */
    void run(HostContext context) throws Exception;
}
