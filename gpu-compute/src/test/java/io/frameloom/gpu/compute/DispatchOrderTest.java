package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Between dispatches that hand memory on there is a barrier, and nowhere else. */
@Timeout(60)
class DispatchOrderTest {
    @Test
    void scans() {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VIRTUAL)) {
            for (boolean segmented : new boolean[] {false, true}) {
                PrefixScan scan = rig.own(PrefixScan.create(
                        rig.device,
                        ScanCases.MATRIX,
                        segmented,
                        ScanOptions.DEFAULT.withoutSubgroups(),
                        StorageLimits.of(rig.device.capabilities()),
                        null));
                for (int[] expected : new int[][] {{512, 0}, {513, 2}, {512 * 512, 2}, {512 * 512 + 1, 4}}) {
                    int length = expected[0];
                    BufferRange input = new BufferRange(rig.storage("input", 16L * length), 0, 16L * length);
                    BufferRange output = new BufferRange(rig.storage("output", 16L * length), 0, 16L * length);
                    BufferRange heads = new BufferRange(rig.storage("heads", length), 0, length);
                    BufferRange scratch = new BufferRange(
                            rig.storage("scratch", scan.scratchBytes(length)), 0, scan.scratchBytes(length));
                    ScanArguments arguments = new ScanArguments(
                            ScanKind.INCLUSIVE, length, input, output, scratch, segmented ? heads : null);
                    DispatchOrder order = DispatchOrder.of(rig.queue(), list -> scan.record(list, arguments));
                    assertThat(order.conflicts()).isEmpty();
                    assertThat(order.barriers()).isEqualTo(expected[1]);
                    assertThat(order.dispatches()).isEqualTo(expected[1] + 1);
                }
            }
        }
    }

    @Test
    void matchings() {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VIRTUAL)) {
            BracketMatch match = rig.own(BracketMatch.create(rig.device, BracketInput.BITS));
            int section = 1024;
            for (int[] expected : new int[][] {
                {32, 4}, {1024 * section, 4}, {1025 * section, 5}, {4096 * section, 5}, {4097 * section, 7}
            }) {
                int length = expected[0];
                BufferRange input = new BufferRange(rig.storage("input", length), 0, length);
                BufferRange links = new BufferRange(rig.storage("links", 4L * length), 0, 4L * length);
                long bytes = match.scratchBytes(length);
                BufferRange scratch = new BufferRange(rig.storage("scratch", bytes), 0, bytes);
                DispatchOrder order = DispatchOrder.of(
                        rig.queue(), list -> match.record(list, new BracketArguments(length, input, links, scratch)));
                assertThat(order.conflicts()).isEmpty();
                assertThat(order.dispatches()).isEqualTo(expected[1]);
                assertThat(order.barriers()).isEqualTo(expected[1] - 1);
            }
        }
    }
}
