package io.frameloom.gpu.check;

import static io.frameloom.gpu.check.Fakes.use;
import static io.frameloom.gpu.command.Access.COPY_DST;
import static io.frameloom.gpu.command.Access.COPY_SRC;
import static io.frameloom.gpu.command.Access.HOST_READ;
import static io.frameloom.gpu.command.Access.HOST_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.check.Hazard.Kind;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.HostAccess;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the host does between two moments: what it must have waited for, and what must wait for it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostPassHazardTest {
    private static final int HOST = PipelineStage.HOST.bit();

    private final Script script = new Script(UnneededSync.Search.WHOLE);
    private final Buffer mapped = Fakes.mapped("mapped", 64);

    private HostAccess begin(ResourceUse... uses) {
        HostAccess access = new HostAccess("host", List.of(uses));
        script.checker.hostBegan(access);
        return access;
    }

    private void run(ResourceUse... uses) {
        script.checker.hostEnded(begin(uses));
    }

    /** A write that keeps what it does not replace. */
    private ResourceUse into() {
        return Fakes.use(mapped, HOST_WRITE, false);
    }

    private TimelinePoint written() {
        return written(Script.on(mapped, Script.scope(COPY_DST, HOST_READ)));
    }

    private TimelinePoint written(BarrierBatch.BufferBarrier shown) {
        return script.pass("write", use(mapped, COPY_DST)).barrier(shown).submit(script.graphics);
    }

    private TimelinePoint written(BarrierBatch.Scope shown) {
        return script.pass("write", use(mapped, COPY_DST)).barrier(shown).submit(script.graphics);
    }

    private void found(Kind kind, String first, String second, String why) {
        assertThat(script.checker.hazards()).singleElement().satisfies(hazard -> {
            assertThat(hazard.kind()).isEqualTo(kind);
            assertThat(hazard.resource()).isEqualTo("mapped");
            assertThat(hazard.firstPass()).isEqualTo(first);
            assertThat(hazard.secondPass()).isEqualTo(second);
            assertThat(hazard.explanation()).contains(why);
        });
    }

    @Test
    void whatWasWaitedForAndShownIsRight() {
        script.checker.hostWaited(written());
        run(use(mapped, HOST_READ));
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void aReadWithoutAWaitIsFound() {
        written();
        run(use(mapped, HOST_READ));
        found(Kind.READ_AFTER_WRITE, "write", "host", "the host has not waited for that");
    }

    @Test
    void aReadOfWhatNoBarrierShowsIsFound() {
        script.checker.hostWaited(script.pass("write", use(mapped, COPY_DST)).submit(script.graphics));
        run(use(mapped, HOST_READ));
        found(Kind.READ_AFTER_WRITE, "write", "host", "which no barrier makes visible to the host");
    }

    @Test
    void aWriteOverWhatIsStillWrittenIsFound() {
        written();
        run(use(mapped, HOST_WRITE));
        found(Kind.WRITE_AFTER_WRITE, "write", "host", "the host has not waited for that");
    }

    @Test
    void aWriteOverWhatIsStillReadIsFound() {
        script.pass("read", use(mapped, COPY_SRC)).submit(script.graphics);
        run(use(mapped, HOST_WRITE));
        found(Kind.WRITE_AFTER_READ, "read", "host", "may still read it");
    }

    /** The bytes beside those that are written stay as the host sees them, and it does not see what nobody has shown it. */
    @Test
    void aWriteIntoWhatNoBarrierShowsIsFound() {
        script.checker.hostWaited(script.pass("write", use(mapped, COPY_DST)).submit(script.graphics));
        run(into());
        found(Kind.WRITE_AFTER_WRITE, "write", "host", "which no barrier makes visible to the host");
    }

    @Test
    void aWriteIntoWhatAPassNamesAsHostsAndNoBarrierShowsIsFound() {
        script.checker.hostWaited(script.pass("write", use(mapped, COPY_DST)).submit(script.graphics));
        script.pass("later", into()).submit(script.graphics);
        found(Kind.WRITE_AFTER_WRITE, "write", "later", "which no barrier makes visible to the host");
    }

    private void overwrittenBy(String second) {
        found(Kind.WRITE_AFTER_WRITE, "write", second, "which no barrier makes available to the host");
    }

    /** The write of the device may land behind that of the host, whatever the host has waited for. */
    @Test
    void aWriteOverWhatNoBarrierMakesAvailableIsFoundAndEndsIt() {
        script.checker.hostWaited(script.pass("write", use(mapped, COPY_DST)).submit(script.graphics));
        run(use(mapped, HOST_WRITE));
        overwrittenBy("host");
        assertThat(script.checker.hazards().get(0).explanation()).endsWith("from COPY to HOST / HOST_WRITE");
        run(use(mapped, HOST_WRITE));
        run(use(mapped, HOST_READ));
        assertThat(script.checker.total()).isEqualTo(1);
    }

    @Test
    void aWriteOverWhatIsAvailableOrShownIsRight() {
        for (Access toHost : List.of(HOST_WRITE, HOST_READ)) {
            script.checker.hostWaited(written(Script.on(mapped, Script.scope(COPY_DST, toHost))));
            run(use(mapped, HOST_WRITE));
            script.checker.hostWaited(written(Script.scope(COPY_DST, toHost)));
            run(use(mapped, HOST_WRITE));
        }
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void aBarrierBehindTheWaitingMakesAvailableOnceItIsWaitedFor() {
        script.checker.hostWaited(script.pass("write", use(mapped, COPY_DST)).submit(script.copy));
        TimelinePoint behind = script.barrier(new BarrierBatch.Scope(0, 0, HOST, MemoryAccess.HOST_WRITE.bit()))
                .submit(script.compute);
        script.checker.hostWaited(behind);
        run(use(mapped, HOST_WRITE));
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void aBarrierThatTheHostHasNotWaitedForMakesNothingAvailable() {
        TimelinePoint written = script.pass("write", use(mapped, COPY_DST)).submit(script.copy);
        script.barrier(Script.scope(COPY_DST, HOST_WRITE)).submit(script.copy);
        script.checker.hostWaited(written);
        run(use(mapped, HOST_WRITE));
        overwrittenBy("host");
    }

    @Test
    void aBarrierOfOtherMemoryMakesNothingAvailable() {
        Buffer other = Fakes.mapped("other", 64);
        script.checker.hostWaited(written(Script.on(other, Script.scope(COPY_DST, HOST_WRITE))));
        run(use(mapped, HOST_WRITE));
        overwrittenBy("host");
    }

    /** A barrier to the host's writing alone lets it see nothing. */
    @Test
    void whatIsAvailableIsNotVisible() {
        script.checker.hostWaited(written(Script.on(mapped, Script.scope(COPY_DST, HOST_WRITE))));
        run(into());
        found(Kind.WRITE_AFTER_WRITE, "write", "host", "which no barrier makes visible to the host");
        script.checker.hostWaited(written(Script.scope(COPY_DST, HOST_WRITE)));
        run(use(mapped, HOST_READ));
        assertThat(script.checker.total()).isEqualTo(2);
    }

    @Test
    void aWriteThatAPassNamesAsHostsOverWhatNoBarrierMakesAvailableIsFound() {
        script.checker.hostWaited(script.pass("write", use(mapped, COPY_DST)).submit(script.graphics));
        script.pass("later", use(mapped, HOST_WRITE)).submit(script.graphics);
        overwrittenBy("later");
    }

    /** The host has written before the submission, so what comes first in that is too late. */
    @Test
    void aBarrierBeforeThePassThatNamesItAsHostsIsTooLate() {
        script.checker.hostWaited(script.pass("write", use(mapped, COPY_DST)).submit(script.graphics));
        script.barrier(Script.on(mapped, Script.scope(COPY_DST, HOST_WRITE)))
                .pass("later", use(mapped, HOST_WRITE))
                .submit(script.graphics);
        overwrittenBy("later");
        script.checker.hostWaited(written(Script.scope(COPY_DST, HOST_WRITE)));
        script.pass("latest", use(mapped, HOST_WRITE)).submit(script.graphics);
        assertThat(script.checker.total()).isEqualTo(1);
    }

    @Test
    void aBarrierThatMakesAvailableIsNeededByTheHostThatWritesOver() {
        script.checker.hostWaited(written(Script.on(mapped, Script.scope(COPY_DST, HOST_WRITE))));
        run(use(mapped, HOST_WRITE));
        script.checker.hostWaited(written(Script.scope(COPY_DST, HOST_WRITE)));
        run(use(mapped, HOST_WRITE));
        script.checker.finish();
        assertThat(script.checker.hazards()).isEmpty();
        assertThat(script.checker.unneeded()).isEmpty();
    }

    @Test
    void aWriteIntoWhatIsShownIsRight() {
        script.checker.hostWaited(written());
        run(into());
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void partsThatNobodyTouchesAreTheHosts() {
        script.pass("write", use(mapped, 0, 32, COPY_DST)).submit(script.graphics);
        run(use(mapped, 32, 32, HOST_READ), use(mapped, 32, 32, HOST_WRITE));
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void whatIsSubmittedWhileTheHostWritesIsFound() {
        begin(use(mapped, HOST_WRITE));
        script.pass("early", use(mapped, COPY_SRC)).submit(script.graphics);
        found(Kind.READ_AFTER_WRITE, "host", "early", "while pass 'host' on the host is at it");
    }

    @Test
    void whatIsWrittenWhileTheHostReadsIsFound() {
        begin(use(mapped, HOST_READ));
        script.pass("early", use(mapped, COPY_DST)).submit(script.graphics);
        found(Kind.WRITE_AFTER_READ, "host", "early", "submit it when the host is through");
    }

    @Test
    void twoThreadsOfTheHostAreJudgedAgainstEachOther() {
        begin(use(mapped, HOST_WRITE));
        script.checker.hostBegan(new HostAccess("other", List.of(use(mapped, HOST_WRITE))));
        found(Kind.WRITE_AFTER_WRITE, "host", "other", "while pass 'host' on the host is at it");
    }

    @Test
    void whatIsReadMeanwhileOrTouchedAfterwardsIsRight() {
        HostAccess reading = begin(use(mapped, HOST_READ));
        TimelinePoint read = script.pass("read too", use(mapped, COPY_SRC)).submit(script.graphics);
        script.checker.hostEnded(reading);
        script.checker.hostWaited(read);
        run(use(mapped, HOST_WRITE));
        script.pass("after", use(mapped, COPY_SRC)).submit(script.compute);
        assertThat(script.checker.hazards()).isEmpty();
    }

    /** The host learns of the first queue by the second one, whose wait is not needed for anything else. */
    @Test
    void aWaitThatOnlyTheHostNeedsIsNeeded() {
        TimelinePoint first = written();
        TimelinePoint behind = script.waitFor(first)
                .pass("aside", use(Fakes.buffer("aside", 4), COPY_DST))
                .submit(script.compute);
        script.checker.hostWaited(behind);
        run(use(mapped, HOST_READ));
        script.checker.finish();
        assertThat(script.checker.hazards()).isEmpty();
        assertThat(script.checker.unneeded()).isEmpty();
    }

    @Test
    void onlyMappedBuffersAreUsed() {
        assertThatThrownBy(() -> new HostAccess("host", List.of(use(Fakes.buffer("hidden", 4), HOST_READ))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'hidden'");
        assertThatThrownBy(() -> new HostAccess("host", List.of(use(mapped, COPY_SRC))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("COPY_SRC");
    }
}
