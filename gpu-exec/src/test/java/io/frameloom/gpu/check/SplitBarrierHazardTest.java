package io.frameloom.gpu.check;

import static io.frameloom.gpu.check.Fakes.use;
import static io.frameloom.gpu.command.Access.COPY_DST;
import static io.frameloom.gpu.command.Access.COPY_SRC;
import static io.frameloom.gpu.command.Access.SAMPLED_FRAGMENT;
import static io.frameloom.gpu.command.Access.STORAGE_READ_COMPUTE;
import static io.frameloom.gpu.command.Access.STORAGE_READ_FRAGMENT;
import static io.frameloom.gpu.command.Access.STORAGE_READ_VERTEX;
import static io.frameloom.gpu.command.Access.STORAGE_WRITE_COMPUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Hazard.Kind;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Split barriers: the first scope ends where the event is set, the second begins at the wait, and in between nothing is sure. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SplitBarrierHazardTest {
    private final Script script = new Script(UnneededSync.Search.WHOLE);
    private final Buffer buffer = Fakes.buffer("particles", 1024);
    private final Buffer other = Fakes.buffer("other", 1024);
    private final Texture texture = Fakes.texture("albedo", 1, 1);
    private final BarrierBatch ofBuffer = new BarrierBatch(
            List.of(), List.of(Script.on(buffer, Script.scope(STORAGE_WRITE_COMPUTE, STORAGE_READ_VERTEX))), List.of());
    private final BarrierBatch ofTexture = new BarrierBatch(
            List.of(Script.move(
                    texture, Script.scope(COPY_DST, SAMPLED_FRAGMENT), TextureLayout.GENERAL, TextureLayout.SHADER_RO)),
            List.of(),
            List.of());

    private ResourceUse inGeneral(Access access) {
        return use(texture, SubresourceRange.mip(0), access, TextureLayout.GENERAL);
    }

    private void upload() {
        script.barrier(Script.move(
                        texture, Script.fromNothing(COPY_DST), TextureLayout.UNDEFINED, TextureLayout.GENERAL))
                .pass("upload", inGeneral(COPY_DST));
    }

    private void finds(Kind... kinds) {
        script.checker.finish();
        assertThat(script.checker.hazards()).extracting(Hazard::kind).containsExactly(kinds);
    }

    private void isSilent() {
        finds();
        assertThat(script.checker.unneeded()).isEmpty();
    }

    @Test
    void halvesAroundOtherWorkOrderWhatTheyAreFor() {
        upload();
        script.set(0, ofTexture)
                .pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE))
                .set(1, ofBuffer)
                .pass("fill", use(other, STORAGE_WRITE_COMPUTE))
                .await(0, ofTexture)
                .await(1, ofBuffer)
                .pass("draw", use(texture, SAMPLED_FRAGMENT), use(buffer, STORAGE_READ_VERTEX))
                .submit(script.graphics);
        isSilent();
    }

    @Test
    void theHalvesMayBeInTwoSubmissions() {
        upload();
        script.set(0, ofTexture).submit(script.graphics);
        script.await(0, ofTexture).pass("draw", use(texture, SAMPLED_FRAGMENT)).submit(script.graphics);
        isSilent();
    }

    @Test
    void aReadInBetweenMeetsTheTransition() {
        upload();
        script.barrier(Script.scope(COPY_DST, COPY_SRC))
                .set(0, ofTexture)
                .pass("copy", inGeneral(COPY_SRC))
                .await(0, ofTexture)
                .pass("draw", use(texture, SAMPLED_FRAGMENT))
                .submit(script.graphics);
        finds(Kind.WRITE_AFTER_READ);
        assertThat(script.checker.hazards().get(0).explanation())
                .contains("the split transition of 'albedo' to SHADER_RO rewrites 'albedo'")
                .contains("pass 'copy'");
    }

    @Test
    void aWriteInBetweenMeetsTheTransition() {
        upload();
        script.set(0, ofTexture)
                .barrier(Script.scope(COPY_DST, COPY_DST))
                .pass("again", inGeneral(COPY_DST))
                .await(0, ofTexture)
                .pass("draw", use(texture, SAMPLED_FRAGMENT))
                .submit(script.graphics);
        finds(Kind.WRITE_AFTER_WRITE);
    }

    private void hostWaitsFor(TimelinePoint point) {
        script.checker.hostWaited(point);
    }

    /** The transition may come before the read as well as behind it, whenever the host has learned that it is over. */
    @Test
    void aReadInBetweenThatTheHostHasSeenMeetsTheTransition() {
        upload();
        script.barrier(Script.scope(COPY_DST, COPY_SRC)).set(0, ofTexture).submit(script.graphics);
        hostWaitsFor(script.pass("copy", inGeneral(COPY_SRC)).submit(script.graphics));
        script.await(0, ofTexture).pass("draw", use(texture, SAMPLED_FRAGMENT)).submit(script.graphics);
        finds(Kind.WRITE_AFTER_READ);
    }

    @Test
    void aReadOfAnotherQueueInBetweenThatTheHostHasSeenMeetsTheTransition() {
        upload();
        TimelinePoint set = script.set(0, ofTexture).submit(script.graphics);
        hostWaitsFor(script.waitFor(set).pass("copy", inGeneral(COPY_SRC)).submit(script.compute));
        script.await(0, ofTexture).pass("draw", use(texture, SAMPLED_FRAGMENT)).submit(script.graphics);
        finds(Kind.WRITE_AFTER_READ);
    }

    @Test
    void aWriteInBetweenThatTheHostHasSeenMeetsTheTransition() {
        upload();
        script.set(0, ofTexture).submit(script.graphics);
        hostWaitsFor(script.barrier(Script.scope(COPY_DST, COPY_DST))
                .pass("again", inGeneral(COPY_DST))
                .submit(script.graphics));
        script.await(0, ofTexture).pass("draw", use(texture, SAMPLED_FRAGMENT)).submit(script.graphics);
        finds(Kind.WRITE_AFTER_WRITE);
    }

    /** Memory that an alias is given in between is rewritten by the transition as well. */
    @Test
    void anAliasInBetweenThatTheHostHasSeenMeetsTheTransition() {
        MemoryHeap heap = new Fakes.Heap();
        Texture placed = Fakes.texture("placed", heap, 0, 1024);
        Buffer alias = Fakes.buffer("alias", heap, 0, 1024);
        BarrierBatch split = new BarrierBatch(
                List.of(Script.move(
                        placed,
                        Script.scope(COPY_DST, SAMPLED_FRAGMENT),
                        TextureLayout.UNDEFINED,
                        TextureLayout.SHADER_RO)),
                List.of(),
                List.of());
        script.set(0, split).submit(script.graphics);
        hostWaitsFor(script.pass("simulate", use(alias, STORAGE_WRITE_COMPUTE)).submit(script.graphics));
        script.await(0, split).submit(script.graphics);
        finds(Kind.WRITE_AFTER_WRITE);
    }

    @Test
    void whatTheHostHasSeenBeforeTheFirstHalfIsOver() {
        upload();
        hostWaitsFor(script.barrier(Script.scope(COPY_DST, COPY_SRC))
                .pass("copy", inGeneral(COPY_SRC))
                .submit(script.graphics));
        script.set(0, ofTexture).submit(script.graphics);
        hostWaitsFor(script.pass("fill", use(other, STORAGE_WRITE_COMPUTE)).submit(script.graphics));
        script.await(0, ofTexture).pass("draw", use(texture, SAMPLED_FRAGMENT)).submit(script.graphics);
        finds();
    }

    @Test
    void eventsThatNobodyWaitsForAreForgottenWhenTheyAreTakenBack() {
        upload();
        for (int round = 0; round < 10; round++) {
            script.set(0, ofTexture).set(1, ofBuffer).submit(script.graphics);
            assertThat(script.checker.setEvents()).isEqualTo(2);
            script.takeBack();
            assertThat(script.checker.setEvents()).isZero();
        }
    }

    @Test
    void eventsThatAreWaitedForAreForgotten() {
        upload();
        script.set(0, ofTexture).await(0, ofTexture).submit(script.graphics);
        assertThat(script.checker.setEvents()).isZero();
    }

    /** What was kept for a second half that never comes is forgotten with it. */
    @Test
    void accessesAreForgottenAgainWhenEventsAreTakenBack() {
        script.set(0, ofTexture).submit(script.graphics);
        Buffer closed = Fakes.buffer("closed", 1024);
        TimelinePoint used =
                script.pass("simulate", use(closed, STORAGE_WRITE_COMPUTE)).submit(script.graphics);
        closed.close();
        hostWaitsFor(used);
        int kept = script.checker.trackedResources();
        script.takeBack();
        hostWaitsFor(script.submit(script.graphics));
        assertThat(script.checker.trackedResources()).isEqualTo(kept - 1);
    }

    @Test
    void theNewLayoutComesWithTheSecondHalf() {
        upload();
        script.set(0, ofTexture)
                .pass("early", use(texture, SAMPLED_FRAGMENT))
                .await(0, ofTexture)
                .submit(script.graphics);
        assertThat(script.checker.hazards()).extracting(Hazard::kind).contains(Kind.WRONG_LAYOUT);
    }

    @Test
    void anotherTransitionInBetweenIsNotOrdered() {
        BarrierBatch.Scope late = Script.scope(SAMPLED_FRAGMENT, SAMPLED_FRAGMENT);
        upload();
        script.set(0, ofTexture)
                .barrier(Script.move(texture, late, TextureLayout.GENERAL, TextureLayout.TRANSFER_SRC))
                .barrier(Script.move(texture, late, TextureLayout.TRANSFER_SRC, TextureLayout.GENERAL))
                .await(0, ofTexture)
                .pass("draw", use(texture, SAMPLED_FRAGMENT))
                .submit(script.graphics);
        assertThat(script.checker.hazards()).extracting(Hazard::kind).contains(Kind.WRITE_AFTER_WRITE);
    }

    @Test
    void whatIsWrittenBehindTheFirstHalfIsNotCovered() {
        script.set(0, ofBuffer)
                .pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE))
                .await(0, ofBuffer)
                .pass("draw", use(buffer, STORAGE_READ_VERTEX))
                .submit(script.graphics);
        finds(Kind.READ_AFTER_WRITE);
    }

    @Test
    void whatReadsBeforeTheSecondHalfIsNotHeldBack() {
        script.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE))
                .set(0, ofBuffer)
                .pass("draw", use(buffer, STORAGE_READ_VERTEX))
                .await(0, ofBuffer)
                .submit(script.graphics);
        finds(Kind.READ_AFTER_WRITE);
    }

    @Test
    void withoutTheSecondHalfNothingHappens() {
        upload();
        script.set(0, ofTexture).pass("draw", use(texture, SAMPLED_FRAGMENT)).submit(script.graphics);
        assertThat(script.checker.hazards()).extracting(Hazard::kind).contains(Kind.WRONG_LAYOUT);
    }

    @Test
    void withoutTheFirstHalfNothingIsOrdered() {
        script.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE))
                .await(0, ofBuffer)
                .pass("draw", use(buffer, STORAGE_READ_VERTEX))
                .submit(script.graphics);
        finds(Kind.READ_AFTER_WRITE);
    }

    @Test
    void anEventThatAnotherQueueSetsOrdersNothing() {
        script.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE))
                .set(0, ofBuffer)
                .submit(script.compute);
        script.await(0, ofBuffer).pass("draw", use(buffer, STORAGE_READ_VERTEX)).submit(script.graphics);
        finds(Kind.READ_AFTER_WRITE);
    }

    /** A barrier in between whose source is the destination of the split one finds it not waited for yet. */
    @Test
    void aChainBeginsAtTheSecondHalf() {
        BarrierBatch.Scope on = Script.scope(STORAGE_READ_VERTEX, STORAGE_READ_COMPUTE);
        script.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE))
                .set(0, ofBuffer)
                .barrier(new BarrierBatch.Scope(
                        PipelineStage.VERTEX_SHADER.bit(), 0, PipelineStage.FRAGMENT_SHADER.bit(), on.dstAccess()))
                .await(0, ofBuffer)
                .pass("draw", use(buffer, STORAGE_READ_FRAGMENT))
                .submit(script.graphics);
        finds(Kind.READ_AFTER_WRITE);
    }

    @Test
    void aSplitBarrierThatNothingNeedsIsReported() {
        script.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE))
                .set(0, ofBuffer)
                .barrier(Script.scope(STORAGE_WRITE_COMPUTE, STORAGE_READ_VERTEX))
                .await(0, ofBuffer)
                .pass("draw", use(buffer, STORAGE_READ_VERTEX))
                .submit(script.graphics);
        finds();
        assertThat(script.checker.unneeded())
                .anySatisfy(found -> assertThat(found.what()).contains("the barrier of 'particles'"));
    }
}
