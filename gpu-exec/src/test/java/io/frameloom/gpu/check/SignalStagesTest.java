package io.frameloom.gpu.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A point that is reached after some stages orders the work of these stages alone; the next one orders everything. */
class SignalStagesTest {
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();

    private final HazardChecker checker = new HazardChecker();
    private final GpuQueue compute = new Fakes.Queue("compute", 0);
    private final GpuQueue graphics = new Fakes.Queue("graphics", 1);
    private final Buffer computed = Fakes.buffer("computed", 64);
    private final Buffer copied = Fakes.buffer("copied", 64);

    private static SubmissionRecord.Command pass(String name, Buffer buffer, Access access) {
        return new SubmissionRecord.Pass(
                name, List.of(new ResourceUse.OfBuffer(buffer, 0, 64, access, access == Access.COPY_DST)));
    }

    /** A dispatch and a copy that reaches value 1 after {@code stages}, and value 2 after all. */
    private void produce(int stages) {
        checker.submitted(Records.submission(
                compute,
                "produce",
                List.of(),
                1,
                List.of(
                        pass("dispatch", computed, Access.STORAGE_WRITE_COMPUTE),
                        pass("copy", copied, Access.COPY_DST)),
                stages));
    }

    private List<Hazard> consume(long value, Buffer buffer) {
        checker.submitted(Records.submission(
                graphics,
                "consume",
                List.of(new Submission.Wait(new TimelinePoint(compute, value), ALL)),
                1,
                List.of(pass("read", buffer, Access.STORAGE_READ_COMPUTE))));
        return checker.hazards();
    }

    @Test
    void theStageThatSignalsIsWaitedFor() {
        produce(PipelineStage.COMPUTE_SHADER.bit());
        assertThat(consume(1, computed)).isEmpty();
    }

    @Test
    void anotherStageIsNot() {
        produce(PipelineStage.COMPUTE_SHADER.bit());
        assertThat(consume(1, copied)).singleElement().satisfies(hazard -> {
            assertThat(hazard.kind()).isEqualTo(Hazard.Kind.READ_AFTER_WRITE);
            assertThat(hazard.firstPass()).isEqualTo("copy");
        });
    }

    @Test
    void theNextValueIsReachedAfterEverything() {
        produce(PipelineStage.COMPUTE_SHADER.bit());
        assertThat(consume(2, copied)).isEmpty();
    }

    @Test
    void aHostThatHasSeenTheEarlyValueKnowsNothingOfOtherStages() {
        produce(PipelineStage.COMPUTE_SHADER.bit());
        checker.hostWaited(new TimelinePoint(compute, 1));
        checker.submitted(Records.submission(
                graphics, "consume", List.of(), 1, List.of(pass("read", computed, Access.STORAGE_READ_COMPUTE))));
        assertThat(checker.hazards()).isEmpty();
        checker.submitted(Records.submission(
                graphics, "consume", List.of(), 2, List.of(pass("read", copied, Access.STORAGE_READ_COMPUTE))));
        assertThat(checker.hazards()).hasSize(1);
    }

    @Test
    void anEarlyPointComesAfterAllEarlierPointsOfItsQueue() {
        checker.submitted(
                Records.submission(compute, "copy", List.of(), 1, List.of(pass("copy", copied, Access.COPY_DST))));
        checker.submitted(Records.submission(
                compute,
                "dispatch",
                List.of(),
                2,
                List.of(pass("dispatch", computed, Access.STORAGE_WRITE_COMPUTE)),
                PipelineStage.COMPUTE_SHADER.bit()));
        assertThat(consume(2, copied)).isEmpty();
    }

    @Test
    void anEarlyPointComesAfterEarlierReadsToo() {
        checker.submitted(Records.submission(
                compute,
                "copies",
                List.of(),
                1,
                List.of(
                        pass("fill", copied, Access.COPY_DST),
                        new SubmissionRecord.Barrier(
                                new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL))),
                        pass("copy", copied, Access.COPY_SRC))));
        checker.submitted(
                Records.submission(compute, "nothing", List.of(), 2, List.of(), PipelineStage.COMPUTE_SHADER.bit()));
        checker.submitted(Records.submission(
                graphics,
                "overwrite",
                List.of(new Submission.Wait(new TimelinePoint(compute, 2), ALL)),
                1,
                List.of(pass("overwrite", copied, Access.STORAGE_WRITE_COMPUTE))));
        assertThat(checker.hazards()).isEmpty();
    }

    /** A store by fragments that is executed, and not made available, when the colours are out. */
    private TimelinePoint stored(Script script) {
        return script.pass("store", Fakes.use(computed, Access.STORAGE_READ_WRITE_FRAGMENT, true))
                .signalling(PipelineStage.COLOR_OUTPUT.bit())
                .submit(script.graphics);
    }

    private static void notAvailable(Script script, Hazard.Kind kind) {
        assertThat(script.checker.hazards()).singleElement().satisfies(hazard -> {
            assertThat(hazard.kind()).isEqualTo(kind);
            assertThat(hazard.explanation()).contains("the two are ordered").contains("not made available");
        });
    }

    @Test
    void aQueueThatHasSeenAnEarlierStageExecutedMayNotRelyOnItsWrites() {
        Script script = new Script();
        script.waitFor(stored(script))
                .pass("read", Fakes.use(computed, Access.STORAGE_READ_COMPUTE))
                .submit(script.compute);
        notAvailable(script, Hazard.Kind.READ_AFTER_WRITE);
    }

    @Test
    void norMayAHost() {
        Script script = new Script();
        script.checker.hostWaited(stored(script));
        script.pass("read", Fakes.use(computed, Access.STORAGE_READ_COMPUTE)).submit(script.graphics);
        notAvailable(script, Hazard.Kind.READ_AFTER_WRITE);
    }

    @Test
    void norMayAHostThatLetsTheDeviceOverwrite() {
        Script script = new Script();
        script.checker.hostWaited(stored(script));
        script.pass("overwrite", Fakes.use(computed, Access.COPY_DST)).submit(script.graphics);
        notAvailable(script, Hazard.Kind.WRITE_AFTER_WRITE);
    }

    @Test
    void aBarrierMakesThemAvailableBehindTheHost() {
        Script script = new Script();
        script.checker.hostWaited(stored(script));
        script.barrier(Script.scope(Access.STORAGE_READ_WRITE_FRAGMENT, Access.COPY_SRC))
                .pass("read", Fakes.use(computed, Access.COPY_SRC))
                .submit(script.graphics);
        assertThat(script.checker.hazards()).isEmpty();
    }

    /** A barrier of one buffer made the write available to a stage that the host has seen. */
    @Test
    void whatABarrierMadeAvailableBeforeThePointAHostMayRelyOn() {
        Script script = new Script();
        script.checker.hostWaited(script.pass("store", Fakes.use(computed, Access.STORAGE_READ_WRITE_FRAGMENT, true))
                .barrier(Script.on(
                        computed, Script.scope(Access.STORAGE_READ_WRITE_FRAGMENT, Access.STORAGE_READ_COMPUTE)))
                .signalling(PipelineStage.COMPUTE_SHADER.bit())
                .submit(script.graphics));
        script.pass("read", Fakes.use(computed, Access.COPY_SRC)).submit(script.compute);
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void theNextPointMakesThemAvailable() {
        Script script = new Script();
        TimelinePoint early = stored(script);
        script.checker.hostWaited(new TimelinePoint(early.queue(), early.value() + 1));
        script.pass("read", Fakes.use(computed, Access.COPY_SRC)).submit(script.compute);
        assertThat(script.checker.hazards()).isEmpty();
    }

    /** Closing needs no more than that the device is done. */
    @Test
    void whatIsExecutedMayBeClosed() {
        Script script = new Script();
        TimelinePoint early = stored(script);
        script.checker.hostWaited(early);
        computed.close();
        script.submit(script.graphics);
        script.submit(script.graphics);
        script.checker.hostWaited(early);
        script.submit(script.graphics);
        assertThat(script.checker.hazards()).isEmpty();
    }
}
