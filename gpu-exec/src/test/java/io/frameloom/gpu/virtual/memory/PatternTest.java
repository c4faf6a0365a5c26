package io.frameloom.gpu.virtual.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.virtual.VirtualRig;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PatternTest {
    /** The two words differ, but the hash codes of their bytes are equal. */
    @Test
    void fillsOfDifferentWordsStayApart() {
        int first = 0x00000001;
        int second = 0x00001F00;
        try (VirtualRig rig = new VirtualRig(1, 1, null)) {
            Buffer buffer = rig.buffer("buffer", 2);
            Buffer readback = rig.readback("readback", 8);
            rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                list.fillBuffer(buffer, 0, 8, first);
                list.barrier(VirtualRig.full());
                list.fillBuffer(buffer, 0, 4, second);
                list.barrier(VirtualRig.full());
                list.copyBuffer(buffer, 0, readback, 0, 8);
            }));
            assertThat(rig.words(readback)).containsExactly(second, first);
        }
    }

    @Test
    void unitsOfOneHashCodeHaveDifferentIdentities() {
        Pattern first = Pattern.ofUnit(new byte[] {1, 0}, 0);
        Pattern second = Pattern.ofUnit(new byte[] {0, 31}, 0);
        assertThat(second.stamp()).isNotEqualTo(first.stamp());
        assertThat(second.continues(first)).isFalse();
        assertThat(Pattern.ofUnit(new byte[] {1, 0}, 0).continues(first)).isTrue();
    }
}
