package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Everything a scan refuses, and that it says what and why. */
@Timeout(60)
class PrefixScanBadInputTest {
    private static final int LENGTH = 10_000;

    private ComputeRig rig;
    private PrefixScan scan;
    private Buffer buffer;
    private BufferRange input;
    private BufferRange output;
    private BufferRange scratch;

    @BeforeEach
    void open() {
        rig = new ComputeRig(ComputeRig.Backend.VIRTUAL);
        scan = rig.own(PrefixScan.create(rig.device, ScanOperator.sum(ElementType.U32)));
        buffer = rig.storage("both", 8 * LENGTH);
        input = new BufferRange(buffer, 0, 4 * LENGTH);
        output = new BufferRange(buffer, 4 * LENGTH, 4 * LENGTH);
        scratch = new BufferRange(rig.storage("scratch", 1 << 16), 0, 1 << 16);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private ScanArguments arguments(BufferRange from, BufferRange to) {
        return new ScanArguments(ScanKind.INCLUSIVE, LENGTH, from, to, scratch);
    }

    private void record(ScanArguments arguments) {
        rig.execute(list -> scan.record(list, arguments));
    }

    private void refused(ScanArguments arguments, String... words) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> record(arguments))
                .withMessageContainingAll(words)
                .withMessageContaining("prefix scan 'sum-u32'");
        assertThatIllegalArgumentException().isThrownBy(() -> scan.uses(arguments));
    }

    @Test
    @SuppressWarnings("NullAway") // that is the test
    void nothingMayBeMissing() {
        assertThatNullPointerException()
                .isThrownBy(() -> record(arguments(null, output)))
                .withMessageContainingAll("input", "null");
        assertThatNullPointerException()
                .isThrownBy(() -> record(arguments(new BufferRange(null, 0, 4), output)))
                .withMessageContaining("input's buffer");
        assertThatNullPointerException()
                .isThrownBy(() -> record(arguments(input, null)))
                .withMessageContaining("output");
        assertThatNullPointerException()
                .isThrownBy(() -> record(new ScanArguments(ScanKind.INCLUSIVE, 1, input, output, null)))
                .withMessageContaining("scratch");
        assertThatNullPointerException()
                .isThrownBy(() -> record(new ScanArguments(null, 1, input, output, scratch)))
                .withMessageContaining("kind");
        assertThatNullPointerException().isThrownBy(() -> record(null)).withMessageContaining("arguments");
    }

    @Test
    void lengthsAndRanges() {
        refused(new ScanArguments(ScanKind.INCLUSIVE, -1, input, output, scratch), "negative", "-1");
        refused(new ScanArguments(ScanKind.INCLUSIVE, Long.MAX_VALUE, input, output, scratch), "length", "beyond");
        refused(arguments(new BufferRange(buffer, 0, 4 * LENGTH - 1), output), "input", "'both'", "40000 are needed");
        refused(arguments(input, new BufferRange(buffer, 4 * LENGTH, 8)), "output", "40000 are needed");
        refused(arguments(new BufferRange(buffer, 8 * LENGTH - 4, 8), output), "not within buffer 'both'");
        refused(arguments(new BufferRange(buffer, -4, 8), output), "not within buffer 'both'");
        refused(arguments(new BufferRange(buffer, 8, Long.MAX_VALUE), output), "not within buffer 'both'");
        refused(arguments(new BufferRange(buffer, 2, 4 * LENGTH), output), "byte 2", "multiple of 4");
    }

    @Test
    void scratchMemory() {
        long needed = scan.scratchBytes(LENGTH);
        assertThat(needed).isLessThan(1 << 16);
        BufferRange small = new BufferRange(scratch.buffer(), 0, needed - 1);
        refused(new ScanArguments(ScanKind.INCLUSIVE, LENGTH, input, output, small), "scratch", needed + " are needed");
        BufferRange askew = new BufferRange(scratch.buffer(), 4, 1 << 15);
        refused(
                new ScanArguments(ScanKind.INCLUSIVE, LENGTH, input, output, askew),
                "scratch",
                "multiple of " + rig.device.capabilities().storageAlignment());
    }

    @Test
    void whatMayNotOverlap() {
        refused(
                arguments(input, new BufferRange(buffer, 4, 4 * LENGTH)),
                "input",
                "output",
                "overlap in buffer 'both'");
        refused(
                new ScanArguments(ScanKind.INCLUSIVE, LENGTH, input, output, new BufferRange(buffer, 0, 1 << 15)),
                "input",
                "scratch",
                "overlap");
        refused(
                new ScanArguments(
                        ScanKind.INCLUSIVE, LENGTH, input, output, new BufferRange(buffer, 256 * 200, 1 << 14)),
                "output",
                "scratch",
                "overlap");
    }

    @Test
    void usage() {
        Buffer copies = rig.buffer("copies", 4 * LENGTH, BufferUsage.COPY_SRC);
        refused(arguments(new BufferRange(copies, 0, 4 * LENGTH), output), "'copies'", "usage STORAGE");
    }

    @Test
    void headsOfAPlainScanAndNoneOfASegmentedOne() {
        BufferRange heads = new BufferRange(rig.storage("heads", LENGTH), 0, LENGTH);
        refused(
                new ScanArguments(ScanKind.INCLUSIVE, LENGTH, input, output, scratch, heads),
                "not segmented",
                "createSegmented");
        PrefixScan segmented = rig.own(PrefixScan.createSegmented(rig.device, ScanOperator.sum(ElementType.U32)));
        assertThatNullPointerException()
                .isThrownBy(() -> segmented.uses(arguments(input, output)))
                .withMessageContaining("heads");
        BufferRange few = new BufferRange(heads.buffer(), 0, LENGTH / 32 * 4);
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        segmented.uses(new ScanArguments(ScanKind.INCLUSIVE, LENGTH, input, output, scratch, few)))
                .withMessageContainingAll("heads", "1252 are needed");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        segmented.uses(new ScanArguments(ScanKind.INCLUSIVE, LENGTH, input, output, scratch, output)))
                .withMessageContainingAll("heads", "output", "overlap");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        segmented.uses(new ScanArguments(ScanKind.INCLUSIVE, LENGTH, input, output, scratch, scratch)))
                .withMessageContainingAll("heads", "scratch", "overlap");
    }

    @Test
    void whatIsClosed() {
        Buffer gone = rig.storage("gone", 4 * LENGTH);
        gone.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> record(arguments(new BufferRange(gone, 0, 4 * LENGTH), output)))
                .withMessageContainingAll("'gone'", "closed");
        scan.close();
        scan.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> record(arguments(input, output)))
                .withMessageContainingAll("sum-u32", "closed");
    }

    @Test
    void anOperatorThatDoesNotCompileIsNamed() {
        ScanOperator broken = ScanOperator.of(
                "broken-one",
                ElementType.U32,
                new int[1],
                "uint combine(uint a, uint b) {\n    return a + missing;\n}\n",
                (l, i, r, j, t, k) -> t[k] = l[i] + r[j]);
        assertThatThrownBy(() -> PrefixScan.create(rig.device, broken))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("scan operator 'broken-one'")
                .hasMessageContaining("operator.glsl:2")
                .hasMessageContaining("missing");
        ScanOperator absent =
                ScanOperator.of("absent", ElementType.F32, new int[1], "", (l, i, r, j, t, k) -> t[k] = l[i]);
        assertThatThrownBy(() -> PrefixScan.createSegmented(rig.device, absent))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContainingAll("'absent'", "float combine");
    }

    @Test
    void operators() {
        CpuOperator nothing = (l, i, r, j, t, k) -> {};
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScanOperator.of("a b", ElementType.U32, new int[1], "", nothing))
                .withMessageContaining("'a b'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScanOperator.of("wide", ElementType.U64, new int[1], "", nothing))
                .withMessageContainingAll("wide", "2 words", "got 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScanOperator.sum(ElementType.U32X4))
                .withMessageContainingAll("U32X4", "ScanOperator.of");
    }
}
