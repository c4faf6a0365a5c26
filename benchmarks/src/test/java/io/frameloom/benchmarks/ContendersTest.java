package io.frameloom.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.benchmarks.chain.LinearChain;
import io.frameloom.benchmarks.dag.Caller;
import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.Dag;
import io.frameloom.benchmarks.dag.NodeBody;
import io.frameloom.benchmarks.dag.Shape;
import io.frameloom.benchmarks.dag.Workload;
import io.frameloom.benchmarks.fan.FanOutFanIn;
import io.frameloom.benchmarks.frame.FrameOfHundred;
import io.frameloom.benchmarks.randomdag.RandomDag;
import io.frameloom.benchmarks.tree.BinaryTree;
import io.frameloom.benchmarks.wavefront.Wavefront;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every contender runs each node once per run, after its prerequisites: only then is its time a result. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ContendersTest {
    private static final int RUNS = 20;

    static Stream<Arguments> combinations() {
        List<Shape> shapes = List.of(
                new LinearChain(500),
                new FanOutFanIn(300),
                new BinaryTree(9),
                new Wavefront(20),
                new RandomDag(600),
                new FrameOfHundred(Caller.OUTSIDE),
                new FrameOfHundred(Caller.INSIDE));
        List<Arguments> all = new ArrayList<>();
        for (Contender contender : Main.contenders()) {
            for (Shape shape : shapes) {
                for (int workers : new int[] {1, 2, 4}) {
                    if (contender.supports(shape.caller())) {
                        all.add(Arguments.of(contender.name(), shape, workers, contender));
                    }
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest(name = "{0} on {1} with {2} workers")
    @MethodSource("combinations")
    void everyNodeRunsOncePerRunAfterItsPrerequisites(String name, Shape shape, int workers, Contender contender) {
        Dag dag = shape.dag();
        AtomicIntegerArray finished = new AtomicIntegerArray(dag.nodes());
        AtomicIntegerArray early = new AtomicIntegerArray(dag.nodes());
        NodeBody[] bodies = new NodeBody[dag.nodes()];
        for (int node = 0; node < bodies.length; node++) {
            int self = node;
            bodies[node] = () -> {
                int run = finished.get(self);
                for (int index = 0; index < dag.inDegree(self); index++) {
                    if (finished.get(dag.prerequisite(self, index)) != run + 1) {
                        early.incrementAndGet(self);
                    }
                }
                finished.incrementAndGet(self);
            };
        }
        try (Contender.Session session = contender.open(new Workload(dag, bodies), workers, shape.caller())) {
            for (int run = 1; run <= RUNS; run++) {
                session.run(1);
                for (int node = 0; node < dag.nodes(); node++) {
                    assertThat(finished.get(node))
                            .as("%s: runs of node %d after run %d", name, node, run)
                            .isEqualTo(run);
                }
            }
            session.run(RUNS);
        }
        for (int node = 0; node < dag.nodes(); node++) {
            assertThat(early.get(node)).as("early starts of node %d", node).isZero();
            assertThat(finished.get(node)).as("runs of node %d", node).isEqualTo(2 * RUNS);
        }
    }
}
