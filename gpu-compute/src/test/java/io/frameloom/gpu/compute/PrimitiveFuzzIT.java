package io.frameloom.gpu.compute;

import io.frameloom.testing.TestEffort;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random cases of every primitive, others in each run; see {@link Fuzzing}. */
class PrimitiveFuzzIT {
    private static final int CASES = TestEffort.of(3, 10);
    private static final int MOST = 60_000;

    /** Elements of brackets and clips, of which bindings here hold fewer. */
    private static final int MANY = 200_000;

    private static final List<ScanOperator> OPERATORS = List.of(
            ScanOperator.sum(ElementType.U32),
            ScanOperator.max(ElementType.F32),
            ScanOperator.sum(ElementType.U64),
            ScanCases.BICYCLIC,
            ScanCases.ENDS,
            ScanCases.MATRIX,
            ScanOperator.min(ElementType.I32));

    /** Work in progress on a device whose things go when it ends. */
    private abstract static class OnARig implements Fuzzing.Case {
        final ComputeRig rig;
        final int offset;
        final int times;

        OnARig(ComputeRig rig, Draws draws) {
            this.rig = rig;
            offset = draws.next(6);
            times = 1 + draws.next(2);
        }

        @Override
        public final String difference() {
            int mark = rig.mark();
            try {
                return run();
            } finally {
                rig.release(mark);
            }
        }

        abstract String run();

        @Override
        public final String toString() {
            return how() + ", offset " + offset + ", " + times + " times";
        }

        abstract String how();
    }

    /**
     * The device's own limits, short rows of workgroups, or small bindings.
     *
     * @param step bytes that bindings hold a few of; 0 to leave bindings as they are
     */
    private static StorageLimits limits(ComputeRig rig, Draws draws, long step) {
        StorageLimits all = StorageLimits.of(rig.device.capabilities());
        int kind = draws.next(3);
        int number = draws.next(40);
        if (kind == 1) {
            return new StorageLimits(all.maxRange(), all.alignment(), 2 + number, 65_535);
        }
        return kind == 2 && step > 0
                ? new StorageLimits(all.alignment() + step * (1 + number), all.alignment(), 65_535, 65_535)
                : all;
    }

    private static @Nullable LookBackTrial trial(Draws draws) {
        int kind = draws.next(4);
        int modulus = 1 + draws.next(9);
        boolean inGroupOrder = draws.yes();
        int patience = 1 + draws.next(4);
        return switch (kind) {
            case 0 -> null;
            case 1 -> LookBackTrial.NONE;
            case 2 -> new LookBackTrial("", inGroupOrder, patience);
            default -> new LookBackTrial("tile % " + modulus + "u == 0u", inGroupOrder, patience);
        };
    }

    private static ScanOptions options(Draws draws) {
        int tile = draws.next(9);
        ScanOptions options = tile == 0
                ? ScanOptions.DEFAULT
                : ScanOptions.DEFAULT.withTile(32 << ((tile - 1) % 4), 4 << ((tile - 1) / 4));
        return draws.yes() ? options.withoutSubgroups() : options;
    }

    /** Words of an operator's elements: as {@link ScanCases#random} has them, 0 for 0. */
    private static int[] words(ScanOperator operator, FuzzInput input) {
        int each = operator.type().words();
        int[] words = new int[input.elements().length * each];
        for (int i = 0; i < words.length; i++) {
            int word = FuzzInput.word(input.elements()[i / each]) * (1 + i % each * 0x9E37_79B1);
            if (operator == ScanCases.MATRIX) {
                word = (word >>> 1) % 65_521;
            } else if (operator == ScanCases.BICYCLIC) {
                word = (word >>> 1) % 3;
            } else if (operator == ScanCases.ENDS) {
                word = i % 3 == 2 ? 1 : word;
            } else if (operator.type() == ElementType.F32) {
                word = Float.floatToRawIntBits(word % 10);
            }
            words[i] = word;
        }
        return words;
    }

    @ParameterizedTest
    @EnumSource
    void scans(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            Fuzzing.check(CASES, MOST, (draws, input) -> scan(rig, draws, input));
        }
    }

    private static Fuzzing.Case scan(ComputeRig rig, Draws draws, FuzzInput input) {
        ScanOperator operator = OPERATORS.get(draws.next(OPERATORS.size()));
        ScanKind kind = ScanKind.values()[draws.next(2)];
        boolean segmented = draws.yes();
        ScanOptions options = options(draws);
        LookBackTrial trial = trial(draws);
        // A tile that publishes nothing is reduced by its own dispatch alone.
        boolean windows = trial == null || trial.stuck().isEmpty();
        StorageLimits limits = limits(rig, draws, windows ? 4096 : 0);
        return new OnARig(rig, draws) {
            @Override
            String run() {
                PrefixScan scan = rig.own(PrefixScan.create(rig.device, operator, segmented, options, limits, trial));
                int[] words = words(operator, input);
                int[] heads = segmented ? input.flagBits() : null;
                return ScanCases.difference(
                        new ScanCases.Run(kind, words, heads, offset, offset + 1, times).on(rig, scan),
                        ScanCases.sequential(operator, kind, words, heads));
            }

            @Override
            String how() {
                return operator + ", " + kind + ", segmented " + segmented + ", " + options + ", " + trial + ", "
                        + limits;
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    void matchings(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            Fuzzing.check(CASES, MANY, (draws, input) -> matching(rig, draws, input));
        }
    }

    private static Fuzzing.Case matching(ComputeRig rig, Draws draws, FuzzInput input) {
        BracketInput width = BracketInput.values()[draws.next(3)];
        boolean subgroups = !draws.yes();
        StorageLimits limits = limits(rig, draws, 4 * 64 * 1024);
        return new OnARig(rig, draws) {
            @Override
            String run() {
                BracketMatch match = rig.own(BracketMatch.create(rig.device, width, subgroups, limits));
                boolean[] opens = input.flags();
                return ScanCases.difference(
                        BracketCases.run(rig, match, opens, offset, offset + 1, times), BracketCases.sequential(opens));
            }

            @Override
            String how() {
                return width + ", subgroups " + subgroups + ", " + limits;
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    void compactions(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            Fuzzing.check(CASES, MOST / 2, (draws, input) -> compaction(rig, draws, input));
        }
    }

    private static Fuzzing.Case compaction(ComputeRig rig, Draws draws, FuzzInput input) {
        ElementType type = ElementType.values()[draws.next(ElementType.values().length)];
        StorageLimits limits = limits(rig, draws, 4096);
        return new OnARig(rig, draws) {
            @Override
            String run() {
                StreamCompaction compaction = rig.own(StreamCompaction.create(rig.device, type, limits));
                int[] elements = new int[input.elements().length * type.words()];
                for (int i = 0; i < elements.length; i++) {
                    elements[i] = FuzzInput.word(input.elements()[i / type.words()]) + i % type.words();
                }
                return StreamCompactionTest.difference(rig, compaction, elements, input.flagBits(), offset, times);
            }

            @Override
            String how() {
                return type + ", " + limits;
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    void clips(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            Fuzzing.check(CASES, MANY, (draws, input) -> clip(rig, draws, input));
        }
    }

    private static Fuzzing.Case clip(ComputeRig rig, Draws draws, FuzzInput input) {
        ClipEnd end = ClipEnd.values()[draws.next(3)];
        List<ClipBox> viewports = List.of(
                ClipBox.UNBOUNDED,
                new ClipBox(-100, -50.5f, 900, 700),
                new ClipBox(5000, 5000, 6000, 6000),
                new ClipBox(-0f, -0f, -0f, -0f));
        ClipBox viewport = viewports.get(draws.next(viewports.size()));
        boolean subgroups = !draws.yes();
        StorageLimits limits = limits(rig, draws, 16 * 64 * 512);
        return new OnARig(rig, draws) {
            @Override
            String run() {
                ClipBoxes clips = rig.own(ClipBoxes.create(
                        rig.device, limits, BracketMatch.createForPairs(rig.device, subgroups, limits)));
                ClipCases all = ClipCases.of(input);
                ClipCases row = all.beginning((int) Math.min(all.length(), clips.maxLength()));
                return ScanCases.difference(
                        row.run(rig, clips, end, viewport, offset, times), row.sequential(end, viewport));
            }

            @Override
            String how() {
                return end + ", " + viewport + ", subgroups " + subgroups + ", " + limits;
            }
        };
    }
}
