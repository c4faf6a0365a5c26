package io.frameloom.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.benchmarks.chain.LinearChain;
import io.frameloom.benchmarks.dag.Caller;
import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.Dag;
import io.frameloom.benchmarks.dag.NodeBody;
import io.frameloom.benchmarks.dag.Shape;
import io.frameloom.benchmarks.dag.Workload;
import io.frameloom.benchmarks.driver.StructuredScope;
import io.frameloom.benchmarks.driver.VirtualThreadFactory;
import io.frameloom.benchmarks.fan.FanOutFanIn;
import io.frameloom.benchmarks.flood.Flood;
import io.frameloom.benchmarks.frame.FrameOfHundred;
import io.frameloom.benchmarks.randomdag.RandomDag;
import io.frameloom.benchmarks.tree.BinaryTree;
import io.frameloom.benchmarks.wavefront.Wavefront;
import io.frameloom.testing.TestEffort;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every contender runs each node once per run, after its prerequisites: only then is its time a result. */
class ContendersTest {
    static final Set<String> ON_VIRTUAL_THREADS = Set.of(VirtualThreadFactory.CONTENDER, StructuredScope.CONTENDER);

    private static final int RUNS = TestEffort.of(5, 20);

    static Stream<Arguments> combinations() {
        List<Shape> shapes = List.of(
                new LinearChain(500),
                new FanOutFanIn(300),
                new Flood(400),
                new BinaryTree(9),
                new Wavefront(20),
                new RandomDag(600),
                new FrameOfHundred(Caller.OUTSIDE),
                new FrameOfHundred(Caller.INSIDE));
        List<Arguments> all = new ArrayList<>();
        for (Contender contender : Main.contenders()) {
            // This JVM has one number of carriers.
            List<Integer> numbers = ON_VIRTUAL_THREADS.contains(contender.name()) ? List.of(2) : List.of(1, 2, 4);
            for (Shape shape : shapes) {
                for (int workers : numbers) {
                    if (contender.supports(shape)) {
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
        Recorder recorder = new Recorder(shape.dag());
        try (Contender.Session session = contender.open(recorder.workload(), workers, shape.caller())) {
            for (int run = 1; run <= RUNS; run++) {
                session.run(1);
                recorder.expectRuns(name, run);
            }
            session.run(RUNS);
        }
        recorder.expectRuns(name, 2 * RUNS);
    }

    @ParameterizedTest(name = "{0} on {1} with {2} workers")
    @MethodSource("combinations")
    void nothingRunsBeforeABuiltGraphIsStarted(String name, Shape shape, int workers, Contender contender) {
        Recorder recorder = new Recorder(shape.dag());
        try (Contender.Session session = contender.open(recorder.workload(), workers, Caller.OUTSIDE)) {
            if (session instanceof Contender.TwoPhaseSession twoPhase) {
                for (int run = 1; run <= RUNS; run++) {
                    twoPhase.build();
                    recorder.expectRuns(name, run - 1);
                    twoPhase.runBuilt();
                    recorder.expectRuns(name, run);
                }
            } else {
                assertThat(name)
                        .as("cannot tell building from running")
                        .isIn(
                                "frameloom-dynamic-streaming",
                                "frameloom-compiled",
                                "frameloom-compiled-run",
                                "completable-future",
                                StructuredScope.CONTENDER,
                                "sequential");
            }
        }
    }

    /** Bodies that count their runs and notice when a prerequisite has not run before. */
    private static final class Recorder {
        private final Dag dag;
        private final AtomicIntegerArray finished;
        private final AtomicIntegerArray early;

        Recorder(Dag dag) {
            this.dag = dag;
            finished = new AtomicIntegerArray(dag.nodes());
            early = new AtomicIntegerArray(dag.nodes());
        }

        Workload workload() {
            NodeBody[] bodies = new NodeBody[dag.nodes()];
            for (int node = 0; node < bodies.length; node++) {
                int self = node;
                bodies[node] = () -> run(self);
            }
            return new Workload(dag, bodies);
        }

        private void run(int node) {
            int run = finished.get(node);
            for (int index = 0; index < dag.inDegree(node); index++) {
                if (finished.get(dag.prerequisite(node, index)) != run + 1) {
                    early.incrementAndGet(node);
                }
            }
            finished.incrementAndGet(node);
        }

        void expectRuns(String name, int runs) {
            for (int node = 0; node < dag.nodes(); node++) {
                if (early.get(node) == 0 && finished.get(node) == runs) {
                    continue;
                }
                assertThat(early.get(node))
                        .as("%s: early starts of node %d", name, node)
                        .isZero();
                assertThat(finished.get(node))
                        .as("%s: runs of node %d", name, node)
                        .isEqualTo(runs);
            }
        }
    }
}
