package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.compute.BracketInput;
import io.frameloom.gpu.compute.BracketMatch;
import io.frameloom.gpu.compute.ClipBox;
import io.frameloom.gpu.compute.ClipBoxes;
import io.frameloom.gpu.compute.ClipEnd;
import io.frameloom.gpu.compute.ElementType;
import io.frameloom.gpu.compute.PrefixScan;
import io.frameloom.gpu.compute.ScanKind;
import io.frameloom.gpu.compute.ScanOperator;
import io.frameloom.gpu.compute.ScanOptions;
import io.frameloom.gpu.compute.ScanVariant;
import io.frameloom.gpu.compute.StreamCompaction;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.PrimitivePasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.rdg.utility.UploadPasses;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The primitives as passes of a graph, one of which takes what another leaves. */
class PrimitivePassesTest {
    private final RenderGraph graph = new RenderGraph("primitives");

    private RdgBuffer upload(String name, int... words) {
        ByteBuffer data = ByteBuffer.allocate(words.length * 4).order(ByteOrder.nativeOrder());
        data.asIntBuffer().put(words);
        return UploadPasses.createBuffer(graph, name, data, BufferUsage.STORAGE);
    }

    private RdgBuffer storage(String name, long bytes) {
        return graph.createBuffer(name, BufferDescription.device(bytes, BufferUsage.STORAGE));
    }

    private static void execute(DeviceRig rig, RenderGraph graph) {
        rig.executor.execute(rig.compile(graph)).completed().await();
    }

    private static int[] words(RdgReadback readback) {
        ByteBuffer bytes = readback.bytes().join();
        int[] words = new int[bytes.remaining() / 4];
        bytes.asIntBuffer().get(words);
        return words;
    }

    @ParameterizedTest
    @EnumSource
    void scansOneBehindTheOther(TestDevice device) {
        device.run(rig -> {
            try (PrefixScan sum = PrefixScan.create(rig.device, ScanOperator.sum(ElementType.U32));
                    PrefixScan max = PrefixScan.createSegmented(rig.device, ScanOperator.max(ElementType.U32))) {
                int length = 10_000;
                RdgBuffer numbers = upload("numbers", IntStream.range(0, length).toArray());
                RdgBuffer heads = upload(
                        "heads",
                        IntStream.range(0, (length + 31) / 32).map(i -> i % 2).toArray());
                RdgBuffer sums = storage("sums", 4L * length + 256);
                PrimitivePasses.scan(
                        graph, "sum", sum, ScanKind.INCLUSIVE, length, numbers.view(), sums.view(256, 4L * length));
                PrimitivePasses.scan(
                        graph,
                        "sum of sums",
                        sum,
                        ScanKind.EXCLUSIVE,
                        length,
                        sums.view(256, 4L * length),
                        sums.view(256, 4L * length));
                RdgBuffer largest = storage("largest", 4L * length);
                PrimitivePasses.scanSegmented(
                        graph,
                        "largest",
                        max,
                        ScanKind.INCLUSIVE,
                        length,
                        sums.view(256, 4L * length),
                        largest.view(),
                        heads.view());
                RdgReadback result = ReadbackPasses.buffer(graph, largest);
                execute(rig, graph);
                int[] expected = new int[length];
                int first = 0;
                int second = 0;
                int run = 0;
                for (int i = 0; i < length; i++) {
                    run = i % 64 == 32 || Integer.compareUnsigned(second, run) > 0 ? second : run;
                    expected[i] = run;
                    first += i;
                    second += first;
                }
                assertThat(words(result)).isEqualTo(expected);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void matchesAndCompacts(TestDevice device) {
        device.run(rig -> {
            try (BracketMatch match = BracketMatch.create(rig.device, BracketInput.WORDS);
                    StreamCompaction compaction = StreamCompaction.create(rig.device, ElementType.U32)) {
                int length = 6_000;
                RdgBuffer brackets = upload(
                        "brackets",
                        IntStream.range(0, length)
                                .map(i -> i < length / 2 ? 1 : 0)
                                .toArray());
                RdgBuffer keep = upload(
                        "keep",
                        IntStream.range(0, (length + 31) / 32).map(i -> 1).toArray());
                RdgBuffer links = storage("links", 4L * length);
                RdgBuffer kept = storage("kept", 4L * length);
                RdgBuffer count = storage("count", 4);
                PrimitivePasses.match(graph, "match", match, length, brackets.view(), links.view());
                PrimitivePasses.compact(
                        graph, "compact", compaction, length, links.view(), keep.view(), kept.view(), count.view());
                RdgReadback result = ReadbackPasses.buffer(graph, kept.view(0, 4 * 188));
                RdgReadback number = ReadbackPasses.buffer(graph, count);
                execute(rig, graph);
                assertThat(words(number)).containsExactly(188);
                int[] expected = IntStream.range(0, 188)
                        .map(i -> 32 * i)
                        .map(i -> i <= length / 2 ? i - 1 : length - 1 - i)
                        .toArray();
                assertThat(words(result)).isEqualTo(expected);
            }
        });
    }

    /** Whoever reads the count, such as a dispatch, finds that of this frame, also where there is nothing to compact. */
    @ParameterizedTest
    @EnumSource
    void aCompactionOfNothingCountsNothing(TestDevice device) {
        device.run(rig -> {
            try (StreamCompaction compaction = StreamCompaction.create(rig.device, ElementType.U32X3)) {
                RdgBuffer input = upload("input", 1, 2, 3);
                RdgBuffer keep = upload("keep", -1);
                RdgBuffer kept = storage("kept", 12);
                RdgBuffer stale = upload("stale", 77);
                RdgBuffer undefined = storage("undefined", 4);
                for (RdgBuffer count : List.of(stale, undefined)) {
                    PrimitivePasses.compact(
                            graph, "compact", compaction, 0, input.view(), keep.view(), kept.view(), count.view());
                }
                RdgReadback first = ReadbackPasses.buffer(graph, stale);
                RdgReadback second = ReadbackPasses.buffer(graph, undefined);
                execute(rig, graph);
                assertThat(words(first)).containsExactly(0);
                assertThat(words(second)).containsExactly(0);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void cutsBoxes(TestDevice device) {
        device.run(rig -> {
            try (ClipBoxes clips = ClipBoxes.create(rig.device)) {
                float[] boxes = {0, 0, 10, 10, 5, 5, 20, 20, 0, 0, 7, 7, 0, 0, 0, 0};
                RdgBuffer operations =
                        upload("operations", ClipBoxes.BEGIN, ClipBoxes.BEGIN, ClipBoxes.DRAW, ClipBoxes.END);
                RdgBuffer sources = upload(
                        "boxes",
                        IntStream.range(0, 16)
                                .map(i -> Float.floatToRawIntBits(boxes[i]))
                                .toArray());
                RdgBuffer effective = storage("effective", 64);
                RdgBuffer links = storage("links", 16);
                PrimitivePasses.clipBoxes(
                        graph,
                        "clips",
                        clips,
                        ClipEnd.BEFORE_POP,
                        new ClipBox(0, 0, 8, 100),
                        4,
                        operations.view(),
                        sources.view(),
                        effective.view(),
                        links.view());
                RdgReadback result = ReadbackPasses.buffer(graph, effective);
                RdgReadback around = ReadbackPasses.buffer(graph, links);
                execute(rig, graph);
                assertThat(words(around)).containsExactly(-1, 0, 1, 1);
                float[] expected = {0, 0, 8, 10, 5, 5, 8, 10, 5, 5, 7, 7, 5, 5, 8, 10};
                int[] actual = words(result);
                for (int i = 0; i < 16; i++) {
                    assertThat(Float.intBitsToFloat(actual[i])).isEqualTo(expected[i]);
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatDoesNotFitIsRefusedWhenDeclared(TestDevice device) {
        device.run(rig -> {
            try (PrefixScan scan = PrefixScan.create(rig.device, ScanOperator.sum(ElementType.U32))) {
                RdgBuffer a = storage("a", 64);
                RdgBuffer b = storage("b", 64);
                RdgBuffer c = storage("c", 576);
                refused(() -> scan(scan, 17, a, b), "'sum'", "input", "bytes 0+64 of buffer 'a'", "68 bytes");
                refused(() -> scan(scan, -1, a, b), "'sum'", "negative");
                refused(
                        () -> PrimitivePasses.scan(graph, "sum", scan, ScanKind.INCLUSIVE, 4, a.view(2, 32), b.view()),
                        "input",
                        "bytes 2+32",
                        "multiple of 4");
                refused(
                        () -> PrimitivePasses.scan(graph, "sum", scan, ScanKind.INCLUSIVE, 4, a.view(), b.view(2, 32)),
                        "output",
                        "bytes 2+32",
                        "multiple of " + rig.device.capabilities().storageAlignment());
                refused(
                        () -> PrimitivePasses.scan(
                                graph, "sum", scan, ScanKind.INCLUSIVE, 4, a.view(2, 32), a.view(2, 32)),
                        "input",
                        "is written");
                refused(
                        () -> PrimitivePasses.scan(
                                graph, "sum", scan, ScanKind.INCLUSIVE, 80, c.view(0, 320), c.view(256, 320)),
                        "output",
                        "'c'",
                        "keep them apart");
                refused(
                        () -> PrimitivePasses.scanSegmented(
                                graph, "sum", scan, ScanKind.INCLUSIVE, 4, a.view(), a.view(), b.view()),
                        "not segmented");
                scan(scan, 0, a, b);
                execute(rig, graph);
            }
        });
    }

    @Test
    @SuppressWarnings("NullAway") // that is the test
    void whatIsMissingIsRefusedWhenDeclared() {
        TestDevice.VIRTUAL.run(rig -> {
            try (PrefixScan scan = PrefixScan.create(rig.device, ScanOperator.sum(ElementType.U32));
                    ClipBoxes clips = ClipBoxes.create(rig.device)) {
                RdgBuffer a = storage("a", 64);
                RdgBuffer b = storage("b", 64);
                assertThatNullPointerException()
                        .isThrownBy(() -> PrimitivePasses.scan(graph, "sum", scan, null, 4, a.view(), b.view()))
                        .withMessageContaining("kind");
                assertThatNullPointerException()
                        .isThrownBy(() -> clips(clips, null, ClipBox.UNBOUNDED))
                        .withMessageContaining("end");
                assertThatNullPointerException()
                        .isThrownBy(() -> clips(clips, ClipEnd.AFTER_POP, null))
                        .withMessageContaining("viewport");
                execute(rig, graph);
            }
        });
    }

    @Test
    void closedPrimitivesAreRefusedWhenDeclared() {
        TestDevice.VIRTUAL.run(rig -> {
            PrefixScan scan = PrefixScan.create(rig.device, ScanOperator.sum(ElementType.U32));
            BracketMatch match = BracketMatch.create(rig.device, BracketInput.WORDS);
            StreamCompaction compaction = StreamCompaction.create(rig.device, ElementType.U32);
            ClipBoxes clips = ClipBoxes.create(rig.device);
            scan.close();
            match.close();
            compaction.close();
            clips.close();
            RdgBuffer a = storage("a", 64);
            RdgBuffer b = storage("b", 64);
            RdgBuffer c = storage("c", 64);
            RdgBuffer d = storage("d", 64);
            refused(() -> scan(scan, 4, a, b), "pass 'sum'", "closed");
            refused(
                    () -> PrimitivePasses.match(graph, "match", match, 4, a.view(), b.view()),
                    "pass 'match'",
                    "closed");
            refused(
                    () -> PrimitivePasses.compact(
                            graph, "compact", compaction, 4, a.view(), b.view(), c.view(), d.view()),
                    "pass 'compact'",
                    "closed");
            refused(() -> clips(clips, ClipEnd.AFTER_POP, ClipBox.UNBOUNDED), "pass 'clips'", "closed");
            execute(rig, graph);
        });
    }

    private void clips(ClipBoxes clips, ClipEnd end, ClipBox viewport) {
        PrimitivePasses.clipBoxes(
                graph,
                "clips",
                clips,
                end,
                viewport,
                4,
                storage("operations", 16).view(),
                storage("boxes", 64).view(),
                storage("effective", 64).view(),
                storage("around", 16).view());
    }

    /** What is written begins where a binding may, what is read at any word: there a binding begins before it. */
    @ParameterizedTest
    @EnumSource
    void viewsBeginAsNarrowAsTheDeviceAllows(TestDevice device) {
        device.run(rig -> {
            int alignment = rig.device.capabilities().storageAlignment();
            try (PrefixScan scan = PrefixScan.create(rig.device, ScanOperator.sum(ElementType.U32));
                    StreamCompaction compaction = StreamCompaction.create(rig.device, ElementType.U32)) {
                int length = 1000;
                RdgBuffer numbers =
                        upload("numbers", IntStream.rangeClosed(0, length).toArray());
                RdgBuffer sums = storage("sums", alignment + 4L * length);
                PrimitivePasses.scan(
                        graph,
                        "sums",
                        scan,
                        ScanKind.INCLUSIVE,
                        length,
                        numbers.view(4, 4L * length),
                        sums.view(alignment, 4L * length));
                // In front of what is read is what the pass before has written.
                RdgBuffer further = storage("further", 2L * alignment + 4L * length);
                PrimitivePasses.scan(
                        graph,
                        "further",
                        scan,
                        ScanKind.EXCLUSIVE,
                        length - 1,
                        sums.view(alignment + 4L, 4L * length - 4),
                        further.view(2L * alignment, 4L * length));
                RdgBuffer keep = upload(
                        "keep",
                        IntStream.rangeClosed(0, (length + 31) / 32)
                                .map(i -> i == 0 ? -1 : 2)
                                .toArray());
                RdgBuffer kept = storage("kept", alignment + 4L * length);
                RdgBuffer count = storage("count", alignment + 4L);
                PrimitivePasses.compact(
                        graph,
                        "compact",
                        compaction,
                        length - 1,
                        further.view(2L * alignment, 4L * length),
                        keep.view(4, 4 * 32),
                        kept.view(alignment, 4L * length),
                        count.view(alignment, 4));
                RdgReadback number = ReadbackPasses.buffer(graph, count.view(alignment, 4));
                RdgReadback result = ReadbackPasses.buffer(graph, kept.view(alignment, 4 * 32));
                execute(rig, graph);
                assertThat(words(number)).containsExactly(32);
                // The sum of 2 to i + 1 of the sums of 1 to k.
                assertThat(words(result))
                        .isEqualTo(IntStream.range(0, 32)
                                .map(i -> 32 * i + 1)
                                .map(i -> IntStream.rangeClosed(2, i + 1)
                                        .map(k -> k * (k + 1) / 2)
                                        .sum())
                                .toArray());
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatLiesInFrontOfWhatIsReadIsNotWrittenByThePass(TestDevice device) {
        device.run(rig -> {
            int alignment = rig.device.capabilities().storageAlignment();
            Assumptions.assumeTrue(alignment > 4, "any word may begin a binding");
            try (PrefixScan scan = PrefixScan.create(rig.device, ScanOperator.sum(ElementType.U32))) {
                RdgBuffer both = storage("both", 3L * alignment);
                refused(
                        () -> PrimitivePasses.scan(
                                graph,
                                "sum",
                                scan,
                                ScanKind.INCLUSIVE,
                                1,
                                both.view(alignment + 4L, 4),
                                both.view(alignment, 4)),
                        "output",
                        "'both'",
                        "multiple of " + alignment,
                        "keep them apart");
            }
        });
    }

    /** What the tiles of a scan that looks back publish must fit one binding, which its scratch memory need not. */
    @Test
    void whatCannotLookBackIsRefusedWhenDeclared() {
        TestDevice.VIRTUAL.run(rig -> {
            GpuDevice small = withStorageRange(rig.device, 4096);
            ScanOperator sum = ScanOperator.sum(ElementType.U32);
            try (PrefixScan scan = PrefixScan.create(small, sum, ScanOptions.of(ScanVariant.LOOK_BACK));
                    PrefixScan segmented =
                            PrefixScan.createSegmented(small, sum, ScanOptions.of(ScanVariant.LOOK_BACK))) {
                int length = 1 << 24;
                RdgBuffer a = storage("a", 4L * length);
                RdgBuffer b = storage("b", 4L * length);
                refused(
                        () -> scan(scan, length, a, b),
                        "pass 'sum'",
                        length + " elements cannot look back",
                        "has 4096");
                refused(
                        () -> PrimitivePasses.scanSegmented(
                                graph, "sums", segmented, ScanKind.INCLUSIVE, length, a.view(), b.view(), b.view()),
                        "pass 'sums'",
                        "keep them apart");
                RdgBuffer heads = storage("heads", length / Byte.SIZE);
                refused(
                        () -> PrimitivePasses.scanSegmented(
                                graph, "sums", segmented, ScanKind.INCLUSIVE, length, a.view(), b.view(), heads.view()),
                        "pass 'sums'",
                        length + " elements cannot look back");
                // In place it does not look back.
                scan(scan, length, a, a);
                scan(scan, 100_000, a, b);
            }
        });
    }

    /** Returns a device that says that its storage bindings have so many bytes. */
    private static GpuDevice withStorageRange(GpuDevice device, long bytes) {
        DeviceCapabilities has = device.capabilities();
        DeviceCapabilities says = new DeviceCapabilities(
                has.name(),
                has.kind(),
                has.driver(),
                has.renders(),
                has.timestamps(),
                has.maxTextureExtent(),
                bytes,
                has.uniformAlignment(),
                has.storageAlignment(),
                has.maxPushConstantBytes(),
                has.maxAnisotropy(),
                has.robustBufferAccess(),
                has.limits(),
                has.on());
        return (GpuDevice) Proxy.newProxyInstance(
                GpuDevice.class.getClassLoader(),
                new Class<?>[] {GpuDevice.class},
                (proxy, method, arguments) ->
                        method.getName().equals("capabilities") ? says : method.invoke(device, arguments));
    }

    private void scan(PrefixScan scan, long length, RdgBuffer from, RdgBuffer to) {
        PrimitivePasses.scan(graph, "sum", scan, ScanKind.INCLUSIVE, length, from.view(), to.view());
    }

    private static void refused(ThrowingCallable misuse, String... parts) {
        assertThatThrownBy(misuse).isInstanceOf(RdgException.class).hasMessageContainingAll(parts);
    }
}
