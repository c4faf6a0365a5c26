package io.frameloom.benchmarks.hop;

import io.frameloom.benchmarks.driver.LatencyProbe;
import io.frameloom.benchmarks.driver.Threads;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The rival of the parked hop: a volatile turn, {@link LockSupport#unpark} and {@link LockSupport#park}. */
final class ParkUnpark implements LatencyProbe {
    private static final int CALLER = 0;
    private static final int ECHO = 1;
    private static final int STOP = 2;

    private final Thread echo = new Thread(this::echo, "park-echo");
    private volatile @Nullable Thread caller;
    private volatile int turn = CALLER;

    ParkUnpark() {
        echo.start();
    }

    @Override
    public String name() {
        return "locksupport-ping-pong";
    }

    private void echo() {
        while (true) {
            while (turn == CALLER) {
                LockSupport.park(this);
            }
            if (turn == STOP) {
                return;
            }
            turn = CALLER;
            LockSupport.unpark(caller);
        }
    }

    @Override
    public void run(long[] roundTrips) {
        caller = Thread.currentThread();
        long last = System.nanoTime();
        for (int trip = 0; trip < roundTrips.length; trip++) {
            turn = ECHO;
            LockSupport.unpark(echo);
            while (turn == ECHO) {
                LockSupport.park(this);
            }
            long now = System.nanoTime();
            roundTrips[trip] = now - last;
            last = now;
        }
    }

    @Override
    public void close() {
        turn = STOP;
        LockSupport.unpark(echo);
        Threads.join(echo);
    }
}
