package io.frameloom.taskgraph;

import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Collects what a task with a result needs, then launches it with {@link #dispatch()}. Its options are those of {@link
 * TaskBuilder}. Used by one thread, once. Obtained from {@link TaskGraph#call}.
 *
 * @param <T> type of the result
 */
public final class CallBuilder<T extends @Nullable Object> {
    private final ResultEvent.Call<T> call;
    private final TaskBuilder task;

    CallBuilder(ResultEvent.Call<T> call) {
        this.call = call;
        this.task = new TaskBuilder(call.task());
    }

    /** As {@link TaskBuilder#after(GraphEvent...)}. */
    public CallBuilder<T> after(@Nullable GraphEvent... events) {
        task.after(events);
        return this;
    }

    /** As {@link TaskBuilder#after(Collection)}. */
    public CallBuilder<T> after(Collection<? extends @Nullable GraphEvent> events) {
        task.after(events);
        return this;
    }

    /** As {@link TaskBuilder#after(FailurePolicy, GraphEvent...)}. */
    public CallBuilder<T> after(FailurePolicy policy, @Nullable GraphEvent... events) {
        task.after(policy, events);
        return this;
    }

    /** As {@link TaskBuilder#on}. */
    public CallBuilder<T> on(ExecutionTarget target) {
        task.on(target);
        return this;
    }

    /** As {@link TaskBuilder#priority}. */
    public CallBuilder<T> priority(TaskPriority priority) {
        task.priority(priority);
        return this;
    }

    /** As {@link TaskBuilder#onPrerequisiteFailure}. */
    public CallBuilder<T> onPrerequisiteFailure(FailurePolicy policy) {
        task.onPrerequisiteFailure(policy);
        return this;
    }

    /** As {@link TaskBuilder#cancelledBy}. */
    public CallBuilder<T> cancelledBy(CancellationToken token) {
        task.cancelledBy(token);
        return this;
    }

    /** As {@link TaskBuilder#delay}. */
    public CallBuilder<T> delay(Duration delay) {
        task.delay(delay);
        return this;
    }

    /**
     * Launches the task, as {@link TaskBuilder#dispatch()}.
     *
     * @return its completion and result
     */
    public ResultEvent<T> dispatch() {
        task.dispatch();
        return call;
    }
}
