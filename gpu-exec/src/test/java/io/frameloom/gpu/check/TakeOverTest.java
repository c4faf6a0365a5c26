package io.frameloom.gpu.check;

import static io.frameloom.gpu.check.Fakes.use;
import static io.frameloom.gpu.command.Access.COLOR_WRITE;
import static io.frameloom.gpu.command.Access.COPY_DST;
import static io.frameloom.gpu.command.Access.SAMPLED_FRAGMENT;
import static io.frameloom.gpu.command.Access.STORAGE_READ_COMPUTE;
import static io.frameloom.gpu.command.Access.STORAGE_READ_WRITE_COMPUTE;
import static io.frameloom.gpu.command.Access.STORAGE_WRITE_COMPUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Hazard.Kind;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.GlobalBarrier;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A resource takes over memory that another one wrote. A barrier of a buffer or texture limits both of its access scopes
 * to accesses through what it names, so only one of all memory hands the memory over.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TakeOverTest {
    private static final BarrierBatch.Scope COPY_TO_COMPUTE = Script.scope(COPY_DST, STORAGE_WRITE_COMPUTE);
    private static final BarrierBatch.Scope COPY_TO_COLOR = Script.scope(COPY_DST, COLOR_WRITE);

    private final Script script = new Script();
    private final MemoryHeap heap = new Fakes.Heap();
    private final Buffer former = Fakes.buffer("former", heap, 0, 4096);
    private final Buffer next = Fakes.buffer("next", heap, 2048, 4096);
    private final Texture picture = Fakes.texture("picture", heap, 0, 4096);

    private void reported(Kind kind, String resource, String first, String second) {
        assertThat(script.checker.hazards()).singleElement().satisfies(hazard -> {
            assertThat(hazard.kind()).isEqualTo(kind);
            assertThat(hazard.resource()).isEqualTo(resource);
            assertThat(hazard.firstPass()).isEqualTo(first);
            assertThat(hazard.secondPass()).isEqualTo(second);
            assertThat(hazard.explanation()).contains("aliases 'former'").contains("all memory");
        });
    }

    private void silent() {
        assertThat(script.checker.hazards()).isEmpty();
    }

    private static BarrierBatch.TextureBarrier begin(Texture texture, BarrierBatch.Scope scope) {
        return Script.move(texture, scope, TextureLayout.UNDEFINED, TextureLayout.COLOR);
    }

    @Test
    void aBarrierOfTheNewBufferIsNotEnough() {
        script.pass("fill", use(former, COPY_DST))
                .barrier(Script.on(next, COPY_TO_COMPUTE))
                .pass("write", use(next, STORAGE_WRITE_COMPUTE))
                .submit(script.graphics);
        reported(Kind.WRITE_AFTER_WRITE, "next", "fill", "write");
    }

    /** It makes the former write available, and a write needs no more; what reads needs to see it through the new buffer. */
    @Test
    void aBarrierOfTheFormerBufferIsEnoughToWriteAndNotToRead() {
        script.pass("fill", use(former, COPY_DST))
                .barrier(Script.on(former, COPY_TO_COMPUTE))
                .pass("write", use(next, STORAGE_WRITE_COMPUTE))
                .submit(script.graphics);
        silent();
        script.full()
                .pass("fill", use(former, COPY_DST))
                .barrier(Script.on(former, COPY_TO_COMPUTE))
                .pass("add", new ResourceUse.OfBuffer(next, 0, 4096, STORAGE_READ_WRITE_COMPUTE, true))
                .submit(script.graphics);
        reported(Kind.READ_AFTER_WRITE, "next", "fill", "add");
    }

    @Test
    void aBarrierOfAllMemoryHandsABufferOver() {
        script.pass("fill", use(former, COPY_DST))
                .barrier(COPY_TO_COMPUTE)
                .pass("write", use(next, STORAGE_WRITE_COMPUTE))
                .submit(script.graphics);
        silent();
    }

    @Test
    void aWaitHandsABufferOver() {
        script.waitFor(script.pass("fill", use(former, COPY_DST)).submit(script.copy))
                .pass("write", use(next, STORAGE_WRITE_COMPUTE))
                .submit(script.graphics);
        silent();
    }

    /** The former's own barrier makes the write available, the one of the new buffer lets that be seen through it. */
    @Test
    void barriersOfBothOneAfterTheOtherAreEnough() {
        script.pass("fill", use(former, COPY_DST))
                .barrier(Script.on(former, Script.scope(COPY_DST, STORAGE_READ_COMPUTE)))
                .pass("read", use(former, STORAGE_READ_COMPUTE))
                .barrier(Script.on(next, Script.scope(STORAGE_READ_COMPUTE, STORAGE_WRITE_COMPUTE)))
                .pass("write", use(next, STORAGE_WRITE_COMPUTE))
                .submit(script.graphics);
        silent();
    }

    @Test
    void barriersOfBothInOneCommandAreNotEnoughToRead() {
        script.pass("fill", use(former, COPY_DST))
                .barrier(Script.on(former, COPY_TO_COMPUTE), Script.on(next, COPY_TO_COMPUTE))
                .pass("add", new ResourceUse.OfBuffer(next, 0, 4096, STORAGE_READ_WRITE_COMPUTE, true))
                .submit(script.graphics);
        reported(Kind.READ_AFTER_WRITE, "next", "fill", "add");
    }

    @Test
    void theTransitionOfTheNewTextureIsNotEnough() {
        script.pass("fill", use(former, COPY_DST))
                .barrier(begin(picture, COPY_TO_COLOR))
                .pass("draw", use(picture, COLOR_WRITE))
                .submit(script.graphics);
        reported(Kind.WRITE_AFTER_WRITE, "picture", "fill", "draw");
    }

    @Test
    void aTransitionBesideABarrierOfAllMemoryTakesATextureOver() {
        script.pass("fill", use(former, COPY_DST))
                .barrier(new BarrierBatch(
                        List.of(begin(picture, COPY_TO_COLOR)), List.of(), List.of(new GlobalBarrier(COPY_TO_COLOR))))
                .pass("draw", use(picture, COLOR_WRITE))
                .submit(script.graphics);
        silent();
    }

    @Test
    void theTransitionItselfMustWaitForTheFormer() {
        script.pass("fill", use(former, COPY_DST))
                .barrier(new BarrierBatch(
                        List.of(begin(picture, Script.fromNothing(COLOR_WRITE))),
                        List.of(),
                        List.of(new GlobalBarrier(COPY_TO_COLOR))))
                .pass("draw", use(picture, COLOR_WRITE))
                .submit(script.graphics);
        reported(Kind.WRITE_AFTER_WRITE, "picture", "fill", "draw");
    }

    @Test
    void theBarrierOfAllMemoryMustHaveTheWriteOfTheFormer() {
        script.pass("fill", use(former, COPY_DST))
                .barrier(new BarrierBatch(
                        List.of(begin(picture, COPY_TO_COLOR)),
                        List.of(),
                        List.of(new GlobalBarrier(new BarrierBatch.Scope(
                                COPY_TO_COLOR.srcStages(), 0, COPY_TO_COLOR.dstStages(), COPY_TO_COLOR.dstAccess())))))
                .pass("draw", use(picture, COLOR_WRITE))
                .submit(script.graphics);
        reported(Kind.WRITE_AFTER_WRITE, "picture", "fill", "draw");
    }

    @Test
    void aFormerThatIsOnlyReadNeedsTheOrderAlone() {
        script.full()
                .pass("fill", use(former, COPY_DST))
                .full()
                .pass("read", use(former, STORAGE_READ_COMPUTE))
                .barrier(begin(
                        picture,
                        new BarrierBatch.Scope(
                                STORAGE_READ_COMPUTE.stages(), 0, COLOR_WRITE.stages(), COLOR_WRITE.memoryAccess())))
                .pass("draw", use(picture, COLOR_WRITE))
                .barrier(Script.move(
                        picture,
                        Script.scope(COLOR_WRITE, SAMPLED_FRAGMENT),
                        TextureLayout.COLOR,
                        TextureLayout.SHADER_RO))
                .pass("sample", use(picture, SAMPLED_FRAGMENT))
                .submit(script.graphics);
        silent();
    }
}
