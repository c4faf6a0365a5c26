package io.frameloom.stress.gpu.compute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.compute.BracketInput;
import io.frameloom.gpu.compute.ClipEnd;
import io.frameloom.gpu.compute.StuckTiles;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Function;

/** Everything that is checked, one after the other, with a line for each. */
final class ComputeSuite {
    private static final double SECOND = 1e9;

    /** Nests that are matched in memory of every width, and of clips that have every length. */
    private static final Set<Nest> USUAL = EnumSet.of(Nest.RANDOM, Nest.MOUNTAIN, Nest.CHAINS);

    private static final List<StuckTiles> SOME_STUCK = List.copyOf(EnumSet.complementOf(EnumSet.of(StuckTiles.NONE)));

    /**
     * Some work.
     *
     * @param name its name
     * @param maker makes it; what is made must be closed
     * @param lengths that it is checked at
     */
    private record Part(String name, Function<GpuDevice, LongWork> maker, Collection<Long> lengths) {}

    /** Kinds of work. */
    enum Kind {
        /**
         * Scans of words, of 64 bits, of floats and of pairs, also in segments, in both variants where there are two. Unless
         * the plan names tiles that are stuck, those that look back are short with each share of them, and long with one.
         */
        SCAN {
            @Override
            List<Part> parts(ComputePlan plan) {
                List<Part> parts = new ArrayList<>();
                for (LongScan.Kind kind : LongScan.Kind.values()) {
                    parts.add(new Part(
                            LongScan.nameOfReducing(kind), device -> LongScan.reducing(device, kind), plan.lengths()));
                    if (kind.looksBack()) {
                        for (StuckTiles stuck : StuckTiles.values()) {
                            boolean usual = stuck == StuckTiles.NONE || turn(kind, SOME_STUCK) == stuck;
                            parts.add(new Part(
                                    LongScan.nameOfLookingBack(kind, stuck),
                                    device -> LongScan.lookingBack(device, kind, stuck),
                                    plan.lengths(plan.stuck(), stuck, usual)));
                        }
                    }
                }
                return parts;
            }
        },
        /** Matchings of brackets that lie in memory as words, bytes and bits; of less usual nests as one of these. */
        MATCH {
            @Override
            List<Part> parts(ComputePlan plan) {
                List<Part> parts = new ArrayList<>();
                for (Nest nest : Nest.values()) {
                    for (BracketInput width : BracketInput.values()) {
                        if (USUAL.contains(nest) || turn(nest, List.of(BracketInput.values())) == width) {
                            parts.add(new Part(
                                    LongMatch.name(width, nest),
                                    device -> new LongMatch(device, width, nest),
                                    plan.lengths()));
                        }
                    }
                }
                return parts;
            }
        },
        /** A compaction. */
        COMPACT {
            @Override
            List<Part> parts(ComputePlan plan) {
                return List.of(new Part(LongCompaction.NAME, LongCompaction::new, plan.lengths()));
            }
        },
        /** Clip boxes. Unless the plan names modes of ENDs, every nest in every mode is short, and some are long in one. */
        CLIP {
            @Override
            List<Part> parts(ComputePlan plan) {
                List<Part> parts = new ArrayList<>();
                for (Nest nest : Nest.values()) {
                    for (ClipEnd end : ClipEnd.values()) {
                        boolean usual = USUAL.contains(nest) && turn(nest, List.of(ClipEnd.values())) == end;
                        parts.add(new Part(
                                LongClips.name(nest, end),
                                device -> new LongClips(device, nest, end),
                                plan.lengths(plan.ends(), end, usual)));
                    }
                }
                return parts;
            }
        };

        /** Returns the work of this kind, some of it of no length. */
        abstract List<Part> parts(ComputePlan plan);

        private static <T> T turn(Enum<?> each, List<T> values) {
            return values.get(each.ordinal() % values.size());
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

    private static List<Part> parts(ComputePlan plan) {
        return plan.kinds().stream()
                .flatMap(kind -> kind.parts(plan).stream())
                .filter(part -> !part.lengths().isEmpty()
                        && plan.only().matcher(part.name()).find())
                .toList();
    }

    /** Returns the names of the work that a plan asks for. */
    static List<String> names(ComputePlan plan) {
        return parts(plan).stream().map(Part::name).toList();
    }

    /** Checks what a plan says; returns whether something was right and nothing wrong. */
    boolean run(ComputePlan plan) {
        try (ComputeStand stand = new ComputeStand(device)) {
            for (Part part : parts(plan)) {
                try (LongWork work = part.maker().apply(device)) {
                    part.lengths().forEach(length -> check(stand, work, length, plan.placements()));
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
