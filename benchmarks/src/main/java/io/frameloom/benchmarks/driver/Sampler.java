package io.frameloom.benchmarks.driver;

import java.util.ArrayList;
import java.util.List;

/**
 * Times all entrants of one measurement in one JVM. They take turns sample by sample, so that a disturbance
 * by another process hits all of them; the median and the spread over the samples are reported.
 *
 * @param warmUpNanos time each contender runs before it is timed
 * @param sampleNanos time one sample takes at least
 * @param samples number of samples
 */
public record Sampler(long warmUpNanos, long sampleNanos, int samples) {
    private static final int ALLOCATION_RUNS = 5;

    /**
     * Times all entrants.
     *
     * @param measurement what they do
     * @param entrants who takes part
     * @return one row each, in the same order
     */
    public List<Row> measure(Measurement measurement, List<Entrant> entrants) {
        Allocation allocation = new Allocation();
        List<Lane> lanes = new ArrayList<>();
        try {
            for (Entrant entrant : entrants) {
                lanes.add(new Lane(entrant, measurement));
            }
            for (Lane lane : lanes) {
                lane.warmUp();
            }
            for (int sample = 0; sample < samples; sample++) {
                for (Lane lane : lanes) {
                    lane.sample();
                }
            }
            List<Row> rows = new ArrayList<>();
            for (Lane lane : lanes) {
                rows.add(lane.row(allocation));
            }
            return rows;
        } finally {
            for (Lane lane : lanes) {
                lane.session.close();
            }
        }
    }

    private final class Lane {
        final Session session;
        private final Entrant entrant;
        private final Measurement measurement;
        private final Samples times = new Samples(samples);
        private double cpuNanos;
        private double cpuUnits;
        private int runs = 1;

        Lane(Entrant entrant, Measurement measurement) {
            this.entrant = entrant;
            this.measurement = measurement;
            session = entrant.opener().get();
        }

        void warmUp() {
            int atLeast = measurement.runsPerSample();
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

        void sample() {
            double units = (double) runs * measurement.unitsPerRun();
            long cpuBegin = ProcessorTime.nanos();
            long begin = System.nanoTime();
            session.run(runs);
            times.add((System.nanoTime() - begin) / units);
            // The clock of processor time ticks every 10 ms, so a single sample says little.
            cpuNanos += ProcessorTime.nanos() - cpuBegin;
            cpuUnits += units;
        }

        Row row(Allocation allocation) {
            int turns = Math.max(ALLOCATION_RUNS, Math.min(runs, measurement.runsPerSample()));
            long before = allocation.bytes();
            session.run(turns);
            double bytes = (allocation.bytes() - before) / ((double) turns * measurement.unitsPerRun());
            return new Row(
                    measurement.shape(),
                    measurement.workers(),
                    entrant.name(),
                    times.median(),
                    bytes,
                    times.halfInterquartileRange(),
                    times.min(),
                    null,
                    cpuNanos / cpuUnits,
                    measurement.body(),
                    entrant.reruns(),
                    measurement.unit(),
                    measurement.parameter());
        }
    }
}
