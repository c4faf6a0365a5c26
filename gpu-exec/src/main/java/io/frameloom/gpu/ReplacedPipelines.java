package io.frameloom.gpu;

import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.taskgraph.FailurePolicy;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.WorkerLevel;
import java.util.List;

/** Pipelines that a reload has replaced, and that no frame that begins from now on binds. Any thread. */
public final class ReplacedPipelines {
    private final PipelineLibrary library;
    private final List<Pipeline> pipelines;

    ReplacedPipelines(PipelineLibrary library, List<Pipeline> pipelines) {
        this.library = library;
        this.pipelines = pipelines;
    }

    /** Returns how many there are. */
    public int count() {
        return pipelines.size();
    }

    /**
     * Closes them in the background once all frames that may have bound them are finished.
     *
     * @param framesDone completes when the frame that took them and all before it are finished on the device. A failure
     *     counts as well, since a lost device uses nothing
     */
    public void closeAfter(GraphEvent framesDone) {
        if (!pipelines.isEmpty()) {
            library.tasks()
                    .task("close replaced pipelines", () -> library.closeReplaced(pipelines))
                    .after(FailurePolicy.RUN_ANYWAY, framesDone)
                    .on(WorkerLevel.BACKGROUND)
                    .fireAndForget();
        }
    }
}
