package io.frameloom.gpu.check;

import static io.frameloom.gpu.check.Fakes.use;
import static io.frameloom.gpu.command.Access.COPY_DST;
import static io.frameloom.gpu.command.Access.COPY_SRC;
import static io.frameloom.gpu.command.Access.SAMPLED_FRAGMENT;
import static io.frameloom.gpu.command.Access.STORAGE_READ_COMPUTE;
import static io.frameloom.gpu.command.Access.STORAGE_READ_VERTEX;
import static io.frameloom.gpu.command.Access.STORAGE_WRITE_COMPUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.UnneededSync.Kind;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is said of waits and barriers that are not needed, and when; {@link UnneededMutationTest} says whether it is right. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnneededSyncTest {
    private final Script script = new Script(UnneededSync.Search.WHOLE);
    private final Buffer buffer = Fakes.buffer("particles", 1024);
    private final Texture texture = Fakes.texture("albedo", 1, 1);

    private void silent() {
        assertThat(script.checker.hazards()).isEmpty();
        assertThat(script.checker.unneeded()).isEmpty();
    }

    @Test
    void neededBarriersAndWaitsAreNotReported() {
        TimelinePoint written =
                script.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE)).submit(script.compute);
        script.waitFor(written)
                .barrier(Script.move(
                        texture, Script.fromNothing(COPY_DST), TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST))
                .pass("upload", use(texture, COPY_DST))
                .barrier(Script.move(
                        texture,
                        Script.scope(COPY_DST, SAMPLED_FRAGMENT),
                        TextureLayout.TRANSFER_DST,
                        TextureLayout.SHADER_RO))
                .pass("draw", use(buffer, STORAGE_READ_VERTEX), use(texture, SAMPLED_FRAGMENT))
                .submit(script.graphics);
        script.checker.finish();
        silent();
    }

    @Test
    void aRepeatedWaitIsKnownAtOnce() {
        TimelinePoint written =
                script.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE)).submit(script.compute);
        script.waitFor(written).pass("draw", use(buffer, STORAGE_READ_VERTEX)).submit(script.graphics);
        silent();
        script.waitFor(written).pass("again", use(buffer, STORAGE_READ_VERTEX)).submit(script.graphics);
        assertThat(script.checker.unneeded()).singleElement().satisfies(found -> {
            assertThat(found.kind()).isEqualTo(Kind.WAIT);
            assertThat(found.submission()).isEqualTo("s2");
            assertThat(found.what()).isEqualTo("the wait for queue 'compute'");
            assertThat(found.explanation())
                    .contains("'s2'")
                    .contains("queue 'graphics'")
                    .contains("ordered already");
            assertThat(script.checker.occurrences(found)).isEqualTo(1);
        });
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void whatNothingNeedsIsKnownWhenTheHostHasSeenIt() {
        TimelinePoint done = script.pass("read", use(mapped("upload"), COPY_SRC))
                .pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE))
                .barrier(Script.on(buffer, Script.scope(STORAGE_WRITE_COMPUTE, STORAGE_READ_VERTEX)))
                .submit(script.graphics);
        assertThat(script.checker.unneeded()).isEmpty();
        script.checker.hostWaited(done);
        assertThat(script.checker.unneeded()).singleElement().satisfies(found -> {
            assertThat(found.kind()).isEqualTo(Kind.BARRIER);
            assertThat(found.what()).contains("'particles' bytes 0 to 1024").contains("COMPUTE_SHADER");
            assertThat(found.explanation()).contains("no later use needed");
        });
    }

    private static Buffer mapped(String name) {
        return new Fakes.FakeBuffer(
                name,
                io.frameloom.gpu.resource.BufferDescription.upload(64, io.frameloom.gpu.resource.BufferUsage.COPY_SRC),
                null);
    }

    @Test
    void aBarrierNeededMuchLaterIsNotReported() {
        script.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE))
                .barrier(Script.on(buffer, Script.scope(STORAGE_WRITE_COMPUTE, STORAGE_READ_VERTEX)))
                .submit(script.graphics);
        Buffer other = Fakes.buffer("other", 64);
        for (int i = 0; i < 20; i++) {
            script.pass("unrelated " + i, use(other, 0, 1, COPY_DST)).full().submit(script.compute);
        }
        script.pass("draw", use(buffer, STORAGE_READ_VERTEX)).submit(script.graphics);
        script.checker.finish();
        assertThat(script.checker.unneeded()).noneMatch(found -> found.what().contains("particles"));
        assertThat(script.checker.hazards()).isEmpty();
    }

    /** The second wait gives the queue all that the first gave it, but not what was signalled between the two. */
    @Test
    void aWaitThatAnotherQueueHasInheritedIsNeeded() {
        TimelinePoint written =
                script.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE)).submit(script.graphics);
        TimelinePoint between = script.waitFor(written).submit(script.compute);
        script.waitFor(written).submit(script.compute);
        TimelinePoint unrelated = script.pass("unrelated", use(Fakes.buffer("other", 64), COPY_DST))
                .submit(script.copy);
        script.checker.hostWaited(unrelated);
        script.waitFor(between).pass("read", use(buffer, COPY_SRC)).submit(script.copy);
        script.checker.finish();
        assertThat(script.checker.unneeded())
                .extracting(UnneededSync::submission)
                .containsExactly("s2");
        assertThat(script.checker.hazards()).isEmpty();
    }

    /** What the host has seen of a queue, it has seen of all that the queue had waited for. */
    @Test
    void aWaitThatTheHostHasInheritedIsNeeded() {
        TimelinePoint written =
                script.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE)).submit(script.graphics);
        TimelinePoint seen = script.waitFor(written).submit(script.compute);
        script.waitFor(written).submit(script.compute);
        script.checker.hostWaited(seen);
        script.pass("read", use(buffer, COPY_SRC)).submit(script.copy);
        script.checker.finish();
        assertThat(script.checker.unneeded())
                .extracting(UnneededSync::submission)
                .containsExactly("s2");
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void aTransitionIsDecidedByTheNextUse() {
        script.barrier(Script.move(
                        texture, Script.fromNothing(COPY_DST), TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST))
                .pass("upload", use(texture, COPY_DST))
                .barrier(Script.move(
                        texture,
                        Script.scope(COPY_DST, SAMPLED_FRAGMENT),
                        TextureLayout.TRANSFER_DST,
                        TextureLayout.SHADER_RO));
        script.checker.hostWaited(script.submit(script.graphics));
        silent();
        script.barrier(Script.move(
                        texture, Script.fromNothing(COPY_DST), TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST))
                .pass("upload again", use(texture, COPY_DST));
        script.checker.hostWaited(script.submit(script.graphics));
        assertThat(script.checker.unneeded()).singleElement().satisfies(found -> {
            assertThat(found.submission()).isEqualTo("s1");
            assertThat(found.what()).contains("TRANSFER_DST to SHADER_RO");
        });
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void bitsOfNeededBarriersAreNamed() {
        Script parts = new Script(UnneededSync.Search.PARTS);
        BarrierBatch.Scope wide = new BarrierBatch.Scope(
                PipelineStage.COMPUTE_SHADER.bit() | PipelineStage.COPY.bit(),
                MemoryAccess.STORAGE_WRITE.bit(),
                PipelineStage.COMPUTE_SHADER.bit(),
                MemoryAccess.STORAGE_READ.bit() | MemoryAccess.UNIFORM_READ.bit());
        parts.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE))
                .barrier(Script.on(buffer, wide))
                .pass("read", use(buffer, STORAGE_READ_COMPUTE))
                .submit(parts.graphics);
        parts.checker.finish();
        assertThat(parts.checker.unneeded())
                .extracting(UnneededSync::kind)
                .containsExactlyInAnyOrder(Kind.SOURCE_STAGE, Kind.DESTINATION_ACCESS);
        assertThat(parts.checker.unneeded())
                .anySatisfy(
                        found -> assertThat(found.what()).startsWith("source stage COPY of the barrier of 'particles'"))
                .anySatisfy(found -> assertThat(found.what()).startsWith("destination access UNIFORM_READ of"));
    }

    @Test
    void bitsOfUnneededBarriersAreNot() {
        Script parts = new Script(UnneededSync.Search.PARTS);
        parts.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE))
                .barrier(Script.on(buffer, Script.scope(STORAGE_WRITE_COMPUTE, STORAGE_READ_VERTEX)))
                .submit(parts.graphics);
        parts.checker.finish();
        assertThat(parts.checker.unneeded()).extracting(UnneededSync::kind).containsExactly(Kind.BARRIER);
    }

    @Test
    void hazardsThatAreThereAnywayMakeNothingNeeded() {
        script.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE))
                .barrier(Script.on(buffer, Script.scope(STORAGE_WRITE_COMPUTE, COPY_SRC)))
                .pass("race", use(buffer, STORAGE_READ_VERTEX))
                .submit(script.graphics);
        script.checker.finish();
        assertThat(script.checker.hazards()).hasSize(1);
        assertThat(script.checker.unneeded()).extracting(UnneededSync::kind).containsExactly(Kind.BARRIER);
    }
}
