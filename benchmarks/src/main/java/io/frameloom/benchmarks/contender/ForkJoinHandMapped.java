package io.frameloom.benchmarks.contender;

import io.frameloom.benchmarks.dag.Caller;
import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.Dag;
import io.frameloom.benchmarks.dag.NodeBody;
import io.frameloom.benchmarks.dag.Workload;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CountedCompleter;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;
import org.jspecify.annotations.Nullable;

/**
 * The rival that counts: the graph mapped by hand onto a {@link ForkJoinPool}. One
 * {@link CountedCompleter} per node, whose pending count is the number of unmet prerequisites; whoever
 * makes successors ready continues with one of them and forks the rest. An outside caller waits on a
 * fresh latch per run, because re-arming a fork/join task that an outside thread joins can hang.
 */
public final class ForkJoinHandMapped implements Contender {
    private final boolean reruns;

    /**
     * Chooses the mode.
     *
     * @param reruns true to build the nodes once, false to build them for every run
     */
    public ForkJoinHandMapped(boolean reruns) {
        this.reruns = reruns;
    }

    @Override
    public String name() {
        return reruns ? "fjp-handmapped-rerun" : "fjp-handmapped";
    }

    @Override
    public boolean reruns() {
        return reruns;
    }

    @Override
    public boolean supports(Caller caller) {
        return true;
    }

    @Override
    public Session open(Workload workload, int workers, Caller caller) {
        return new Run(workload, new ForkJoinPool(workers), caller, reruns);
    }

    private static final class Run implements TwoPhaseSession {
        private final Workload workload;
        private final ForkJoinPool pool;
        private final Caller caller;
        private final boolean reruns;
        private @Nullable Mapped mapped;

        Run(Workload workload, ForkJoinPool pool, Caller caller, boolean reruns) {
            this.workload = workload;
            this.pool = pool;
            this.caller = caller;
            this.reruns = reruns;
        }

        @Override
        public void run(int times) {
            if (caller == Caller.OUTSIDE) {
                for (int run = 0; run < times; run++) {
                    build();
                    runBuilt();
                }
            } else {
                pool.invoke(new Loop(this, times));
            }
        }

        @Override
        public void build() {
            current();
        }

        @Override
        public void runBuilt() {
            Mapped built = mapped;
            if (built == null) {
                throw new IllegalStateException("build the graph first");
            }
            CountDownLatch latch = new CountDownLatch(1);
            built.done.latch = latch;
            pool.execute(built.start());
            Latches.await(latch);
        }

        private Mapped current() {
            Mapped current = mapped;
            if (current != null && reruns) {
                current.rearm();
            } else {
                current = new Mapped(workload);
                mapped = current;
            }
            return current;
        }

        @Override
        public void close() {
            pool.shutdown();
        }
    }

    private static final class Loop extends RecursiveAction {
        private static final long serialVersionUID = 1L;

        private final transient Run run;
        private final int times;

        Loop(Run run, int times) {
            this.run = run;
            this.times = times;
        }

        @Override
        protected void compute() {
            for (int turn = 0; turn < times; turn++) {
                Mapped current = run.current();
                current.forkRoots();
                current.done.join();
            }
        }
    }

    private static final class Mapped {
        final Done done;
        private final Node[] roots;
        private final int sinks;

        Mapped(Workload workload) {
            Dag dag = workload.dag();
            NodeBody[] bodies = workload.bodies();
            Node[] nodes = new Node[dag.nodes()];
            int rootCount = 0;
            int sinkCount = 0;
            done = new Done();
            for (int node = nodes.length - 1; node >= 0; node--) {
                Node[] successors = new Node[dag.outDegree(node)];
                for (int index = 0; index < successors.length; index++) {
                    successors[index] = nodes[dag.successor(node, index)];
                }
                int inDegree = dag.inDegree(node);
                nodes[node] = new Node(done, bodies[node], inDegree, successors);
                rootCount += inDegree == 0 ? 1 : 0;
                sinkCount += successors.length == 0 ? 1 : 0;
            }
            roots = new Node[rootCount];
            int root = 0;
            for (int node = 0; root < rootCount; node++) {
                if (nodes[node].inDegree == 0) {
                    roots[root++] = nodes[node];
                }
            }
            sinks = sinkCount;
            done.setPendingCount(sinks - 1);
        }

        void rearm() {
            done.reinitialize();
            done.setPendingCount(sinks - 1);
        }

        void forkRoots() {
            for (int root = roots.length - 1; root >= 0; root--) {
                roots[root].fork();
            }
        }

        ForkJoinTask<?> start() {
            return roots.length == 1 ? roots[0] : new Starter(this);
        }
    }

    private static final class Starter extends RecursiveAction {
        private static final long serialVersionUID = 1L;

        private final transient Mapped mapped;

        Starter(Mapped mapped) {
            this.mapped = mapped;
        }

        @Override
        protected void compute() {
            mapped.forkRoots();
        }
    }

    private static final class Done extends CountedCompleter<Void> {
        private static final long serialVersionUID = 1L;

        transient @Nullable CountDownLatch latch;

        @Override
        public void compute() {
            throw new IllegalStateException("completed by the sinks, never executed");
        }

        @Override
        public void onCompletion(CountedCompleter<?> caller) {
            CountDownLatch waiting = latch;
            if (waiting != null) {
                waiting.countDown();
            }
        }
    }

    private static final class Node extends CountedCompleter<Void> {
        private static final long serialVersionUID = 1L;

        final int inDegree;
        private final transient NodeBody body;
        private final transient Done done;
        private final Node[] successors;

        Node(Done done, NodeBody body, int inDegree, Node[] successors) {
            super(done, inDegree - 1);
            this.done = done;
            this.body = body;
            this.inDegree = inDegree;
            this.successors = successors;
        }

        private boolean arrive() {
            if (decrementPendingCountUnlessZero() != 0) {
                return false;
            }
            setPendingCount(inDegree - 1);
            return true;
        }

        @Override
        public void compute() {
            Node node = this;
            while (node != null) {
                node.body.run();
                Node next = null;
                for (Node successor : node.successors) {
                    if (successor.arrive()) {
                        if (next != null) {
                            next.fork();
                        }
                        next = successor;
                    }
                }
                if (node.successors.length == 0) {
                    done.tryComplete();
                }
                node = next;
            }
        }
    }
}
