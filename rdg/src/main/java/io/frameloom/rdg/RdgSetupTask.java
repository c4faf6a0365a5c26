package io.frameloom.rdg;

import io.frameloom.rdg.declare.DeclarationSite;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import org.jspecify.annotations.Nullable;

/**
 * Work of the host that runs on a task graph while the graph is declared and compiled, such as culling a scene. Passes
 * that name it are recorded after it and see its results. Their conditions ({@link PassBuilder#onlyIf}) are asked
 * before. Made by {@link RenderGraph#setupTask}; any thread.
 */
public final class RdgSetupTask {
    private final RenderGraph graph;
    private final long frame;
    private final TaskGraph tasks;
    private final String name;
    private final GraphEvent event;
    private final @Nullable String site;

    RdgSetupTask(RenderGraph graph, TaskGraph tasks, String name, GraphEvent event, @Nullable String site) {
        this.graph = graph;
        this.frame = graph.frame();
        this.tasks = tasks;
        this.name = name;
        this.event = event;
        this.site = site;
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns the event of its completion, which fails as the work does. */
    public GraphEvent event() {
        return event;
    }

    /** Returns the task graph that runs it. */
    public TaskGraph tasks() {
        return tasks;
    }

    RenderGraph graph() {
        return graph;
    }

    /** Returns the frame of the graph that it is of, {@link RenderGraph#frame}. */
    long frame() {
        return frame;
    }

    @Override
    public String toString() {
        return "'" + name + "'" + DeclarationSite.suffix(site);
    }
}
