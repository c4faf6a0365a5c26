package io.frameloom.benchmarks.contender;

import io.frameloom.benchmarks.dag.Caller;
import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.Dag;
import io.frameloom.benchmarks.dag.NodeBody;
import io.frameloom.benchmarks.dag.Workload;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A fixed thread pool with one shared queue: nodes count their prerequisites; whoever makes successors
 * ready continues with one of them and submits the rest. Built for every run.
 */
public final class FixedPool implements Contender {
    @Override
    public String name() {
        return "fixed-pool";
    }

    @Override
    public boolean reruns() {
        return false;
    }

    @Override
    public boolean supports(Caller caller) {
        return caller == Caller.OUTSIDE;
    }

    @Override
    public Session open(Workload workload, int workers, Caller caller) {
        ExecutorService pool = Executors.newFixedThreadPool(workers);
        return new Session() {
            @Override
            public void run(int times) {
                for (int run = 0; run < times; run++) {
                    runOnce(workload, pool);
                }
            }

            @Override
            public void close() {
                pool.shutdown();
            }
        };
    }

    private static void runOnce(Workload workload, ExecutorService pool) {
        Dag dag = workload.dag();
        Completion completion = new Completion(dag.sinks().length);
        Node[] nodes = new Node[dag.nodes()];
        for (int node = nodes.length - 1; node >= 0; node--) {
            Node[] successors = new Node[dag.outDegree(node)];
            for (int index = 0; index < successors.length; index++) {
                successors[index] = nodes[dag.successor(node, index)];
            }
            nodes[node] = new Node(pool, completion, workload.bodies()[node], dag.inDegree(node), successors);
        }
        for (int root : dag.roots()) {
            pool.execute(nodes[root]);
        }
        Latches.await(completion.latch);
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

        private final transient ExecutorService pool;
        private final transient Completion completion;
        private final transient NodeBody body;
        private final Node[] successors;

        Node(ExecutorService pool, Completion completion, NodeBody body, int inDegree, Node[] successors) {
            super(inDegree);
            this.pool = pool;
            this.completion = completion;
            this.body = body;
            this.successors = successors;
        }

        @Override
        public void run() {
            Node node = this;
            while (node != null) {
                node.body.run();
                Node next = null;
                for (Node successor : node.successors) {
                    if (successor.decrementAndGet() == 0) {
                        if (next != null) {
                            pool.execute(next);
                        }
                        next = successor;
                    }
                }
                if (node.successors.length == 0 && completion.sinks.decrementAndGet() == 0) {
                    completion.latch.countDown();
                }
                node = next;
            }
        }
    }
}
