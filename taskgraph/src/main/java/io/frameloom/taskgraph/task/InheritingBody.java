package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.TaskBody;

/**
 * A body that runs with the bindings of the scope in which its task was launched.
 *
 * @param bindings the bindings
 * @param body the body
 */
public record InheritingBody(InheritedBindings bindings, TaskBody body) implements TaskBody {
    @Override
    public void run() throws Exception {
        InheritedContext context = InheritedContext.current();
        InheritedBindings outer = context.bindings();
        context.set(bindings);
        try {
            body.run();
        } finally {
            context.set(outer);
        }
    }
}
