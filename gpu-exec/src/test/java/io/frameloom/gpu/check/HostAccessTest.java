package io.frameloom.gpu.check;

import static io.frameloom.gpu.check.Fakes.use;
import static io.frameloom.gpu.command.Access.COPY_DST;
import static io.frameloom.gpu.command.Access.HOST_READ;
import static io.frameloom.gpu.command.Access.HOST_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Hazard.Kind;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the host reads and writes: nothing but its own waiting says when it is done. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostAccessTest {
    private static final BarrierBatch.Scope FROM_HOST = new BarrierBatch.Scope(
            PipelineStage.mask(PipelineStage.HOST, PipelineStage.COPY),
            MemoryAccess.COPY_WRITE.bit(),
            PipelineStage.COPY.bit(),
            MemoryAccess.COPY_WRITE.bit());

    private final Script script = new Script();
    private final Buffer buffer = Fakes.buffer("results", 64);

    private Script readByHost() {
        return script.pass("write", use(buffer, COPY_DST))
                .barrier(Script.scope(COPY_DST, HOST_READ))
                .pass("host", use(buffer, HOST_READ));
    }

    private void overwritten() {
        assertThat(script.checker.hazards()).singleElement().satisfies(hazard -> {
            assertThat(hazard.kind()).isEqualTo(Kind.WRITE_AFTER_READ);
            assertThat(hazard.firstPass()).isEqualTo("host");
            assertThat(hazard.secondPass()).isEqualTo("overwrite");
            assertThat(hazard.explanation()).contains("host has not waited");
        });
    }

    @Test
    void aBarrierFromTheHostDoesNotEndItsReading() {
        readByHost().barrier(FROM_HOST).pass("overwrite", use(buffer, COPY_DST)).submit(script.graphics);
        overwritten();
    }

    @Test
    void aBarrierFromTheHostAndAPointBehindItDoNotEndItsReading() {
        TimelinePoint behind = readByHost().barrier(FROM_HOST).submit(script.graphics);
        script.waitFor(behind).pass("overwrite", use(buffer, COPY_DST)).submit(script.compute);
        overwritten();
    }

    @Test
    void aRewriteWaitsForTheHostToo() {
        BarrierBatch.OwnershipTransfer transfer = new BarrierBatch.OwnershipTransfer(0, 1);
        readByHost()
                .barrier(new BarrierBatch.BufferBarrier(buffer, 0, 64, FROM_HOST, transfer))
                .submit(script.graphics);
        assertThat(script.checker.hazards()).extracting(Hazard::kind).containsExactly(Kind.WRITE_AFTER_READ);
    }

    @Test
    void whatTheHostHasWaitedForItHasRead() {
        script.checker.hostWaited(readByHost().submit(script.compute));
        script.pass("overwrite", use(buffer, COPY_DST)).submit(script.compute);
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void whatTheHostHasWaitedForByWayOfAnotherQueueItHasRead() {
        TimelinePoint read = readByHost().submit(script.compute);
        TimelinePoint behind = script.waitFor(read).submit(script.graphics);
        script.checker.hostWaited(behind);
        script.pass("overwrite", use(buffer, COPY_DST)).submit(script.compute);
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void whatTheHostHasWaitedForByWayOfTwoQueuesItHasRead() {
        TimelinePoint read = readByHost().submit(script.compute);
        TimelinePoint between = script.waitFor(read, PipelineStage.COPY.bit()).submit(script.graphics);
        TimelinePoint behind = script.waitFor(between).submit(script.copy);
        script.checker.hostWaited(behind);
        script.pass("overwrite", use(buffer, HOST_WRITE)).submit(script.compute);
        assertThat(script.checker.hazards()).isEmpty();
    }

    /** The early point follows the device's work, but says nothing of the submission as a whole. */
    @Test
    void anEarlyPointBehindAFullBarrierDoesNotEndTheReading() {
        TimelinePoint early =
                readByHost().full().signalling(PipelineStage.COPY.bit()).submit(script.graphics);
        script.checker.hostWaited(early);
        script.pass("overwrite", use(buffer, HOST_WRITE)).submit(script.graphics);
        overwritten();
        script.checker.hostWaited(new TimelinePoint(script.graphics, early.value() + 1));
        script.pass("later", use(buffer, HOST_WRITE)).submit(script.graphics);
        assertThat(script.checker.total()).isEqualTo(1);
    }

    private static final BarrierBatch.Scope TO_HOST = Script.scope(COPY_DST, HOST_READ);

    private final Buffer mapped = Fakes.mapped("mapped", 64);

    private void unseen() {
        assertThat(script.checker.hazards()).singleElement().satisfies(hazard -> {
            assertThat(hazard.kind()).isEqualTo(Kind.READ_AFTER_WRITE);
            assertThat(hazard.firstPass()).isEqualTo("write");
            assertThat(hazard.secondPass()).isEqualTo("host");
            assertThat(hazard.explanation()).contains("visible to the host").contains("barrier");
        });
    }

    @Test
    void waitingShowsTheHostNothing() {
        script.checker.hostWaited(script.pass("write", use(mapped, COPY_DST)).submit(script.copy));
        script.pass("host", use(mapped, HOST_READ)).submit(script.copy);
        unseen();
    }

    @Test
    void aBarrierBehindTheWaitingShowsIt() {
        script.checker.hostWaited(script.pass("write", use(mapped, COPY_DST)).submit(script.copy));
        script.barrier(new BarrierBatch.Scope(0, 0, PipelineStage.HOST.bit(), MemoryAccess.HOST_READ.bit()))
                .pass("host", use(mapped, HOST_READ))
                .submit(script.copy);
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void aBarrierOfTheBufferBehindTheWaitingShowsIt() {
        script.checker.hostWaited(script.pass("write", use(mapped, COPY_DST)).submit(script.copy));
        script.barrier(Script.on(mapped, TO_HOST))
                .pass("host", use(mapped, HOST_READ))
                .submit(script.compute);
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void aBarrierBeforeTheWaitingShowsItBehindEveryQueue() {
        script.checker.hostWaited(
                script.pass("write", use(mapped, COPY_DST)).barrier(TO_HOST).submit(script.copy));
        script.pass("host", use(mapped, HOST_READ)).submit(script.graphics);
        script.pass("host", use(mapped, HOST_READ)).submit(script.copy);
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void aBarrierOfTheBufferBeforeTheWaitingShowsItBehindEveryQueue() {
        script.checker.hostWaited(script.pass("write", use(mapped, COPY_DST))
                .barrier(Script.on(mapped, TO_HOST))
                .submit(script.copy));
        script.pass("host", use(mapped, HOST_READ)).submit(script.graphics);
        assertThat(script.checker.hazards()).isEmpty();
    }

    /** The host has seen the write by a point before the barrier. */
    @Test
    void aBarrierThatTheHostHasNotWaitedForShowsItBehindItsQueueAlone() {
        TimelinePoint written = script.pass("write", use(mapped, COPY_DST)).submit(script.copy);
        TimelinePoint shown = script.barrier(TO_HOST).submit(script.copy);
        script.checker.hostWaited(written);
        script.pass("host", use(mapped, HOST_READ)).submit(script.copy);
        assertThat(script.checker.hazards()).isEmpty();
        script.waitFor(shown).pass("host", use(mapped, HOST_READ)).submit(script.compute);
        assertThat(script.checker.hazards()).isEmpty();
        script.pass("host", use(mapped, HOST_READ)).submit(script.graphics);
        unseen();
    }

    @Test
    void aBarrierBehindAWaitOfAQueueShowsItToTheHost() {
        TimelinePoint shown =
                script.pass("write", use(mapped, COPY_DST)).barrier(TO_HOST).submit(script.copy);
        script.waitFor(shown, PipelineStage.COPY.bit())
                .pass("host", use(mapped, HOST_READ))
                .submit(script.graphics);
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void whatIsWrittenAgainIsNotShownAgain() {
        script.checker.hostWaited(
                script.pass("write", use(mapped, COPY_DST)).barrier(TO_HOST).submit(script.copy));
        script.checker.hostWaited(script.pass("write", use(mapped, COPY_DST)).submit(script.copy));
        script.pass("host", use(mapped, HOST_READ)).submit(script.copy);
        unseen();
    }

    @Test
    void whatTheHostHasWrittenItself() {
        script.checker.hostWaited(script.pass("write", use(mapped, COPY_DST))
                .barrier(Script.scope(COPY_DST, HOST_WRITE))
                .submit(script.copy));
        script.pass("overwrite", use(mapped, HOST_WRITE))
                .pass("host", use(mapped, HOST_READ))
                .submit(script.copy);
        assertThat(script.checker.hazards()).isEmpty();
    }

    private static List<UnneededSync> unneededBarrierToTheHost(Buffer written, boolean byName, boolean waited) {
        Script search = new Script(UnneededSync.Search.WHOLE);
        search.pass("write", use(written, COPY_DST));
        if (byName) {
            search.barrier(Script.on(written, TO_HOST));
        } else {
            search.barrier(TO_HOST);
        }
        TimelinePoint done = search.submit(search.graphics);
        if (waited) {
            search.checker.hostWaited(done);
        }
        search.checker.finish();
        assertThat(search.checker.hazards()).isEmpty();
        return search.checker.unneeded();
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void aBarrierToTheHostIsNeededForWhatItReadsBack(boolean byName, boolean waited) {
        assertThat(unneededBarrierToTheHost(Fakes.readback("results", 64), byName, waited))
                .isEmpty();
        assertThat(unneededBarrierToTheHost(Fakes.buffer("particles", 64), byName, waited))
                .hasSize(1);
    }

    @Test
    void aSecondBarrierToTheHostIsNot() {
        Script search = new Script(UnneededSync.Search.WHOLE);
        Buffer results = Fakes.readback("results", 64);
        TimelinePoint done = search.pass("write", use(results, COPY_DST))
                .barrier(TO_HOST)
                .barrier(TO_HOST)
                .submit(search.graphics);
        search.checker.hostWaited(done);
        search.checker.finish();
        assertThat(search.checker.unneeded())
                .singleElement()
                .satisfies(found -> assertThat(search.checker.occurrences(found))
                        .as("each alone")
                        .isEqualTo(2));
    }
}
