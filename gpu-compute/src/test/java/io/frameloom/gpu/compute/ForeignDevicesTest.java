package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A primitive refuses lists and buffers of another device than its own before it has recorded anything. */
@Timeout(60)
class ForeignDevicesTest {
    private static final int LENGTH = 10_000;
    private static final long BYTES = 1 << 20;

    private ComputeRig rig;
    private ComputeRig other;

    @BeforeEach
    void open() {
        rig = new ComputeRig(ComputeRig.Backend.VIRTUAL);
        other = new ComputeRig(ComputeRig.Backend.VIRTUAL);
    }

    @AfterEach
    void close() {
        rig.close();
        other.close();
    }

    /** Returns a list that may be asked whose it is, and nothing else. */
    private static CommandList untouched(GpuQueue queue) {
        return (CommandList) Proxy.newProxyInstance(
                CommandList.class.getClassLoader(),
                new Class<?>[] {CommandList.class},
                (proxy, method, given) -> switch (method.getName()) {
                    case "queue" -> queue;
                    case "label" -> "frame";
                    default -> throw new AssertionError("it records " + method.getName());
                });
    }

    /**
     * Tries a primitive with each of its ranges on the other device, and with a list of that.
     *
     * @param roles of the ranges
     * @param record records it with such ranges
     */
    private void refused(String primitive, List<String> roles, BiConsumer<CommandList, BufferRange[]> record) {
        BufferRange[] own = roles.stream()
                .map(role -> new BufferRange(rig.storage("own " + role, BYTES), 0, BYTES))
                .toArray(BufferRange[]::new);
        for (int i = 0; i < own.length; i++) {
            BufferRange[] ranges = own.clone();
            ranges[i] = new BufferRange(other.storage("foreign", BYTES), 0, BYTES);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> record.accept(untouched(rig.queue()), ranges))
                    .withMessageContainingAll(
                            primitive, "buffer 'foreign' of the " + roles.get(i), "is of another device");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> record.accept(untouched(other.queue()), own))
                .withMessageContainingAll(primitive, "command list 'frame' is of another device");
    }

    @Test
    void scans() {
        PrefixScan scan = rig.own(PrefixScan.createSegmented(rig.device, ScanOperator.sum(ElementType.U32)));
        refused(
                "prefix scan 'sum-u32'",
                List.of("input", "output", "scratch", "heads"),
                (list, ranges) -> scan.record(
                        list,
                        new ScanArguments(ScanKind.INCLUSIVE, LENGTH, ranges[0], ranges[1], ranges[2], ranges[3])));
    }

    @Test
    void matchings() {
        BracketMatch match = rig.own(BracketMatch.create(rig.device, BracketInput.WORDS));
        refused(
                "bracket match",
                List.of("input", "links", "scratch"),
                (list, ranges) -> match.record(list, new BracketArguments(LENGTH, ranges[0], ranges[1], ranges[2])));
    }

    @Test
    void compactions() {
        StreamCompaction compaction = rig.own(StreamCompaction.create(rig.device, ElementType.U32));
        refused(
                "stream compaction",
                List.of("input", "keep", "output", "count", "scratch"),
                (list, ranges) -> compaction.record(
                        list, new CompactArguments(LENGTH, ranges[0], ranges[1], ranges[2], ranges[3], ranges[4])));
    }

    @Test
    void clips() {
        ClipBoxes clips = rig.own(ClipBoxes.create(rig.device));
        refused(
                "clip boxes",
                List.of("operations", "boxes", "effective", "links", "scratch"),
                (list, ranges) -> clips.record(
                        list,
                        new ClipArguments(
                                LENGTH,
                                ClipEnd.AFTER_POP,
                                ClipBox.UNBOUNDED,
                                ranges[0],
                                ranges[1],
                                ranges[2],
                                ranges[3],
                                ranges[4])));
    }
}
