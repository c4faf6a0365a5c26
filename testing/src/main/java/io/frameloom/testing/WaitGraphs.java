package io.frameloom.testing;

import java.util.function.Supplier;

/**
 * What a test wants to see beside the thread dump when it hangs: a description of who waits for whom.
 *
 * <p>A parameter of this type in a test's constructor, life-cycle method or test method is filled in by
 * {@link WatchdogExtension}. What is shown through it is forgotten when the test (or the test class, where the
 * parameter was taken before all tests) ends. Any thread may call it.
 */
@FunctionalInterface
public interface WaitGraphs {

    /**
     * Adds a description to every dump written from now on.
     *
     * @param name what is described, for the dump's headline
     * @param graph called on a thread of its own when a dump is written; given up after a few seconds, so it may even
     *     block
     */
    void show(String name, Supplier<String> graph);
}
