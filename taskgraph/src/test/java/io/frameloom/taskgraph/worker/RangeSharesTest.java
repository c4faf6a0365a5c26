package io.frameloom.taskgraph.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shares of a loop's pieces (race 37). */
@Timeout(60)
final class RangeSharesTest {
    @Test
    void anOwnerTakesItsShareFromTheFront() {
        RangeShares shares = new RangeShares(10, 3);
        assertThat(List.of(shares.next(1), shares.next(1), shares.next(1))).containsExactly(3, 4, 5);
        assertThat(List.of(shares.next(0), shares.next(0), shares.next(0))).containsExactly(0, 1, 2);
    }

    @Test
    void aThiefTakesTheLaterHalfOfTheRestAndGoesOnWithIt() {
        RangeShares shares = new RangeShares(8, 2);
        for (int piece = 4; piece < 8; piece++) {
            assertThat(shares.next(1)).isEqualTo(piece);
        }
        assertThat(List.of(shares.next(1), shares.next(1))).containsExactly(2, 3);
        assertThat(List.of(shares.next(0), shares.next(0))).containsExactly(0, 1);
        assertThat(shares.next(0)).isEqualTo(RangeShares.NONE);
        assertThat(shares.next(1)).isEqualTo(RangeShares.NONE);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "1, 4", "7, 3", "1000, 1", "1000, 17"})
    void oneParticipantTakesEverythingIfNobodyElseComes(int pieces, int count) {
        for (int own = 0; own < count; own++) {
            RangeShares shares = new RangeShares(pieces, count);
            int[] taken = new int[pieces];
            for (int piece = shares.next(own); piece != RangeShares.NONE; piece = shares.next(own)) {
                taken[piece]++;
            }
            assertThat(taken).containsOnly(onlyOnes(pieces));
        }
    }

    /** For {@code containsOnly}: nothing if there is nothing. */
    private static int[] onlyOnes(int pieces) {
        return pieces == 0 ? new int[0] : new int[] {1};
    }

    @Test
    void theLargestNumberOfPieces() {
        RangeShares shares = new RangeShares(Integer.MAX_VALUE, 3);
        assertThat(shares.next(0)).isZero();
        assertThat(shares.next(1)).isEqualTo(Integer.MAX_VALUE / 3);
        assertThat(shares.next(2)).isEqualTo((int) (2L * Integer.MAX_VALUE / 3));
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "2, 5", "4, 4", "3, 8"})
    void everyPieceGoesToOneParticipant(int participants, int count) throws InterruptedException {
        int pieces = 20_000;
        for (int round = 0; round < 20; round++) {
            RangeShares shares = new RangeShares(pieces, count);
            AtomicIntegerArray taken = new AtomicIntegerArray(pieces);
            List<Thread> threads = new ArrayList<>();
            for (int participant = 0; participant < participants; participant++) {
                int own = participant;
                threads.add(new Thread(() -> {
                    for (int piece = shares.next(own); piece != RangeShares.NONE; piece = shares.next(own)) {
                        taken.incrementAndGet(piece);
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            for (int piece = 0; piece < pieces; piece++) {
                assertThat(taken.get(piece)).isEqualTo(1);
            }
        }
    }
}
