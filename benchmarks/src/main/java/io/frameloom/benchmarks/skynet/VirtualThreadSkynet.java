package io.frameloom.benchmarks.skynet;

import io.frameloom.benchmarks.driver.Session;
import io.frameloom.benchmarks.driver.Threads;
import java.util.concurrent.ThreadFactory;

/** A virtual thread per node. */
final class VirtualThreadSkynet implements Session {
    private final ThreadFactory threads;
    private final int leaves;

    VirtualThreadSkynet(ThreadFactory threads, int leaves) {
        this.threads = threads;
        this.leaves = leaves;
    }

    @Override
    public void run(int times) {
        for (int run = 0; run < times; run++) {
            Node root = new Node(0, leaves);
            Thread thread = threads.newThread(root);
            thread.start();
            Threads.join(thread);
            Skynet.check(leaves, root.answer);
        }
    }

    @Override
    public void close() {}

    private final class Node implements Runnable {
        private final int first;
        private final int size;
        private long answer;

        Node(int first, int size) {
            this.first = first;
            this.size = size;
        }

        @Override
        public void run() {
            if (size == 1) {
                answer = first;
                return;
            }
            int part = size / Skynet.FAN;
            Node[] children = new Node[Skynet.FAN];
            Thread[] started = new Thread[Skynet.FAN];
            for (int child = 0; child < children.length; child++) {
                children[child] = new Node(first + child * part, part);
                started[child] = threads.newThread(children[child]);
                started[child].start();
            }
            long sum = 0;
            for (int child = children.length - 1; child >= 0; child--) {
                Threads.join(started[child]);
                sum += children[child].answer;
            }
            answer = sum;
        }
    }
}
