package io.frameloom.gpu.check.judge;

import static io.frameloom.gpu.check.Fakes.use;
import static io.frameloom.gpu.command.Access.COPY_DST;
import static io.frameloom.gpu.command.Access.COPY_SRC;
import static io.frameloom.gpu.command.Access.HOST_READ;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Fakes;
import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.Hazard.Kind;
import io.frameloom.gpu.check.Script;
import io.frameloom.gpu.check.UnneededSync;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Resources of an engine that are closed while submitted work may still use them. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EarlyClosesTest {
    private final Script script = new Script();
    private final Buffer buffer = Fakes.buffer("particles", 1024, 5, true);
    private final Buffer other = Fakes.buffer("other", 1024, 6, true);

    private TimelinePoint unrelated() {
        return script.full().pass("unrelated", use(other, COPY_DST)).submit(script.graphics);
    }

    @Test
    void aBufferThatIsClosedInUseIsReported() {
        TimelinePoint before = unrelated();
        script.pass("fill", use(buffer, COPY_DST)).submit(script.graphics);
        buffer.close();
        script.checker.hostWaited(before);
        unrelated();
        unrelated();
        assertThat(script.checker.hazards()).singleElement().satisfies(hazard -> {
            assertThat(hazard.kind()).isEqualTo(Kind.USE_AFTER_FREE);
            assertThat(hazard.resource()).isEqualTo("particles");
            assertThat(hazard.firstPass()).isEqualTo("fill");
            assertThat(hazard.explanation()).contains("closed while").contains("waited");
        });
        script.checker.hostWaited(unrelated());
        unrelated();
        unrelated();
        assertThat(script.checker.total()).as("told once").isEqualTo(1);
    }

    @Test
    void theDeviceKeepsItsOwnBufferUntilItIsThroughWithIt() {
        Buffer own = Fakes.buffer("own", 1024);
        TimelinePoint before = unrelated();
        script.pass("fill", use(own, COPY_DST)).submit(script.graphics);
        own.close();
        script.checker.hostWaited(before);
        unrelated();
        unrelated();
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void aBufferThatTheHostHasWaitedForMayBeClosed() {
        TimelinePoint filled = script.pass("fill", use(buffer, COPY_DST)).submit(script.graphics);
        script.checker.hostWaited(filled);
        buffer.close();
        script.checker.hostWaited(unrelated());
        unrelated();
        unrelated();
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void whatTheHostReadsItReadsItself() {
        TimelinePoint filled = script.pass("fill", use(buffer, COPY_DST)).submit(script.graphics);
        script.barrier(new BarrierBatch.Scope(
                        PipelineStage.COPY.bit(),
                        MemoryAccess.COPY_WRITE.bit(),
                        PipelineStage.HOST.bit(),
                        MemoryAccess.HOST_READ.bit()))
                .pass("host", use(buffer, HOST_READ))
                .submit(script.graphics);
        buffer.close();
        script.checker.hostWaited(filled);
        unrelated();
        unrelated();
        assertThat(script.checker.hazards()).isEmpty();
    }

    /** A thread that waits and closes between two calls of a submitting thread is right, though told later. */
    @Test
    void aWaitThatIsToldAfterTheCloseCounts() {
        TimelinePoint before = unrelated();
        TimelinePoint filled = script.pass("fill", use(buffer, COPY_DST)).submit(script.graphics);
        buffer.close();
        script.checker.hostWaited(before);
        unrelated();
        script.checker.hostWaited(filled);
        unrelated();
        unrelated();
        assertThat(script.checker.hazards()).isEmpty();
    }

    /** The host learns of the first queue by the second one, which has waited for it. */
    private List<UnneededSync> unneededOfAClosedBuffer(boolean told) {
        Script search = new Script(UnneededSync.Search.WHOLE);
        TimelinePoint filled = search.pass("fill", use(buffer, COPY_DST)).submit(search.graphics);
        TimelinePoint behind = search.waitFor(filled).submit(search.compute);
        search.checker.hostWaited(behind);
        buffer.close();
        for (int i = 0; i < 3; i++) {
            search.checker.hostWaited(search.submit(search.copy));
        }
        if (told) {
            search.checker.hostWaited(filled);
        }
        search.checker.finish();
        assertThat(search.checker.hazards()).isEmpty();
        return search.checker.unneeded();
    }

    @Test
    void aWaitByWhichTheHostLearnsThatABufferMayBeClosedIsNeeded() {
        assertThat(unneededOfAClosedBuffer(false)).isEmpty();
    }

    @Test
    void whatTheHostLearnsTooLateMakesTheWaitNoLessNeeded() {
        assertThat(unneededOfAClosedBuffer(true)).isEmpty();
    }

    @Test
    void aBufferThatIsClosedTooEarlyAnywayMakesNoWaitNeeded() {
        Script search = new Script(UnneededSync.Search.WHOLE);
        search.pass("early", use(other, COPY_DST)).submit(search.graphics);
        other.close();
        search.checker.hostWaited(search.submit(search.copy));
        TimelinePoint filled = search.submit(search.graphics);
        search.submit(search.copy);
        TimelinePoint behind = search.waitFor(filled).submit(search.compute);
        search.submit(search.copy);
        search.checker.hostWaited(search.submit(search.copy));
        for (int i = 0; i < 3; i++) {
            search.submit(search.copy);
        }
        search.checker.finish();
        assertThat(search.checker.hazards()).extracting(Hazard::kind).containsExactly(Kind.USE_AFTER_FREE);
        assertThat(behind.value()).isEqualTo(1);
        assertThat(search.checker.unneeded())
                .extracting(UnneededSync::submission)
                .containsExactly("s1");
    }

    private void close(Buffer closed) {
        closed.close();
        script.checker.closed(closed);
    }

    private void reportedOnce(String resource, String pass) {
        assertThat(script.checker.hazards()).singleElement().satisfies(hazard -> {
            assertThat(hazard.kind()).isEqualTo(Kind.USE_AFTER_FREE);
            assertThat(hazard.resource()).isEqualTo(resource);
            assertThat(hazard.firstPass()).isEqualTo(pass);
        });
        assertThat(script.checker.total()).isEqualTo(1);
    }

    @Test
    void whoTellsOfACloseIsToldAtOnce() {
        TimelinePoint filled = script.pass("fill", use(buffer, COPY_DST)).submit(script.graphics);
        close(buffer);
        reportedOnce("particles", "fill");
        script.checker.hostWaited(filled);
        unrelated();
        unrelated();
        reportedOnce("particles", "fill");
    }

    /** The host waits for the frame before the last one, so that a closed buffer is quiet one submission later. */
    @Test
    void everyFrameThatClosesWhatItUsesIsReported() {
        TimelinePoint before = unrelated();
        for (int frame = 0; frame < 10; frame++) {
            Buffer temporary = Fakes.buffer("temporary", 1024, 100 + frame, true);
            TimelinePoint now = script.full()
                    .pass("frame" + frame, use(temporary, COPY_DST))
                    .submit(script.graphics);
            close(temporary);
            script.checker.hostWaited(before);
            before = now;
        }
        assertThat(script.checker.hazards()).hasSize(10);
    }

    @Test
    void whatTheDeviceHasMadeItKeeps() {
        Buffer own = Fakes.buffer("own", 1024);
        script.pass("fill", use(own, COPY_DST)).submit(script.graphics);
        close(own);
        unrelated();
        unrelated();
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void whatTheHostHasWaitedForMayBeClosed() {
        script.checker.hostWaited(script.pass("fill", use(buffer, COPY_DST)).submit(script.graphics));
        close(buffer);
        close(other);
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void anotherImportOfTheObjectKeepsIt() {
        Buffer again = Fakes.buffer("again", 1024, 5, true);
        script.pass("fill", use(buffer, COPY_DST)).submit(script.graphics);
        script.full().pass("read", use(again, COPY_SRC)).submit(script.graphics);
        close(again);
        assertThat(script.checker.hazards()).isEmpty();
        close(buffer);
        assertThat(script.checker.hazards()).extracting(Hazard::resource).containsExactly("particles");
    }

    /** Without the wait of a queue the host knows nothing of the other one when it closes. */
    @Test
    void aWaitByWhichTheHostMayTellOfACloseIsNeeded() {
        Script search = new Script(UnneededSync.Search.WHOLE);
        TimelinePoint filled = search.pass("fill", use(buffer, COPY_DST)).submit(search.graphics);
        search.checker.hostWaited(search.waitFor(filled).submit(search.compute));
        buffer.close();
        search.checker.closed(buffer);
        search.checker.finish();
        assertThat(search.checker.hazards()).isEmpty();
        assertThat(search.checker.unneeded()).isEmpty();
    }
}
