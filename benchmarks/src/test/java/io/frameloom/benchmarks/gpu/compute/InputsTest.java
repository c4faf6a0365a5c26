package io.frameloom.benchmarks.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** That worst inputs are what they are called, by small models. */
final class InputsTest {
    private static final int LENGTH = 1 << 18;

    /** How often the matching of 2021 follows a link, in all and in the worst partition. */
    private record Links(int all, int longest) {}

    @Test
    void theAdversaryMakesTheMatchingOf2021FollowChains() {
        Links links = links(Inputs.Brackets.ADVERSARY_256, 256);
        assertThat(links.all()).isEqualTo(48_768);
        assertThat(links.longest()).isEqualTo(128);
        // As long as there are partitions for, with so few of them.
        assertThat(links(Inputs.Brackets.ADVERSARY_1024, 1024)).isEqualTo(new Links(6216, 111));
    }

    @Test
    void otherInputsMakeItFollowFew() {
        for (Inputs.Brackets brackets : Inputs.Brackets.values()) {
            if (!brackets.name().startsWith("ADVERSARY")) {
                assertThat(links(brackets, 256).longest()).as(brackets.title()).isLessThan(16);
            }
        }
    }

    /**
     * A model of the look-back of 2021 in which each partition finds the one before it done, which is the longest way: with
     * a partition that is not done yet it takes another partition's entries on the way.
     */
    private static Links links(Inputs.Brackets brackets, int partition) {
        int partitions = LENGTH / partition;
        int[] slices = new int[LENGTH];
        int[] depths = new int[partitions];
        int all = 0;
        int longest = 0;
        for (int p = 0; p < partitions; p++) {
            int end = (p + 1) * partition - 1;
            int[] stack = new int[partition];
            int pushes = 0;
            int pops = 0;
            for (int i = p * partition; i <= end; i++) {
                if (brackets.opens(i, LENGTH)) {
                    stack[pushes++] = i;
                } else if (pushes > 0) {
                    pushes--;
                } else {
                    pops++;
                }
            }
            for (int slot = 0; slot < pushes; slot++) {
                slices[end - slot] = stack[pushes - 1 - slot];
            }
            int chain = 0;
            int q = p - 1;
            while (q >= 0) {
                int depth = depths[q];
                if (chain > 0) {
                    pops = depth - pops;
                }
                // What the window still lacks, from the one of q.
                for (int slot = pushes; slot < partition; slot++) {
                    int below = slot + pops - pushes;
                    if (below < Math.min(depth, partition)) {
                        slices[end - slot] = slices[(q + 1) * partition - 1 - below];
                    }
                }
                int further = Math.max(depth, pops) - pops;
                pushes += further;
                pops = Math.max(depth, pops) - depth;
                if (depth <= Math.max(pushes, partition)) {
                    break;
                }
                chain++;
                q = (slices[q * partition] - 1) / partition;
                pops = Math.min(further, depth - partition);
                pushes -= pops;
            }
            depths[p] = pushes;
            all += chain;
            longest = Math.max(longest, chain);
        }
        return new Links(all, longest);
    }

    @Test
    void eachPartitionOfTheDrainLeavesTwoOpens() {
        int partition = 1024;
        int[] left = new int[LENGTH / partition];
        for (int p = 0; p < left.length / 2; p++) {
            for (int i = 0; i < partition; i++) {
                left[p] += Inputs.Brackets.DRAIN.opens((long) p * partition + i, LENGTH) ? 1 : -1;
                assertThat(left[p]).isNotNegative();
            }
        }
        assertThat(Arrays.copyOf(left, left.length / 2)).containsOnly(2);
        assertThat(Inputs.Brackets.DRAIN.opens(LENGTH / 2, LENGTH)).isFalse();
    }
}
