/**
 * Tests of programs that use a task graph, under schedules that are chosen, recorded and repeatable.
 *
 * <p>A missing edge between two tasks, a wait that depends on which thread comes first, a deadlock: with the operating
 * system's scheduling they show once in a thousand nights. Here the program runs again and again, each time under
 * another schedule, and a run that fails says how to repeat it:
 *
 * <pre>{@code
 * DeterministicScheduler.explore(Exploration.mixed(42, 1000), scheduler -> {
 *     try (TaskGraph graph = TaskGraph.builder().workers(2).scheduler(scheduler).build()) {
 *         Scene scene = new Scene();
 *         GraphEvent animate = graph.task("animate", scene::animate).dispatch();
 *         GraphEvent cull = graph.task("cull", scene::cull).after(animate).dispatch();
 *         graph.start(NamedThread.RENDER);
 *         graph.task("draw", () -> assertTrue(scene.isCulled()))
 *                 .after(animate) // cull is missing
 *                 .on(NamedThread.RENDER)
 *                 .dispatch()
 *                 .await();
 *     }
 * });
 * }</pre>
 *
 * <pre>
 * ScheduleFailure: run 4 of mixed schedules, seed 42, failed: TaskFailedException: task 'draw' failed: ...
 * repeat it with
 *   DeterministicScheduler.explore(Exploration.replay("1x10 0 2x6 0x9 3x5 0x10 2x10 3x11 0x7 ..."), program);
 * </pre>
 *
 * <p>With the schedule in {@link io.frameloom.taskgraph.deterministic.Exploration#replay(String)} the same run happens
 * under a debugger, as often as wanted.
 *
 * <h2>What the program has to observe</h2>
 *
 * <ul>
 *   <li>Every graph gets the scheduler ({@link io.frameloom.taskgraph.TaskGraphBuilder#scheduler}), and every further
 *       thread that uses a graph is started with
 *       {@link io.frameloom.taskgraph.deterministic.DeterministicScheduler#thread}.
 *   <li>A run does the same as every other but for the schedule: random numbers from fixed seeds, no real time, no
 *       state that is left from the run before.
 *   <li>Threads wait for each other through events, or through {@code join}, {@code park} and {@code sleep} of the
 *       scheduler. A lock is in order if no point lies between locking and unlocking.
 *   <li>Bodies are interleaved where they use the graph. To interleave them elsewhere, put a
 *       {@link io.frameloom.taskgraph.deterministic.DeterministicScheduler#point} there.
 * </ul>
 *
 * <h2>What it finds, and what not</h2>
 *
 * <p>It finds wrong results, exceptions, deadlocks (with the stack of every thread and the tasks that wait for each
 * other), livelocks, and threads that outlive the run. Waits with a time limit end at that time of a virtual clock,
 * which stands still while any thread can run; {@link io.frameloom.taskgraph.deterministic.Exploration#timePasses} lets
 * them end at any point. It finds neither data races on single fields without a point between their accesses nor wrong
 * memory ordering: jcstress does that.
 */
@NullMarked
package io.frameloom.taskgraph.deterministic;

import org.jspecify.annotations.NullMarked;
