package io.frameloom.stress.gpu.compute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.GpuOutOfMemoryException;
import io.frameloom.gpu.compute.BracketInput;
import io.frameloom.gpu.compute.ClipEnd;
import io.frameloom.gpu.compute.ScanVariant;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Supplier;

/** Everything that is checked, one after the other, with a line for each. */
final class ComputeSuite {
    private static final double SECOND = 1e9;

    /** Nests that are matched in memory of every width, and of clips that have every length. */
    private static final Set<Nest> USUAL = EnumSet.of(Nest.RANDOM, Nest.MOUNTAIN, Nest.CHAINS);

    /**
     * Some work.
     *
     * @param maker makes it; what is made must be closed
     * @param lengths that it is checked at
     */
    private record Part(Supplier<LongWork> maker, Collection<Long> lengths) {}

    /** Kinds of work. */
    enum Kind {
        /** Scans of words, of 64 bits, of floats and of pairs, also in segments, in both variants where there are two. */
        SCAN {
            @Override
            List<Part> parts(GpuDevice device, ComputePlan plan) {
                List<Part> parts = new ArrayList<>();
                for (LongScan.Kind kind : LongScan.Kind.values()) {
                    parts.add(new Part(() -> new LongScan(device, kind, ScanVariant.REDUCE_THEN_SCAN), plan.lengths()));
                    if (kind.looksBack()) {
                        parts.add(new Part(() -> new LongScan(device, kind, ScanVariant.LOOK_BACK), plan.lengths()));
                    }
                }
                return parts;
            }
        },
        /** Matchings of brackets that lie in memory as words, bytes and bits; of less usual nests as one of these. */
        MATCH {
            @Override
            List<Part> parts(GpuDevice device, ComputePlan plan) {
                List<Part> parts = new ArrayList<>();
                for (Nest nest : Nest.values()) {
                    for (BracketInput width : BracketInput.values()) {
                        if (USUAL.contains(nest) || turn(nest, BracketInput.values()) == width) {
                            parts.add(new Part(() -> new LongMatch(device, width, nest), plan.lengths()));
                        }
                    }
                }
                return parts;
            }
        },
        /** A compaction. */
        COMPACT {
            @Override
            List<Part> parts(GpuDevice device, ComputePlan plan) {
                return List.of(new Part(() -> new LongCompaction(device), plan.lengths()));
            }
        },
        /** Clip boxes. Unless the plan names modes of ENDs, every nest in every mode is short, and some are long in one. */
        CLIP {
            @Override
            List<Part> parts(GpuDevice device, ComputePlan plan) {
                List<Part> parts = new ArrayList<>();
                for (Nest nest : Nest.values()) {
                    for (ClipEnd end : ClipEnd.values()) {
                        Set<Long> lengths = new LinkedHashSet<>();
                        if (plan.ends().isEmpty()) {
                            lengths.add(plan.shortLength());
                        }
                        boolean isLong = plan.ends().isEmpty()
                                ? USUAL.contains(nest) && turn(nest, ClipEnd.values()) == end
                                : plan.ends().contains(end);
                        if (isLong) {
                            lengths.addAll(plan.lengths());
                        }
                        if (!lengths.isEmpty()) {
                            parts.add(new Part(() -> new LongClips(device, nest, end), lengths));
                        }
                    }
                }
                return parts;
            }
        };

        /** Returns the work of this kind. */
        abstract List<Part> parts(GpuDevice device, ComputePlan plan);

        private static <T> T turn(Nest nest, T[] values) {
            return values[nest.ordinal() % values.length];
        }
    }

    private final GpuDevice device;
    private final PrintStream out;
    private int right;
    private int wrong;
    private int leftOut;
    private final List<String> notTested = new ArrayList<>();

    ComputeSuite(GpuDevice device, PrintStream out) {
        this.device = device;
        this.out = out;
    }

    /** Checks what a plan says; returns whether something was right and nothing wrong. */
    boolean run(ComputePlan plan) {
        try (ComputeStand stand = new ComputeStand(device)) {
            for (Kind kind : plan.kinds()) {
                for (Part part : kind.parts(device, plan)) {
                    try (LongWork work = part.maker().get()) {
                        part.lengths().forEach(length -> check(stand, work, length, plan.placements()));
                    }
                }
            }
        }
        out.println(summary());
        return wrong == 0 && right > 0;
    }

    /** Returns the last line: what was found, and which lengths the device has no memory for. */
    String summary() {
        String found =
                String.format(Locale.ROOT, "gpu compute: %d right, %d wrong, %d left out", right, wrong, leftOut);
        return notTested.isEmpty() ? found : found + "; not tested: " + String.join("; ", notTested);
    }

    /** Returns what a report calls runs, such as {@code 3 runs (2 unaligned, 1 aligned)}. */
    private static String runs(List<Placement> placements) {
        StringJoiner each = new StringJoiner(", ", placements.size() + " runs (", ")");
        for (Placement placement : Placement.values()) {
            int runs = Collections.frequency(placements, placement);
            if (runs > 0) {
                each.add(runs + " " + placement);
            }
        }
        return each.toString();
    }

    /** Checks one work at one length, or at the largest below that the device has memory for. */
    void check(ComputeStand stand, LongWork work, long wanted, List<Placement> placements) {
        ComputeCheck check = new ComputeCheck(stand);
        long length = check.longest(work, wanted);
        String what = work.name() + ", " + length + " elements"
                + (length < wanted ? " (" + wanted + " exceed a binding or an allocation of the device)" : "");
        if (length < wanted) {
            notTested.add(work.name() + " of " + wanted + " elements, but of " + length);
        }
        long begin = System.nanoTime();
        try {
            String difference = check.difference(work, length, placements);
            double seconds = (System.nanoTime() - begin) / SECOND;
            if (difference.isEmpty()) {
                right++;
                out.printf(Locale.ROOT, "right  %s, %s, %.1f s%n", what, runs(placements), seconds);
            } else {
                wrong++;
                out.printf(Locale.ROOT, "WRONG  %s: %s%n", what, difference);
            }
        } catch (GpuOutOfMemoryException tooLittle) {
            leftOut++;
            notTested.add(what);
            out.printf(Locale.ROOT, "left out  %s: %s%n", what, tooLittle.getMessage());
        }
    }
}
