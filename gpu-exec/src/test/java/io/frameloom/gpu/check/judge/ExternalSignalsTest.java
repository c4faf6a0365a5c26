package io.frameloom.gpu.check.judge;

import static io.frameloom.gpu.check.Fakes.use;
import static io.frameloom.gpu.command.Access.COPY_DST;
import static io.frameloom.gpu.command.Access.COPY_SRC;
import static io.frameloom.gpu.command.Access.STORAGE_READ_COMPUTE;
import static io.frameloom.gpu.command.Access.STORAGE_WRITE_COMPUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Fakes;
import io.frameloom.gpu.check.Hazard.Kind;
import io.frameloom.gpu.check.Script;
import io.frameloom.gpu.check.UnneededSync;
import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.ExternalTimeline;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Points of other people's timelines order what was submitted here, and may be all that somebody else waits for. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExternalSignalsTest {
    private final Script script = new Script();
    private final ExternalTimeline engine = new Fakes.Timeline("engine", 7);
    private final Buffer buffer = Fakes.buffer("particles", 1024);
    private final Buffer other = Fakes.buffer("other", 1024);

    private ExternalPoint at(long value) {
        return ExternalPoint.of(engine, value);
    }

    private void silent() {
        assertThat(script.checker.hazards()).isEmpty();
    }

    private void reported(Kind kind, String first, String second) {
        assertThat(script.checker.hazards()).singleElement().satisfies(hazard -> {
            assertThat(hazard.kind()).isEqualTo(kind);
            assertThat(hazard.firstPass()).isEqualTo(first);
            assertThat(hazard.secondPass()).isEqualTo(second);
        });
    }

    private void written(long value) {
        script.pass("write", use(buffer, COPY_DST)).signal(at(value)).submit(script.graphics);
    }

    private void read(ExternalPoint point) {
        script.waitFor(point).pass("read", use(buffer, COPY_SRC)).submit(script.compute);
    }

    @Test
    void aPointOrdersWhatIsSubmittedHere() {
        written(1);
        read(at(1));
        silent();
    }

    @Test
    void aPointOfOneQueueOrdersItsOwnLaterWork() {
        written(1);
        script.waitFor(at(1)).pass("read", use(buffer, COPY_SRC)).submit(script.graphics);
        silent();
    }

    @Test
    void aPointThatTheEngineReachesFollowsLowerOnes() {
        written(1);
        read(at(2));
        silent();
    }

    @Test
    void aLowerPointFollowsNothingOfAHigherOne() {
        written(2);
        read(at(1));
        reported(Kind.READ_AFTER_WRITE, "write", "read");
    }

    @Test
    void aPointFollowsALowerOneThatIsSubmittedLater() {
        script.waitFor(at(1))
                .pass("overwrite", use(other, COPY_DST))
                .signal(at(2))
                .submit(script.compute);
        written(1);
        script.waitFor(at(2))
                .pass("read", use(buffer, COPY_SRC), use(other, COPY_SRC))
                .submit(script.copy);
        silent();
    }

    @Test
    void aPointOfAnotherTimelineOrdersNothing() {
        written(1);
        read(ExternalPoint.of(new Fakes.Timeline("engine", 8), 1));
        reported(Kind.READ_AFTER_WRITE, "write", "read");
    }

    @Test
    void aBinarySemaphoreOrdersWhatWaitsForItsSignal() {
        ExternalPoint rendered = ExternalPoint.of(new Fakes.Semaphore("rendered", 9));
        for (int turn = 0; turn < 2; turn++) {
            script.pass("write", use(buffer, COPY_DST)).signal(rendered).submit(script.graphics);
            TimelinePoint read =
                    script.waitFor(rendered).pass("read", use(buffer, COPY_SRC)).submit(script.compute);
            script.waitFor(read);
        }
        silent();
    }

    /** What the engine signals is an edge from outside: it orders nothing that was submitted here. */
    @Test
    void aBinarySemaphoreThatTheEngineSignalsOrdersNothingHere() {
        written(1);
        read(ExternalPoint.of(new Fakes.Semaphore("acquired", 9)));
        reported(Kind.READ_AFTER_WRITE, "write", "read");
    }

    @Test
    void aTimelineThatWasImportedTwiceIsOne() {
        written(1);
        read(ExternalPoint.of(new Fakes.Timeline("engine again", 7), 1));
        silent();
    }

    @Test
    void onlyTheStagesThatWaitAreOrdered() {
        written(1);
        read(new ExternalPoint(engine, 1, PipelineStage.COMPUTE_SHADER.bit()));
        reported(Kind.READ_AFTER_WRITE, "write", "read");
    }

    @Test
    void onlyTheStagesThatAreDoneAreSignalled() {
        script.pass("write", use(buffer, COPY_DST))
                .signal(new ExternalPoint(engine, 1, PipelineStage.COMPUTE_SHADER.bit()))
                .submit(script.graphics);
        read(at(1));
        reported(Kind.READ_AFTER_WRITE, "write", "read");
    }

    /** What is behind a chain of both kinds of timelines. */
    @Test
    void pointsCarryWhatTheirQueuesHaveWaitedFor() {
        TimelinePoint written = script.pass("write", use(buffer, COPY_DST)).submit(script.graphics);
        script.waitFor(written).signal(at(1)).submit(script.compute);
        script.waitFor(at(1)).pass("read", use(buffer, COPY_SRC)).submit(script.copy);
        silent();
    }

    @Test
    void whatTheHostHasSeenIsForgotten() {
        written(1);
        TimelinePoint seen = script.signal(at(2)).submit(script.graphics);
        script.checker.hostWaited(seen);
        read(at(1));
        script.pass("again", use(other, COPY_DST)).signal(at(3)).submit(script.graphics);
        script.waitFor(at(3)).pass("use", use(other, COPY_SRC)).submit(script.copy);
        silent();
    }

    @Test
    void aWaitBeforeASignalForSomebodyElseIsNeeded() {
        Script search = new Script(UnneededSync.Search.WHOLE);
        TimelinePoint written =
                search.pass("write", use(buffer, STORAGE_WRITE_COMPUTE)).submit(search.compute);
        search.waitFor(written).submit(search.graphics);
        search.signal(at(1)).submit(search.graphics);
        search.waitFor(written).submit(search.copy);
        search.checker.finish();
        assertThat(search.checker.unneeded())
                .singleElement()
                .satisfies(found -> assertThat(found.explanation()).contains("queue 'copy'"));
        assertThat(search.checker.hazards()).isEmpty();
    }

    @Test
    void aWaitByWhichTheHostKnowsWhatIsDoneIsNeededByNobodyElse() {
        Script search = new Script(UnneededSync.Search.WHOLE);
        TimelinePoint written =
                search.pass("write", use(buffer, STORAGE_WRITE_COMPUTE)).submit(search.compute);
        search.checker.hostWaited(written);
        search.waitFor(written).signal(at(1)).submit(search.graphics);
        search.checker.finish();
        assertThat(search.checker.unneeded()).hasSize(1);
    }

    private void transitions(Texture texture, boolean signals) {
        Script search = new Script(UnneededSync.Search.WHOLE);
        search.pass("store", use(texture, STORAGE_WRITE_COMPUTE))
                .barrier(Script.move(
                        texture,
                        Script.scope(STORAGE_WRITE_COMPUTE, STORAGE_READ_COMPUTE),
                        TextureLayout.GENERAL,
                        TextureLayout.SHADER_RO));
        if (signals) {
            search.signal(at(1));
        }
        search.submit(search.graphics);
        search.checker.finish();
        assertThat(search.checker.hazards()).isEmpty();
        assertThat(search.checker.unneeded()).isEmpty();
    }

    /** Told by a point, or by nothing but the end. */
    @Test
    void theLayoutInWhichSomebodyElseGetsHisImageIsNeeded() {
        transitions(Fakes.imported("picture", 9, TextureLayout.GENERAL), true);
        transitions(Fakes.imported("picture", 9, TextureLayout.GENERAL), false);
    }
}
