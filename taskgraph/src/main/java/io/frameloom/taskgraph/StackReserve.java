package io.frameloom.taskgraph;

/**
 * Finds out that the stack is about to end before a task is claimed, when nothing is lost by it yet, instead of
 * between the claim and the completion, when the task would never end.
 *
 * <p>What a claimed task needs of the engine, besides what its body needs, is the way to its {@code try} and, after
 * it, its completion: some twenty frames. This calls itself through more than that, with arguments that
 * make the frames long also where the code is compiled. Static procedures of any thread.
 */
final class StackReserve {
    /** Of 64 bytes and more each; twice that, and more, in the interpreter. */
    private static final int FRAMES = 160;

    private StackReserve() {}

    /**
     * Returns if there is stack for the engine.
     *
     * @throws StackOverflowError if not
     */
    static void require() {
        if (reach(FRAMES, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L) == 0L) {
            throw new AssertionError("the sum of positive numbers is positive");
        }
    }

    /** Each frame uses all of its arguments after the call, so that they live across it. */
    private static long reach(int frames, long a, long b, long c, long d, long e, long f, long g, long h) {
        if (frames == 0) {
            return a + b;
        }
        long below = reach(frames - 1, b, c, d, e, f, g, h, a);
        return below + (a ^ c ^ e ^ g) + (b ^ d ^ f ^ h);
    }
}
