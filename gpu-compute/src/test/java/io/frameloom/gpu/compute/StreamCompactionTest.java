package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.resource.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compactions of both backends against a loop and {@link CpuCompaction}, which must agree; what is behind the elements that
 * stay keeps its poison.
 */
@Timeout(60)
class StreamCompactionTest {
    @ParameterizedTest
    @EnumSource
    void equalsALoop(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            for (ElementType type : List.of(ElementType.U32, ElementType.U32X3)) {
                StreamCompaction compaction = rig.own(StreamCompaction.create(rig.device, type));
                for (int length : new int[] {0, 1, 31, 32, 33, 512, 513, 4097, 70_001}) {
                    for (int every : new int[] {1, 3, 1000, Integer.MAX_VALUE}) {
                        check(rig, compaction, length, every);
                    }
                }
            }
        }
    }

    /** What exceeds a binding or the groups of a dispatch goes through windows, to all windows before. */
    @ParameterizedTest
    @EnumSource
    void windowsAndRowsOfGroups(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            int alignment = rig.device.capabilities().storageAlignment();
            for (StorageLimits limits : List.of(
                    new StorageLimits(alignment + 16 * 1024L, alignment, 65_535, 65_535),
                    new StorageLimits(1 << 27, alignment, 2, 3))) {
                int mark = rig.mark();
                for (ElementType type : List.of(ElementType.U32, ElementType.U32X4)) {
                    StreamCompaction compaction = rig.own(StreamCompaction.create(rig.device, type, limits));
                    for (int length : new int[] {3072, 3073, 4096, 4097, 7 * 1024 + 5}) {
                        for (int every : new int[] {1, 2, 700, Integer.MAX_VALUE}) {
                            check(rig, compaction, length, every);
                        }
                    }
                }
                rig.release(mark);
            }
        }
    }

    private static void check(ComputeRig rig, StreamCompaction compaction, int length, int every) {
        assertThat(difference(rig, compaction, length, ScanCases.heads(length, every, length)))
                .as("%d elements, one of %d stays", length, every)
                .isEmpty();
    }

    static String difference(ComputeRig rig, StreamCompaction compaction, int length, int[] keep) {
        int[] elements = new int[length * compaction.type().words()];
        Arrays.setAll(elements, i -> i * 7 + 1);
        return difference(rig, compaction, elements, keep, 1, 2);
    }

    /** Compacts on a device; returns where the result differs from the processor's, or nothing. */
    static String difference(
            ComputeRig rig, StreamCompaction compaction, int[] elements, int[] keep, int offset, int times) {
        int mark = rig.mark();
        int words = compaction.type().words();
        int length = elements.length / words;
        BufferRange flags = rig.upload(keep, offset + 2);
        BufferRange scratch = rig.scratch(compaction.scratchBytes(length));
        // The count stands behind the elements.
        BufferRange input = rig.upload(elements, offset);
        int[] result = rig.run(input, elements.length + 1, offset + 1, times, new ComputeRig.Primitive() {
            private CompactArguments arguments(BufferRange from, BufferRange to) {
                BufferRange output = new BufferRange(to.buffer(), to.offset(), to.bytes() - 4);
                BufferRange count = new BufferRange(to.buffer(), to.offset() + to.bytes() - 4, 4);
                return new CompactArguments(length, from, flags, output, count, scratch);
            }

            @Override
            public List<ResourceUse> uses(BufferRange from, BufferRange to) {
                return compaction.uses(arguments(from, to));
            }

            @Override
            public void record(CommandList list, BufferRange from, BufferRange to) {
                compaction.record(list, arguments(from, to));
            }
        });
        int[] expected = new int[result.length];
        Arrays.fill(expected, ComputeRig.POISON);
        int kept = 0;
        for (int e = 0; e < length; e++) {
            if ((keep[e / 32] >>> (e % 32) & 1) != 0) {
                System.arraycopy(elements, e * words, expected, kept++ * words, words);
            }
        }
        assertThat(CpuCompaction.compact(rig.tasks, compaction.type(), elements, keep))
                .as("%d of %d elements on the processor", kept, length)
                .isEqualTo(Arrays.copyOf(expected, kept * words));
        expected[expected.length - 1] = kept;
        rig.release(mark);
        return ScanCases.difference(result, expected);
    }

    @Test
    void barriers() {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VIRTUAL)) {
            StreamCompaction compaction = rig.own(StreamCompaction.create(rig.device, ElementType.U32));
            // The places of 32 times as few words are scanned in one dispatch, or in three.
            barriers(rig, compaction, 5000, 3);
            barriers(rig, compaction, 32 * 5000, 5);
        }
    }

    private static void barriers(ComputeRig rig, StreamCompaction compaction, int length, int dispatches) {
        CompactArguments arguments = arguments(rig, compaction, length);
        DispatchOrder order = DispatchOrder.of(rig.queue(), list -> compaction.record(list, arguments));
        assertThat(order.conflicts()).isEmpty();
        assertThat(order.dispatches()).isEqualTo(dispatches);
        assertThat(order.barriers()).isEqualTo(dispatches - 1);
    }

    /** Whoever takes the count for what it dispatches must not find that of an earlier compaction. */
    @Test
    void ofNoElementsOnlyTheCountIsUsed() {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VIRTUAL)) {
            StreamCompaction compaction = rig.own(StreamCompaction.create(rig.device, ElementType.U32));
            CompactArguments nothing = arguments(rig, compaction, 0);
            assertThat(compaction.uses(nothing))
                    .containsExactly(new ResourceUse.OfBuffer(
                            nothing.count().buffer(), 0, 4, Access.STORAGE_WRITE_COMPUTE, true));
        }
    }

    private static CompactArguments arguments(ComputeRig rig, StreamCompaction compaction, int length) {
        return new CompactArguments(
                length,
                new BufferRange(rig.storage("input", 4L * length), 0, 4L * length),
                new BufferRange(rig.storage("keep", length), 0, length),
                new BufferRange(rig.storage("output", 4L * length), 0, 4L * length),
                new BufferRange(rig.storage("count", 4), 0, 4),
                new BufferRange(
                        rig.storage("scratch", compaction.scratchBytes(length)), 0, compaction.scratchBytes(length)));
    }

    @Test
    @SuppressWarnings("NullAway") // that is the test
    void badInput() {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VIRTUAL)) {
            StreamCompaction compaction = rig.own(StreamCompaction.create(rig.device, ElementType.U32));
            CompactArguments fits = arguments(rig, compaction, 5000);
            refused(rig, compaction, with(fits, -1, fits.keep(), fits.output()), "negative");
            refused(rig, compaction, with(fits, compaction.maxLength() + 1, fits.keep(), fits.output()), "beyond");
            refused(rig, compaction, with(fits, 5000, fits.count(), fits.output()), "keep", "628 are needed");
            refused(rig, compaction, with(fits, 5000, fits.keep(), fits.input()), "input", "output", "overlap");
            refused(rig, compaction, with(fits, 5000, fits.output(), fits.output()), "keep", "output", "overlap");
            assertThatNullPointerException()
                    .isThrownBy(() -> compaction.uses(with(fits, 5000, null, fits.output())))
                    .withMessageContaining("keep");
            compaction.close();
            assertThatIllegalStateException()
                    .isThrownBy(() -> rig.execute(list -> compaction.record(list, fits)))
                    .withMessageContaining("closed");
        }
    }

    private static final List<String> ROLES = List.of("input", "keep", "output", "count", "scratch");

    /** Returns arguments with another range in each of some roles. */
    private static CompactArguments with(CompactArguments base, BufferRange range, String... roles) {
        List<BufferRange> ranges =
                new ArrayList<>(List.of(base.input(), base.keep(), base.output(), base.count(), base.scratch()));
        for (String role : roles) {
            ranges.set(ROLES.indexOf(role), range);
        }
        return new CompactArguments(
                base.length(), ranges.get(0), ranges.get(1), ranges.get(2), ranges.get(3), ranges.get(4));
    }

    /** What is written is apart from all else; what is only read may share memory. */
    @Test
    void whatMayNotOverlap() {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VIRTUAL)) {
            StreamCompaction compaction = rig.own(StreamCompaction.create(rig.device, ElementType.U32));
            CompactArguments fits = arguments(rig, compaction, 5000);
            Buffer both = rig.storage("both", 1 << 16);
            BufferRange shared = new BufferRange(both, 0, 1 << 16);
            for (int b = 1; b < ROLES.size(); b++) {
                for (int a = 0; a < b; a++) {
                    CompactArguments arguments = with(fits, shared, ROLES.get(a), ROLES.get(b));
                    if (ROLES.get(b).equals("keep")) {
                        assertThat(compaction.uses(arguments)).hasSize(ROLES.size());
                    } else {
                        refused(rig, compaction, arguments, ROLES.get(a), ROLES.get(b), "overlap in buffer 'both'");
                    }
                }
            }
            CompactArguments first = with(fits, new BufferRange(both, 0, 20_000), "input");
            refused(rig, compaction, with(first, new BufferRange(both, 19_996, 20_000), "output"), "input", "overlap");
            assertThat(compaction.uses(with(first, new BufferRange(both, 20_000, 20_000), "output")))
                    .hasSize(ROLES.size());
        }
    }

    @Test
    void closedBuffers() {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VIRTUAL)) {
            StreamCompaction compaction = rig.own(StreamCompaction.create(rig.device, ElementType.U32));
            CompactArguments fits = arguments(rig, compaction, 5000);
            Buffer gone = rig.storage("gone", 1 << 16);
            gone.close();
            for (String role : ROLES) {
                CompactArguments arguments = with(fits, new BufferRange(gone, 0, 1 << 16), role);
                assertThatIllegalStateException()
                        .isThrownBy(() -> rig.execute(list -> compaction.record(list, arguments)))
                        .withMessage("stream compaction: buffer 'gone' of the " + role + " is closed");
                assertThatIllegalStateException().isThrownBy(() -> compaction.uses(arguments));
            }
        }
    }

    private static CompactArguments with(CompactArguments base, long length, BufferRange keep, BufferRange output) {
        return new CompactArguments(length, base.input(), keep, output, base.count(), base.scratch());
    }

    private static void refused(
            ComputeRig rig, StreamCompaction compaction, CompactArguments arguments, String... words) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rig.execute(list -> compaction.record(list, arguments)))
                .withMessageContainingAll(words)
                .withMessageContaining("stream compaction");
    }
}
