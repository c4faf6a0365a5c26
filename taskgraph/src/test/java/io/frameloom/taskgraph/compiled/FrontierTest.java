package io.frameloom.taskgraph.compiled;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Claims, admissions and ends, by one thread in any order and by several at once. */
@Timeout(60)
final class FrontierTest {
    /** Random prerequisites with smaller numbers. */
    private static final class Edges {
        final int[] starts;
        final int[] prerequisites;

        Edges(int nodes, Random random) {
            starts = new int[nodes + 1];
            List<Integer> all = new ArrayList<>();
            for (int node = 0; node < nodes; node++) {
                for (int i = node == 0 ? 0 : random.nextInt(5); i > 0; i--) {
                    // Mostly near ones, so that many have not ended.
                    all.add(Math.max(0, node - 1 - random.nextInt(random.nextBoolean() ? 3 : nodes)));
                }
                starts[node + 1] = all.size();
            }
            prerequisites = all.stream().mapToInt(i -> i).toArray();
        }
    }

    @Test
    void eachNodeIsAdmittedOnceAfterItsPrerequisites() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            int nodes = 1 + random.nextInt(40);
            Edges edges = new Edges(nodes, random);
            Frontier frontier = new Frontier(nodes, edges.starts, edges.prerequisites);
            for (int run = 0; run < 2; run++) {
                runInAnyOrder(frontier, nodes, edges, random);
            }
        }
    }

    private static void runInAnyOrder(Frontier frontier, int nodes, Edges edges, Random random) {
        frontier.reset();
        int before = random.nextInt(nodes);
        int turn = before + random.nextInt(nodes - before);
        assertThat(frontier.claimTurn(before)).isTrue();
        assertThat(frontier.claim(nodes)).isEqualTo(RangeDeque.NOTHING);
        assertThat(frontier.claimTurn(turn)).isTrue();
        assertThat(frontier.isShared()).isFalse();
        assertThat(frontier.share()).isTrue();
        assertThat(frontier.share()).isFalse();
        assertThat(frontier.claimTurn(nodes)).isFalse();
        assertThat(frontier.isShared()).isTrue();
        int[] ended = new int[nodes];
        for (int node = 0; node < before; node++) {
            ended[node] = 1;
        }
        List<Integer> ready = new ArrayList<>();
        for (int node = before; node < turn; node++) {
            ready.add(node);
        }
        int left = nodes - before;
        while (left > 0) {
            if (ready.isEmpty() || random.nextInt(3) == 0) {
                long range = frontier.claim(1 + random.nextInt(4));
                assertThat(frontier.hasUnclaimed() && range == RangeDeque.NOTHING)
                        .isFalse();
                assertThat(ready.isEmpty() && range == RangeDeque.NOTHING).isFalse();
                for (int node = RangeDeque.end(range) - 1;
                        range != RangeDeque.NOTHING && node >= RangeDeque.first(range);
                        node--) {
                    admit(frontier, node, ready);
                }
                continue;
            }
            int node = ready.remove(random.nextInt(ready.size()));
            if (node >= turn) {
                for (int edge = edges.starts[node]; edge < edges.starts[node + 1]; edge++) {
                    assertThat(ended[edges.prerequisites[edge]]).isEqualTo(1);
                }
            }
            ended[node]++;
            left--;
            int waiting = frontier.end(node);
            assertThat(frontier.hasEnded(node)).isTrue();
            while (waiting >= 0) {
                int following = frontier.following(waiting);
                admit(frontier, waiting, ready);
                waiting = following;
            }
        }
        assertThat(ended).containsOnly(1);
        assertThat(frontier.claim(1)).isEqualTo(RangeDeque.NOTHING);
    }

    private static void admit(Frontier frontier, int node, List<Integer> ready) {
        if (frontier.admit(node)) {
            ready.add(node);
        }
    }

    /** One thread runs turns until another shares the run; from then on both claim. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1_000})
    void twoThreadsRunEachNodeOnce(int sharedAfter) throws InterruptedException {
        int nodes = 20_000;
        for (int round = 0; round < 5; round++) {
            Edges edges = new Edges(nodes, new Random(round));
            Frontier frontier = new Frontier(nodes, edges.starts, edges.prerequisites);
            AtomicIntegerArray ended = new AtomicIntegerArray(nodes);
            AtomicInteger early = new AtomicInteger();
            AtomicInteger left = new AtomicInteger(nodes);
            Thread other = new Thread(() -> {
                while (left.get() > nodes - sharedAfter) {
                    Thread.onSpinWait();
                }
                frontier.share();
                takePart(frontier, edges, ended, early, left);
            });
            other.start();
            int from = 0;
            int node = 0;
            while (frontier.claimTurn(Math.min(nodes, node + 7))) {
                from = node;
                for (int end = Math.min(nodes, node + 7); node < end; node++) {
                    run(node, edges, ended, early, left);
                }
                if (node == nodes) {
                    break;
                }
            }
            if (frontier.isShared()) {
                List<Integer> ready = new ArrayList<>();
                for (int turn = from; turn < node; turn++) {
                    end(frontier, turn, ready);
                }
                runAll(frontier, ready, edges, ended, early, left);
                takePart(frontier, edges, ended, early, left);
            }
            other.join();
            assertThat(early).hasValue(0);
            for (int i = 0; i < nodes; i++) {
                assertThat(ended.get(i)).as("runs of node %s", i).isEqualTo(1);
            }
        }
    }

    private static void takePart(
            Frontier frontier, Edges edges, AtomicIntegerArray ended, AtomicInteger early, AtomicInteger left) {
        List<Integer> ready = new ArrayList<>();
        for (long range = frontier.claim(3); range != RangeDeque.NOTHING; range = frontier.claim(3)) {
            for (int node = RangeDeque.first(range); node < RangeDeque.end(range); node++) {
                admit(frontier, node, ready);
            }
            runAll(frontier, ready, edges, ended, early, left);
        }
    }

    private static void runAll(
            Frontier frontier,
            List<Integer> ready,
            Edges edges,
            AtomicIntegerArray ended,
            AtomicInteger early,
            AtomicInteger left) {
        while (!ready.isEmpty()) {
            int node = ready.remove(ready.size() - 1);
            run(node, edges, ended, early, left);
            end(frontier, node, ready);
        }
    }

    private static void run(int node, Edges edges, AtomicIntegerArray ended, AtomicInteger early, AtomicInteger left) {
        for (int edge = edges.starts[node]; edge < edges.starts[node + 1]; edge++) {
            early.addAndGet(1 - ended.get(edges.prerequisites[edge]));
        }
        ended.incrementAndGet(node);
        left.decrementAndGet();
    }

    private static void end(Frontier frontier, int node, List<Integer> ready) {
        int waiting = frontier.end(node);
        while (waiting >= 0) {
            int following = frontier.following(waiting);
            admit(frontier, waiting, ready);
            waiting = following;
        }
    }
}
