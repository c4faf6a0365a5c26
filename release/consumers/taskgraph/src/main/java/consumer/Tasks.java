package consumer;

import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;

/** Two tasks, one after the other, in a runtime that jlink has made. */
public final class Tasks {
    private Tasks() {}

    public static void main(String[] args) {
        try (TaskGraph tasks = TaskGraph.builder().name("tasks").build()) {
            GraphEvent first = tasks.task("first", () -> System.out.println("first")).dispatch();
            tasks.task("second", () -> System.out.println("second")).after(first).dispatch().await();
        }
    }
}
