package io.frameloom.benchmarks;

import io.frameloom.benchmarks.dag.BodyKind;
import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.Shape;
import io.frameloom.benchmarks.dag.Workload;
import java.util.ArrayList;
import java.util.List;

/**
 * Times all contenders on one shape in one JVM. They take turns sample by sample, so that a disturbance
 * by another process hits all of them; the median and the spread over the samples are reported.
 *
 * @param warmUpNanos time each contender runs before it is timed
 * @param sampleNanos time one sample takes at least
 * @param samples number of samples
 */
record Sampler(long warmUpNanos, long sampleNanos, int samples) {
    private static final int ALLOCATION_RUNS = 5;

    List<Row> measure(Shape shape, BodyKind body, int workers, List<Contender> contenders) {
        Workload workload = body.on(shape.dag());
        Allocation allocation = new Allocation();
        List<Lane> lanes = new ArrayList<>();
        try {
            for (Contender contender : contenders) {
                if (contender.supports(shape.caller())) {
                    lanes.add(new Lane(contender, contender.open(workload, workers, shape.caller())));
                }
            }
            for (Lane lane : lanes) {
                lane.warmUp(shape.runsPerSample());
            }
            for (int sample = 0; sample < samples; sample++) {
                for (Lane lane : lanes) {
                    lane.sample(workload.dag().nodes());
                }
            }
            List<Row> rows = new ArrayList<>();
            for (Lane lane : lanes) {
                rows.add(lane.row(shape, body, workers, workload.dag().nodes(), allocation));
            }
            return rows;
        } finally {
            for (Lane lane : lanes) {
                lane.session.close();
            }
        }
    }

    private final class Lane {
        final Contender.Session session;
        private final Contender contender;
        private final Samples times = new Samples(samples);
        private double cpuNanos;
        private double cpuTasks;
        private int runs = 1;

        Lane(Contender contender, Contender.Session session) {
            this.contender = contender;
            this.session = session;
        }

        void warmUp(int atLeast) {
            long begin = System.nanoTime();
            long fastest = Long.MAX_VALUE;
            long now = begin;
            while (now - begin < warmUpNanos) {
                session.run(atLeast);
                long after = System.nanoTime();
                fastest = Math.min(fastest, Math.max(after - now, 1));
                now = after;
            }
            runs = (int) (atLeast * Math.max(1, (sampleNanos + fastest - 1) / fastest));
        }

        void sample(int nodes) {
            double tasks = (double) runs * nodes;
            long cpuBegin = ProcessorTime.nanos();
            long begin = System.nanoTime();
            session.run(runs);
            times.add((System.nanoTime() - begin) / tasks);
            // The clock of processor time ticks every 10 ms, so a single sample says little.
            cpuNanos += ProcessorTime.nanos() - cpuBegin;
            cpuTasks += tasks;
        }

        Row row(Shape shape, BodyKind body, int workers, int nodes, Allocation allocation) {
            int turns = Math.max(ALLOCATION_RUNS, Math.min(runs, shape.runsPerSample()));
            long before = allocation.bytes();
            session.run(turns);
            double bytes = (allocation.bytes() - before) / ((double) turns * nodes);
            return new Row(
                    shape.name(),
                    body.label(),
                    workers,
                    contender.name(),
                    contender.reruns(),
                    times.median(),
                    bytes,
                    times.halfInterquartileRange(),
                    times.min(),
                    cpuNanos / cpuTasks);
        }
    }
}
