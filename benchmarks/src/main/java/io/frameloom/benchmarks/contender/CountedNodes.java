package io.frameloom.benchmarks.contender;

import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.Dag;
import io.frameloom.benchmarks.dag.NodeBody;
import io.frameloom.benchmarks.dag.Workload;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A graph on a plain {@link Executor}, built for every run: each node counts its prerequisites, and whoever
 * completes the last one hands the node to the executor.
 */
final class CountedNodes implements Contender.TwoPhaseSession {
    private final Workload workload;
    private final Executor executor;
    private final Runnable close;
    private final boolean continues;
    private @Nullable Built built;

    /**
     * Maps a graph.
     *
     * @param workload the graph
     * @param executor runs the nodes
     * @param continues true when a thread goes on with one of the nodes that it made ready
     * @param close ends the threads
     */
    CountedNodes(Workload workload, Executor executor, boolean continues, Runnable close) {
        this.workload = workload;
        this.executor = executor;
        this.continues = continues;
        this.close = close;
    }

    @Override
    public void run(int times) {
        for (int run = 0; run < times; run++) {
            build();
            runBuilt();
        }
    }

    @Override
    public void build() {
        Dag dag = workload.dag();
        Completion completion = new Completion(dag.sinks().length);
        Node[] nodes = new Node[dag.nodes()];
        for (int node = nodes.length - 1; node >= 0; node--) {
            Node[] successors = new Node[dag.outDegree(node)];
            for (int index = 0; index < successors.length; index++) {
                successors[index] = nodes[dag.successor(node, index)];
            }
            nodes[node] = new Node(this, completion, workload.bodies()[node], dag.inDegree(node), successors);
        }
        int[] roots = dag.roots();
        Node[] first = new Node[roots.length];
        for (int index = 0; index < first.length; index++) {
            first[index] = nodes[roots[index]];
        }
        built = new Built(first, completion);
    }

    @Override
    public void runBuilt() {
        Built ready = built;
        if (ready == null) {
            throw new IllegalStateException("build the graph first");
        }
        built = null;
        for (Node root : ready.roots) {
            executor.execute(root);
        }
        Latches.await(ready.completion.latch);
    }

    @Override
    public void close() {
        close.run();
    }

    private static final class Built {
        final Node[] roots;
        final Completion completion;

        Built(Node[] roots, Completion completion) {
            this.roots = roots;
            this.completion = completion;
        }
    }

    private static final class Completion {
        final CountDownLatch latch = new CountDownLatch(1);
        final AtomicInteger sinks;

        Completion(int sinks) {
            this.sinks = new AtomicInteger(sinks);
        }
    }

    private static final class Node extends AtomicInteger implements Runnable {
        private static final long serialVersionUID = 1L;

        private final transient CountedNodes owner;
        private final transient Completion completion;
        private final transient NodeBody body;
        private final Node[] successors;

        Node(CountedNodes owner, Completion completion, NodeBody body, int inDegree, Node[] successors) {
            super(inDegree);
            this.owner = owner;
            this.completion = completion;
            this.body = body;
            this.successors = successors;
        }

        @Override
        public void run() {
            Node node = this;
            while (node != null) {
                node.body.run();
                node = node.complete();
            }
        }

        /** Hands on what became ready; returns the node to go on with. */
        private @Nullable Node complete() {
            Node next = null;
            for (Node successor : successors) {
                if (successor.decrementAndGet() == 0) {
                    if (!owner.continues) {
                        owner.executor.execute(successor);
                    } else {
                        if (next != null) {
                            owner.executor.execute(next);
                        }
                        next = successor;
                    }
                }
            }
            if (successors.length == 0 && completion.sinks.decrementAndGet() == 0) {
                completion.latch.countDown();
            }
            return next;
        }
    }
}
