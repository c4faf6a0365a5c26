package io.frameloom.benchmarks.forkjointree;

import io.frameloom.benchmarks.driver.Session;
import io.frameloom.benchmarks.driver.StructuredScope;
import io.frameloom.benchmarks.driver.Threads;
import java.util.concurrent.ThreadFactory;

/** A {@code StructuredTaskScope} per inner node, which forks the left part; the right part is done by its owner. */
final class StructuredTree implements Session {
    private final ThreadFactory threads;
    private final int depth;

    StructuredTree(ThreadFactory threads, int depth) {
        this.threads = threads;
        this.depth = depth;
    }

    @Override
    public void run(int times) {
        for (int run = 0; run < times; run++) {
            Part whole = new Part(depth);
            Thread thread = threads.newThread(whole);
            thread.start();
            Threads.join(thread);
            Tree.check(depth, whole.answer);
        }
    }

    @Override
    public void close() {}

    private static final class Part implements Runnable {
        private final int depth;
        private long answer;

        Part(int depth) {
            this.depth = depth;
        }

        @Override
        public void run() {
            if (depth == 1) {
                answer = 1;
                return;
            }
            Part left = new Part(depth - 1);
            Part right = new Part(depth - 1);
            try (StructuredScope scope = new StructuredScope()) {
                scope.fork(left);
                right.run();
                scope.join();
            }
            answer = left.answer + right.answer + 1;
        }
    }
}
