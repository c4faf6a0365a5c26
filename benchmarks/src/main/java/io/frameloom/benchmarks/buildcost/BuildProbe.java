package io.frameloom.benchmarks.buildcost;

import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.driver.LatencyProbe;

/**
 * Times building and leaves out running.
 *
 * @param name the contender
 * @param session its session; closed with this
 */
record BuildProbe(String name, Contender.TwoPhaseSession session) implements LatencyProbe {
    @Override
    public void run(long[] nanos) {
        for (int index = 0; index < nanos.length; index++) {
            long begin = System.nanoTime();
            session.build();
            nanos[index] = System.nanoTime() - begin;
            session.runBuilt();
        }
    }

    @Override
    public void close() {
        session.close();
    }
}
