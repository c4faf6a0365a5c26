package io.frameloom.benchmarks.placement;

import static org.lwjgl.util.hwloc.HWLoc.*;

import io.frameloom.taskgraph.TaskGraph;
import java.util.Objects;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;

/** The recipe of docs/tasks.md, "Placement": each worker runs on one core. */
public final class BoundWorkers {
    /** What {@code bench --pinned} sets in the JVMs that time whole runs. */
    public static final String PROPERTY = "frameloom.bench.pinned";

    /** What this process may use, as {@code taskset} has set it. */
    private static final long OF_THIS_PROCESS =
            HWLOC_TOPOLOGY_FLAG_IS_THISSYSTEM | HWLOC_TOPOLOGY_FLAG_RESTRICT_TO_CPUBINDING;

    private BoundWorkers() {}

    /** Whether workers are to be bound. */
    public static boolean asked() {
        return Boolean.getBoolean(PROPERTY);
    }

    /** Whether hwloc is here: its natives are packed for Linux only. */
    public static boolean possible() {
        try {
            return getLibrary().address() != 0;
        } catch (LinkageError missing) {
            return false;
        }
    }

    /**
     * Binds the workers of a graph if that is asked for.
     *
     * @return the graph
     */
    public static TaskGraph ifAsked(TaskGraph graph) {
        if (asked()) {
            bind(graph);
        }
        return graph;
    }

    /**
     * Binds every worker to a core that this process may use. The second core gets the first worker, so with fewer workers
     * than cores the first one is left to the thread that made the graph.
     *
     * @throws IllegalStateException where the system cannot bind threads
     */
    public static void bind(TaskGraph graph) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer opened = stack.mallocPointer(1);
            check(hwloc_topology_init(opened), "opened");
            long topology = opened.get(0);
            try {
                check(hwloc_topology_set_flags(topology, OF_THIS_PROCESS), "restricted");
                check(hwloc_topology_load(topology), "read");
                int cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
                check(cores, "divided into cores");
                graph.broadcast("bind to a core", () -> {
                            int worker = graph.currentSlot();
                            // Threads that are attached run broadcasts too; they have the last slot.
                            if (worker < graph.slotCount() - 1) {
                                bindCallingThread(topology, (worker + 1) % cores);
                            }
                        })
                        .await();
            } finally {
                hwloc_topology_destroy(topology);
            }
        }
    }

    private static void bindCallingThread(long topology, int core) {
        long processors = Objects.requireNonNull(hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, core))
                .cpuset();
        check(hwloc_set_cpubind(topology, processors, HWLOC_CPUBIND_THREAD), "bound to");
    }

    private static void check(int result, String what) {
        if (result < 0) {
            throw new IllegalStateException("the machine's processors cannot be " + what);
        }
    }
}
