package io.frameloom.stress.gpu.compute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.GpuOutOfMemoryException;
import io.frameloom.gpu.compute.BracketInput;
import io.frameloom.gpu.compute.ScanVariant;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/** Everything that is checked, one after the other, with a line for each. */
final class ComputeSuite {
    private static final double SECOND = 1e9;

    /** Kinds of work. */
    enum Kind {
        /** Scans of words, of 64 bits and of pairs in segments, in both variants. */
        SCAN {
            @Override
            List<Supplier<LongWork>> works(GpuDevice device) {
                List<Supplier<LongWork>> works = new ArrayList<>();
                for (LongScan.Kind kind : LongScan.Kind.values()) {
                    works.add(() -> new LongScan(device, kind, ScanVariant.REDUCE_THEN_SCAN));
                    works.add(() -> new LongScan(device, kind, ScanVariant.LOOK_BACK));
                }
                return works;
            }
        },
        /** Matchings of brackets that lie in memory as words, bytes and bits. */
        MATCH {
            @Override
            List<Supplier<LongWork>> works(GpuDevice device) {
                List<Supplier<LongWork>> works = new ArrayList<>();
                for (BracketInput width : BracketInput.values()) {
                    for (Nest nest : Nest.values()) {
                        works.add(() -> new LongMatch(device, width, nest));
                    }
                }
                return works;
            }
        },
        /** A compaction. */
        COMPACT {
            @Override
            List<Supplier<LongWork>> works(GpuDevice device) {
                return List.of(() -> new LongCompaction(device));
            }
        },
        /** Clip boxes, with ENDs in each mode. */
        CLIP {
            @Override
            List<Supplier<LongWork>> works(GpuDevice device) {
                List<Supplier<LongWork>> works = new ArrayList<>();
                for (Nest nest : Nest.values()) {
                    works.add(() -> new LongClips(device, nest));
                }
                return works;
            }
        };

        /** Returns what makes the works of this kind; what is made must be closed. */
        abstract List<Supplier<LongWork>> works(GpuDevice device);
    }

    private final GpuDevice device;
    private final PrintStream out;
    private int right;
    private int wrong;
    private int leftOut;

    ComputeSuite(GpuDevice device, PrintStream out) {
        this.device = device;
        this.out = out;
    }

    /** Checks work of some kinds at some lengths; returns whether something was right and nothing wrong. */
    boolean run(Set<Kind> kinds, List<Long> lengths, int runs) {
        try (ComputeStand stand = new ComputeStand(device)) {
            for (Kind kind : kinds) {
                for (Supplier<LongWork> maker : kind.works(device)) {
                    try (LongWork work = maker.get()) {
                        lengths.forEach(length -> check(stand, work, length, runs));
                    }
                }
            }
        }
        out.printf(Locale.ROOT, "gpu compute: %d right, %d wrong, %d left out%n", right, wrong, leftOut);
        return wrong == 0 && right > 0;
    }

    /** Checks one work at one length, or at the largest below that the device has memory for. */
    void check(ComputeStand stand, LongWork work, long wanted, int runs) {
        ComputeCheck check = new ComputeCheck(stand);
        long length = check.longest(work, wanted);
        String what = work.name() + ", " + length + " elements"
                + (length < wanted ? " (" + wanted + " exceed a binding or an allocation of the device)" : "");
        long begin = System.nanoTime();
        try {
            String difference = check.difference(work, length, runs);
            double seconds = (System.nanoTime() - begin) / SECOND;
            if (difference.isEmpty()) {
                right++;
                out.printf(Locale.ROOT, "right  %s, %d runs, %.1f s%n", what, runs, seconds);
            } else {
                wrong++;
                out.printf(Locale.ROOT, "WRONG  %s: %s%n", what, difference);
            }
        } catch (GpuOutOfMemoryException tooLittle) {
            leftOut++;
            out.printf(Locale.ROOT, "left out  %s: %s%n", what, tooLittle.getMessage());
        }
    }
}
