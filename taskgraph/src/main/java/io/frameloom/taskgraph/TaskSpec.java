package io.frameloom.taskgraph;

import org.jspecify.annotations.Nullable;

/**
 * What a task is, before it is launched.
 *
 * @param graph its graph
 * @param name its name
 * @param body its work; null for a join
 * @param target where it runs; null for a join
 * @param lane the lane of a named target
 * @param high high priority
 * @param policy what a failed prerequisite means
 */
record TaskSpec(
        TaskGraph graph,
        String name,
        @Nullable TaskBody body,
        @Nullable ExecutionTarget target,
        @Nullable NamedLane lane,
        boolean high,
        FailurePolicy policy) {}
