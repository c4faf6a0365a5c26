package io.frameloom.benchmarks.fib;

import io.frameloom.benchmarks.driver.Session;
import io.frameloom.benchmarks.driver.Threads;
import java.util.concurrent.ThreadFactory;

/** A virtual thread for each left part; the right part is done by the one that starts it. */
final class VirtualThreadFib implements Session {
    private final ThreadFactory threads;
    private final int number;

    VirtualThreadFib(ThreadFactory threads, int number) {
        this.threads = threads;
        this.number = number;
    }

    @Override
    public void run(int times) {
        for (int run = 0; run < times; run++) {
            Part whole = new Part(number);
            Thread thread = threads.newThread(whole);
            thread.start();
            Threads.join(thread);
            Fib.check(number, whole.answer);
        }
    }

    @Override
    public void close() {}

    private final class Part implements Runnable {
        private final int number;
        private long answer;

        Part(int number) {
            this.number = number;
        }

        @Override
        public void run() {
            if (number < 2) {
                answer = number;
                return;
            }
            Part left = new Part(number - 1);
            Thread thread = threads.newThread(left);
            thread.start();
            Part right = new Part(number - 2);
            right.run();
            Threads.join(thread);
            answer = left.answer + right.answer;
        }
    }
}
