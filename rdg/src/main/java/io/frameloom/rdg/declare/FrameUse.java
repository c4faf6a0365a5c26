package io.frameloom.rdg.declare;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.taskgraph.GraphEvent;

/** What takes part in the execution of a graph besides its passes, such as the end of a crossing between devices. */
public interface FrameUse {
    /** Refuses an execution that cannot be; nothing was launched yet. The thread that executes plans. */
    void requireReady(String plan, GpuDevice device);

    /** Notes the completion of a frame that was launched. The same thread. */
    void launched(GraphEvent completed);
}
