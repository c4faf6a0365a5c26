package io.frameloom.gpu.check;

import static io.frameloom.gpu.check.Fakes.use;
import static io.frameloom.gpu.command.Access.COLOR_WRITE;
import static io.frameloom.gpu.command.Access.COPY_SRC;
import static io.frameloom.gpu.command.Access.SAMPLED_COMPUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Hazard.Kind;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Correct presentation is silent; without any one part of it, the checker says which. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PresentationTest {
    private static final int TARGETS = PipelineStage.COLOR_OUTPUT.bit();

    private final Script script = new Script();
    private final Fakes.Image image = Fakes.swapchainImage("back", 0);

    private List<Hazard> hazards() {
        return script.checker.hazards();
    }

    private void only(Kind kind, String... words) {
        assertThat(hazards()).singleElement().satisfies(hazard -> {
            assertThat(hazard.kind()).isEqualTo(kind);
            assertThat(hazard.resource()).isEqualTo("back");
            assertThat(hazard.explanation()).contains(words);
        });
    }

    private Script toTarget(int sourceStages) {
        return script.barrier(Script.move(
                image.texture(),
                new BarrierBatch.Scope(sourceStages, 0, COLOR_WRITE.stages(), COLOR_WRITE.memoryAccess()),
                TextureLayout.UNDEFINED,
                TextureLayout.COLOR));
    }

    private Script draw() {
        return script.pass("draw", use(image.texture(), COLOR_WRITE));
    }

    private Script toPresent() {
        return script.barrier(Script.move(
                image.texture(), Script.scope(COLOR_WRITE, COLOR_WRITE), TextureLayout.COLOR, TextureLayout.PRESENT));
    }

    private void frame() {
        script.acquire(image, TARGETS);
        toTarget(TARGETS);
        draw();
        toPresent();
        script.present(image).submit(script.graphics);
    }

    @Test
    void framesAreSilent() {
        for (int i = 0; i < 4; i++) {
            frame();
        }
        assertThat(hazards()).isEmpty();
    }

    @Test
    void framesOnTwoQueuesAreSilent() {
        for (int i = 0; i < 3; i++) {
            script.acquire(image, TARGETS);
            toTarget(TARGETS);
            draw();
            TimelinePoint drawn = toPresent().submit(script.graphics);
            script.waitFor(drawn).present(image).submit(script.compute);
        }
        assertThat(hazards()).isEmpty();
    }

    @Test
    void useBeforeTheAcquisition() {
        toTarget(TARGETS);
        draw();
        script.submit(script.graphics);
        assertThat(hazards()).allSatisfy(hazard -> assertThat(hazard.kind()).isEqualTo(Kind.NOT_ACQUIRED));
        assertThat(hazards()).anySatisfy(hazard -> {
            assertThat(hazard.secondPass()).isEqualTo("draw");
            assertThat(hazard.explanation()).contains("'back'", "acquire");
        });
    }

    @Test
    void useAfterTheImageWasHandedOver() {
        frame();
        script.pass("late", use(image.texture(), COPY_SRC)).submit(script.graphics);
        assertThat(hazards()).anySatisfy(hazard -> {
            assertThat(hazard.kind()).isEqualTo(Kind.NOT_ACQUIRED);
            assertThat(hazard.secondPass()).isEqualTo("late");
        });
    }

    @Test
    void transitionAfterTheImageWasHandedOver() {
        frame();
        toTarget(TARGETS).submit(script.graphics);
        assertThat(hazards()).anySatisfy(hazard -> assertThat(hazard.kind()).isEqualTo(Kind.NOT_ACQUIRED));
    }

    @Test
    void handedOverInTheWrongLayout() {
        script.acquire(image, TARGETS);
        toTarget(TARGETS);
        draw();
        script.present(image).submit(script.graphics);
        only(Kind.WRONG_LAYOUT, "COLOR", "PRESENT");
    }

    @Test
    void handedOverWithoutAnAcquisition() {
        frame();
        script.present(image).submit(script.graphics);
        only(Kind.NOT_ACQUIRED, "hands 'back' to presentation");
    }

    @Test
    void handedOverByAQueueThatHasNotWaitedForTheRendering() {
        script.acquire(image, TARGETS);
        toTarget(TARGETS);
        draw();
        toPresent().submit(script.graphics);
        script.present(image).submit(script.compute);
        only(Kind.READ_AFTER_WRITE, "without waiting");
    }

    @Test
    void handedOverWhileAnotherQueueReads() {
        script.acquire(image, TARGETS);
        toTarget(TARGETS);
        draw();
        script.barrier(Script.move(
                image.texture(),
                new BarrierBatch.Scope(
                        TARGETS,
                        MemoryAccess.writesOf(COLOR_WRITE.memoryAccess()),
                        PipelineStage.ALL_COMMANDS.bit(),
                        0),
                TextureLayout.COLOR,
                TextureLayout.PRESENT));
        TimelinePoint drawn = script.submit(script.graphics);
        script.waitFor(drawn)
                .pass(
                        "peek",
                        use(
                                image.texture(),
                                SubresourceRange.all(image.texture().description()),
                                SAMPLED_COMPUTE,
                                TextureLayout.PRESENT))
                .submit(script.compute);
        script.present(image).submit(script.graphics);
        assertThat(hazards()).anySatisfy(hazard -> {
            assertThat(hazard.kind()).isEqualTo(Kind.WRITE_AFTER_READ);
            assertThat(hazard.firstPass()).isEqualTo("peek");
        });
    }

    /** The engine may still read while stages that do not wait run. */
    @Test
    void transitionThatDoesNotComeAfterTheWait() {
        script.acquire(image, TARGETS);
        toTarget(PipelineStage.COPY.bit());
        draw();
        toPresent();
        script.present(image).submit(script.graphics);
        assertThat(hazards())
                .isNotEmpty()
                .allSatisfy(hazard -> assertThat(hazard.explanation()).contains("the presentation engine"));
    }

    @Test
    void whatWasInTheImageIsUndefined() {
        frame();
        script.acquire(image, PipelineStage.ALL_COMMANDS.bit());
        script.barrier(Script.move(
                        image.texture(),
                        new BarrierBatch.Scope(
                                PipelineStage.ALL_COMMANDS.bit(), 0, COPY_SRC.stages(), COPY_SRC.memoryAccess()),
                        TextureLayout.PRESENT,
                        COPY_SRC.layout()))
                .pass("read", use(image.texture(), COPY_SRC))
                .submit(script.graphics);
        only(Kind.UNDEFINED_CONTENTS, "read");
    }

    /** Whether a barrier is needed is judged with the image in the hands of the work, as it is. */
    @Test
    void aSecondBarrierIsNotNeeded() {
        Script searching = new Script(UnneededSync.Search.WHOLE);
        searching.acquire(image, PipelineStage.ALL_COMMANDS.bit()).submit(searching.graphics);
        searching
                .full()
                .full()
                .barrier(Script.move(
                        image.texture(),
                        Script.scope(COLOR_WRITE, COLOR_WRITE),
                        TextureLayout.UNDEFINED,
                        TextureLayout.COLOR))
                .pass("draw", use(image.texture(), COLOR_WRITE))
                .submit(searching.graphics);
        assertThat(searching.checker.hazards()).isEmpty();
        assertThat(searching.checker.unneeded())
                .anySatisfy(found -> assertThat(found.kind()).isEqualTo(UnneededSync.Kind.BARRIER));
    }

    @Test
    void waitsAndBarriersOfPresentationAreNeeded() {
        Script searching = new Script(UnneededSync.Search.PARTS);
        for (int i = 0; i < 3; i++) {
            searching
                    .acquire(image, TARGETS)
                    .barrier(Script.move(
                            image.texture(),
                            new BarrierBatch.Scope(TARGETS, 0, COLOR_WRITE.stages(), COLOR_WRITE.memoryAccess()),
                            TextureLayout.UNDEFINED,
                            TextureLayout.COLOR))
                    .pass("draw", use(image.texture(), COLOR_WRITE));
            TimelinePoint drawn = searching
                    .barrier(Script.move(
                            image.texture(),
                            new BarrierBatch.Scope(
                                    TARGETS,
                                    MemoryAccess.writesOf(COLOR_WRITE.memoryAccess()),
                                    PipelineStage.ALL_COMMANDS.bit(),
                                    0),
                            TextureLayout.COLOR,
                            TextureLayout.PRESENT))
                    .submit(searching.graphics);
            searching.waitFor(drawn).present(image).submit(searching.compute);
        }
        assertThat(searching.checker.hazards()).isEmpty();
        assertThat(searching.checker.unneeded())
                .noneSatisfy(found -> assertThat(found.kind()).isIn(UnneededSync.Kind.BARRIER, UnneededSync.Kind.WAIT));
    }
}
