package io.frameloom.benchmarks.skynet;

import io.frameloom.benchmarks.driver.Session;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;

/** A {@link RecursiveAction} forks its ten children and joins them, the last one first. */
final class ForkJoinSkynet implements Session {
    private final ForkJoinPool pool;
    private final int leaves;

    ForkJoinSkynet(int workers, int leaves) {
        pool = new ForkJoinPool(workers);
        this.leaves = leaves;
    }

    @Override
    public void run(int times) {
        pool.submit(() -> loop(times)).join();
    }

    private void loop(int times) {
        for (int run = 0; run < times; run++) {
            Node root = new Node(0, leaves);
            root.compute();
            Skynet.check(leaves, root.answer);
        }
    }

    @Override
    public void close() {
        pool.shutdown();
    }

    private static final class Node extends RecursiveAction {
        private static final long serialVersionUID = 1L;

        private final int first;
        private final int size;
        private long answer;

        Node(int first, int size) {
            this.first = first;
            this.size = size;
        }

        @Override
        protected void compute() {
            if (size == 1) {
                answer = first;
                return;
            }
            int part = size / Skynet.FAN;
            Node[] children = new Node[Skynet.FAN];
            for (int child = 0; child < children.length; child++) {
                children[child] = new Node(first + child * part, part);
                children[child].fork();
            }
            long sum = 0;
            for (int child = children.length - 1; child >= 0; child--) {
                children[child].join();
                sum += children[child].answer;
            }
            answer = sum;
        }
    }
}
