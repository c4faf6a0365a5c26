package io.frameloom.gpu.cache.program;

import org.jspecify.annotations.Nullable;

/**
 * Makes one program, or takes it from its binary: the seam between the cache and a compiler or a driver. Called on the
 * thread that asked the cache, with no lock held.
 *
 * @param <T> type of the program
 */
public interface ProgramDriver<T> {
    /**
     * Makes the program from its binary.
     *
     * @param binary an earlier {@link Built#binary}; not to be changed
     * @return the program, or null to refuse the binary: the program is then made anew and the binary replaced
     * @throws RuntimeException which also refuses the binary; {@link CachedPrograms#lastRefusal} returns it. If the
     *     program cannot be made anew either, it is suppressed in that failure
     */
    @Nullable
    T load(byte[] binary);

    /**
     * Makes the program from its source. Must not wait for another thread that may ask for the same program.
     *
     * @throws RuntimeException if it cannot be made; reaches the caller of the cache
     */
    Built<T> build();

    /** Returns whether a failure of {@link #build} would be the same every time, as for an error in the source. */
    default boolean isPermanent(RuntimeException failure) {
        return false;
    }

    /**
     * Returns a failure to throw for a permanent one that is remembered. It may have been thrown on another thread, and
     * several threads may get it.
     *
     * @return an exception of its own with the same message; the failure itself if there is no need
     */
    default RuntimeException again(RuntimeException failure) {
        return failure;
    }

    /**
     * A new program. Immutable: no code may change its binary.
     *
     * @param <T> type of the program
     * @param program the program
     * @param binary its binary; null if there is none to keep
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Built<T>(T program, byte @Nullable [] binary) {}
}
