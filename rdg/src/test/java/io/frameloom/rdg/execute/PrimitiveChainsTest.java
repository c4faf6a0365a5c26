package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.compute.BracketInput;
import io.frameloom.gpu.compute.BracketMatch;
import io.frameloom.gpu.compute.ClipBox;
import io.frameloom.gpu.compute.ClipBoxes;
import io.frameloom.gpu.compute.ClipEnd;
import io.frameloom.gpu.compute.CpuClipBoxes;
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
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Primitives of many partitions as passes: each feeds the next, in every width and variant, and refuses what does not fit. */
class PrimitiveChainsTest {
    private static final int LENGTH = 30_001;
    private static final ClipBox VIEWPORT = new ClipBox(-500, -400, 600, 700);

    /** Sums of DRAW, BEGIN and END are such again. */
    private static final ScanOperator OPERATIONS = ScanOperator.of(
            "modulo-3",
            ElementType.U32,
            new int[1],
            "uint combine(uint a, uint b) { return (a + b) % 3u; }",
            (l, i, r, j, t, k) -> t[k] = (l[i] + r[j]) % 3);

    private final RenderGraph graph = new RenderGraph("chains");

    private RdgBuffer upload(String name, int... words) {
        ByteBuffer data = ByteBuffer.allocate(words.length * 4).order(ByteOrder.nativeOrder());
        data.asIntBuffer().put(words);
        return UploadPasses.createBuffer(graph, name, data, BufferUsage.STORAGE);
    }

    private RdgBuffer storage(String name, long bytes) {
        return graph.createBuffer(name, BufferDescription.device(bytes, BufferUsage.STORAGE));
    }

    private static int[] words(RdgReadback readback) {
        ByteBuffer bytes = readback.bytes().join();
        int[] words = new int[bytes.remaining() / 4];
        bytes.asIntBuffer().get(words);
        return words;
    }

    private static int[] bits(int count, IntPredicate set) {
        int[] bits = new int[(count + 31) / 32];
        for (int i = 0; i < count; i++) {
            bits[i / 32] |= set.test(i) ? 1 << i % 32 : 0;
        }
        return bits;
    }

    @ParameterizedTest
    @EnumSource
    void clipsOfWhatIsKeptOfWhatIsScanned(TestDevice device) {
        SplittableRandom random = new SplittableRandom(4);
        int[] steps = random.ints(LENGTH, 0, 3).toArray();
        int[] operations = new int[LENGTH];
        int kept = 0;
        int sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            if (i % 3 != 1) {
                operations[kept++] = sum;
            }
            sum = (sum + steps[i]) % 3;
        }
        int count = kept;
        float[] boxes = new float[4 * count];
        for (int i = 0; i < boxes.length; i++) {
            boxes[i] = (float) random.nextDouble(1000) - (i % 4 < 2 ? 1000 : 0);
        }
        CpuClipBoxes.Result expected;
        try (TaskGraph tasks = TaskGraph.builder().name("clips").workers(2).build()) {
            expected = CpuClipBoxes.compute(
                    tasks,
                    ClipEnd.OWN_BOX,
                    VIEWPORT,
                    IntStream.of(operations).limit(count).toArray(),
                    boxes);
        }
        device.run(rig -> {
            try (PrefixScan scan = PrefixScan.create(rig.device, OPERATIONS, ScanOptions.of(ScanVariant.LOOK_BACK));
                    StreamCompaction compaction = StreamCompaction.create(rig.device, ElementType.U32);
                    ClipBoxes clips = ClipBoxes.create(rig.device)) {
                RdgBuffer scanned = storage("scanned", 4L * LENGTH);
                RdgBuffer keep = upload("keep", bits(LENGTH, i -> i % 3 != 1));
                RdgBuffer chosen = storage("chosen", 4L * LENGTH);
                RdgBuffer number = storage("number", 4);
                RdgBuffer sources = upload(
                        "boxes",
                        IntStream.range(0, boxes.length)
                                .map(i -> Float.floatToRawIntBits(boxes[i]))
                                .toArray());
                RdgBuffer effective = storage("effective", 16L * count);
                RdgBuffer links = storage("links", 4L * count);
                PrimitivePasses.scan(
                        graph,
                        "scan",
                        scan,
                        ScanKind.EXCLUSIVE,
                        LENGTH,
                        upload("steps", steps).view(),
                        scanned.view());
                PrimitivePasses.compact(
                        graph,
                        "compact",
                        compaction,
                        LENGTH,
                        scanned.view(),
                        keep.view(),
                        chosen.view(),
                        number.view());
                PrimitivePasses.clipBoxes(
                        graph,
                        "clip",
                        clips,
                        ClipEnd.OWN_BOX,
                        VIEWPORT,
                        count,
                        chosen.view(),
                        sources.view(),
                        effective.view(),
                        links.view());
                RdgReadback many = ReadbackPasses.buffer(graph, number);
                RdgReadback around = ReadbackPasses.buffer(graph, links);
                RdgReadback cut = ReadbackPasses.buffer(graph, effective);
                rig.executor.execute(rig.compile(graph)).completed().await();
                assertThat(words(many)).containsExactly(count);
                assertThat(words(around)).isEqualTo(expected.links());
                assertThat(words(cut))
                        .isEqualTo(IntStream.range(0, 4 * count)
                                .map(i -> Float.floatToRawIntBits(expected.effective()[i]))
                                .toArray());
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void matchesBracketsOfEveryWidth(TestDevice device) {
        SplittableRandom random = new SplittableRandom(9);
        int[] opens = random.ints(LENGTH, 0, 2).toArray();
        int[] expected = new int[LENGTH];
        int[] stack = new int[LENGTH + 1];
        int depth = 0;
        for (int i = 0; i < LENGTH; i++) {
            expected[i] = depth == 0 ? BracketMatch.NONE : stack[depth - 1];
            if (opens[i] == 1) {
                stack[depth++] = i;
            } else {
                depth = Math.max(0, depth - 1);
            }
        }
        device.run(rig -> {
            try (BracketMatch words = BracketMatch.create(rig.device, BracketInput.WORDS);
                    BracketMatch bytes = BracketMatch.create(rig.device, BracketInput.BYTES);
                    BracketMatch bits = BracketMatch.create(rig.device, BracketInput.BITS)) {
                RdgReadback ofWords = match("words", words, opens);
                RdgReadback ofBytes = match("bytes", bytes, packed(BracketInput.BYTES, opens));
                RdgReadback ofBits = match("bits", bits, packed(BracketInput.BITS, opens));
                rig.executor.execute(rig.compile(graph)).completed().await();
                assertThat(words(ofWords)).isEqualTo(expected);
                assertThat(words(ofBytes)).isEqualTo(expected);
                assertThat(words(ofBits)).isEqualTo(expected);
            }
        });
    }

    private RdgReadback match(String name, BracketMatch match, int[] input) {
        RdgBuffer links = storage("links of " + name, 4L * LENGTH);
        PrimitivePasses.match(graph, name, match, LENGTH, upload(name, input).view(), links.view());
        return ReadbackPasses.buffer(graph, links);
    }

    private static int[] packed(BracketInput width, int[] opens) {
        int[] words = new int[(int) width.bytes(opens.length) / 4];
        int bits = 32 / width.perWord();
        for (int i = 0; i < opens.length; i++) {
            words[i / width.perWord()] |= opens[i] << (i % width.perWord() * bits);
        }
        return words;
    }

    @ParameterizedTest
    @EnumSource(names = "VIRTUAL")
    void whatDoesNotFitIsRefusedWhenDeclared(TestDevice device) {
        device.run(rig -> {
            try (BracketMatch match = BracketMatch.create(rig.device, BracketInput.BYTES);
                    StreamCompaction compaction = StreamCompaction.create(rig.device, ElementType.U32X2);
                    ClipBoxes clips = ClipBoxes.create(rig.device)) {
                RdgBuffer small = storage("small", 64);
                RdgBuffer a = storage("a", 4096);
                RdgBuffer b = storage("b", 4096);
                RdgBuffer c = storage("c", 4096);
                RdgBuffer d = storage("d", 4096);
                refused(() -> match(match, 65, small, a), "brackets", "'small'", "68 bytes are needed");
                refused(() -> match(match, 17, a, small), "links", "'small'", "68 bytes are needed");
                refused(() -> match(match, 17, a, a), "links", "'a'", "keep them apart");
                refused(() -> match(match, -1, a, b), "'match'", "negative");
                refused(() -> match(match, 1L << 40, a, b), "'match'", "beyond");
                refused(() -> compact(compaction, 9, small, a, b, c), "input", "'small'", "72 bytes are needed");
                refused(() -> compact(compaction, 513, a, b, c, d), "input", "'a'", "4104 bytes are needed");
                refused(() -> compact(compaction, 9, a, b, small, c), "output", "'small'", "72 bytes are needed");
                refused(() -> compact(compaction, 9, a, b, a, c), "output", "'a'", "keep them apart");
                refused(() -> compact(compaction, 9, a, b, c, c), "count", "'c'", "keep them apart");
                refused(() -> compact(compaction, 9, a, b, c, b), "count", "'b'", "keep them apart");
                refused(() -> compact(compaction, -1, a, b, c, d), "'compact'", "negative");
                refused(() -> clip(clips, 17, small, a, b, c), "operations", "'small'", "68 bytes are needed");
                refused(() -> clip(clips, 5, a, small, b, c), "boxes", "'small'", "80 bytes are needed");
                refused(() -> clip(clips, 5, a, b, small, c), "effective", "'small'", "80 bytes are needed");
                refused(() -> clip(clips, 17, a, b, c, small), "links", "'small'", "68 bytes are needed");
                refused(() -> clip(clips, 5, a, b, b, c), "effective", "'b'", "keep them apart");
                refused(() -> clip(clips, 5, a, b, c, a), "links", "'a'", "keep them apart");
                refused(() -> clip(clips, -1, a, b, c, d), "'clip'", "negative");
                // Nothing of what was refused is in the graph.
                match(match, 0, a, b);
                compact(compaction, 0, a, b, c, d);
                clip(clips, 0, a, b, c, d);
                rig.executor.execute(rig.compile(graph)).completed().await();
            }
        });
    }

    private void match(BracketMatch match, long length, RdgBuffer brackets, RdgBuffer links) {
        PrimitivePasses.match(graph, "match", match, length, brackets.view(), links.view());
    }

    private void compact(
            StreamCompaction compaction,
            long length,
            RdgBuffer input,
            RdgBuffer keep,
            RdgBuffer output,
            RdgBuffer count) {
        PrimitivePasses.compact(
                graph, "compact", compaction, length, input.view(), keep.view(), output.view(), count.view());
    }

    private void clip(
            ClipBoxes clips, long length, RdgBuffer operations, RdgBuffer boxes, RdgBuffer effective, RdgBuffer links) {
        PrimitivePasses.clipBoxes(
                graph,
                "clip",
                clips,
                ClipEnd.BEFORE_POP,
                VIEWPORT,
                length,
                operations.view(),
                boxes.view(),
                effective.view(),
                links.view());
    }

    private static void refused(ThrowingCallable misuse, String... parts) {
        assertThatThrownBy(misuse).isInstanceOf(RdgException.class).hasMessageContainingAll(parts);
    }
}
