package io.frameloom.gpu.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The sizes in which memory for readbacks is allocated. */
class ReadbackSizesTest {
    @Test
    void aSizeIsRoundedUpToAPageOrByAnEighthAtMost() {
        for (long bytes = 1; bytes < Integer.MAX_VALUE; bytes += bytes / 7 + 1) {
            assertThat(Readbacks.rounded(bytes))
                    .as("%d bytes", bytes)
                    .isBetween(bytes, Math.max(bytes + 4095, bytes + bytes / 8));
        }
    }

    @Test
    void sizesFewEnoughToBeUsedAgain() {
        assertThat(Readbacks.rounded(1)).isEqualTo(4096);
        assertThat(Readbacks.rounded(4097)).isEqualTo(8192);
        assertThat(Readbacks.rounded((1 << 20) + 1)).isEqualTo((1 << 20) + (1 << 17));
        assertThat(Readbacks.rounded((1 << 20) + (1 << 17))).isEqualTo((1 << 20) + (1 << 17));
    }

    @Test
    void whatIsMappedIsNeverLargerThanItsView() {
        assertThat(Readbacks.rounded(Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
        assertThat(Readbacks.rounded(Integer.MAX_VALUE - 1)).isEqualTo(Integer.MAX_VALUE - 1);
    }
}
