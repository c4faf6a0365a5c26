package io.frameloom.benchmarks.dag;

import io.frameloom.taskgraph.TaskBody;

/**
 * What a node does. It is a {@link Runnable} and a {@link TaskBody} at once, so that no contender has to
 * wrap it in an object of its own.
 */
public interface NodeBody extends Runnable, TaskBody {
    @Override
    void run();
}
