package io.frameloom.benchmarks.hop;

import io.frameloom.benchmarks.driver.LatencyProbe;
import io.frameloom.benchmarks.driver.Threads;
import org.jctools.queues.varhandle.SpscVarHandleArrayQueue;

/** The rival of the spinning hop: two JCTools single-producer queues, both ends polling without a pause. */
final class SpscBusySpin implements LatencyProbe {
    private static final int CAPACITY = 64;
    private static final Integer TOKEN = 1;
    private static final Integer STOP = 2;

    private final SpscVarHandleArrayQueue<Integer> there = new SpscVarHandleArrayQueue<>(CAPACITY);
    private final SpscVarHandleArrayQueue<Integer> back = new SpscVarHandleArrayQueue<>(CAPACITY);
    private final Thread echo = new Thread(this::echo, "spsc-echo");

    SpscBusySpin() {
        echo.start();
    }

    @Override
    public String name() {
        return "jctools-spsc-busy-spin";
    }

    private static Integer take(SpscVarHandleArrayQueue<Integer> queue) {
        while (true) {
            Integer token = queue.poll();
            if (token != null) {
                return token;
            }
        }
    }

    private void echo() {
        while (take(there) == TOKEN) {
            back.offer(TOKEN);
        }
    }

    @Override
    public void run(long[] roundTrips) {
        long last = System.nanoTime();
        for (int trip = 0; trip < roundTrips.length; trip++) {
            there.offer(TOKEN);
            take(back);
            long now = System.nanoTime();
            roundTrips[trip] = now - last;
            last = now;
        }
    }

    @Override
    public void close() {
        there.offer(STOP);
        Threads.join(echo);
    }
}
