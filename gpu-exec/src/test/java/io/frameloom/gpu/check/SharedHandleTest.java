package io.frameloom.gpu.check;

import static io.frameloom.gpu.check.Fakes.use;
import static io.frameloom.gpu.command.Access.COPY_DST;
import static io.frameloom.gpu.command.Access.COPY_SRC;
import static io.frameloom.gpu.command.Access.STORAGE_READ_COMPUTE;
import static io.frameloom.gpu.command.Access.STORAGE_WRITE_COMPUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Hazard.Kind;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Resources that were imported from one object are that object. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedHandleTest {
    private final Script script = new Script();
    private final Buffer own = Fakes.buffer("own", 1024, 5, false);
    private final Buffer first = Fakes.buffer("first", 1024, 5, true);
    private final Buffer second = Fakes.buffer("second", 1024, 5, true);

    private void silent() {
        assertThat(script.checker.hazards()).isEmpty();
    }

    private void reported(Kind kind, String resource, String firstPass, String secondPass) {
        assertThat(script.checker.hazards()).singleElement().satisfies(hazard -> {
            assertThat(hazard.kind()).isEqualTo(kind);
            assertThat(hazard.resource()).isEqualTo(resource);
            assertThat(hazard.firstPass()).isEqualTo(firstPass);
            assertThat(hazard.secondPass()).isEqualTo(secondPass);
        });
    }

    @Test
    void twoImportsAreOneBuffer() {
        script.pass("write", use(first, COPY_DST))
                .pass("overwrite", use(second, COPY_DST))
                .submit(script.graphics);
        reported(Kind.WRITE_AFTER_WRITE, "second", "write", "overwrite");
    }

    @Test
    void anImportAndTheBufferItselfAreOne() {
        script.pass("write", use(own, COPY_DST))
                .pass("read", use(second, COPY_SRC))
                .submit(script.graphics);
        reported(Kind.READ_AFTER_WRITE, "second", "write", "read");
    }

    @Test
    void aBarrierOfEitherReachesBoth() {
        script.pass("write", use(first, COPY_DST))
                .barrier(Script.on(second, Script.scope(COPY_DST, COPY_SRC)))
                .pass("read", use(own, COPY_SRC))
                .submit(script.graphics);
        silent();
    }

    @Test
    void contentsAndLayoutsAreShared() {
        Texture left = Fakes.imported("left", 5, TextureLayout.UNDEFINED);
        Texture right = Fakes.imported("right", 5, TextureLayout.UNDEFINED);
        script.barrier(Script.move(
                        left,
                        Script.fromNothing(STORAGE_WRITE_COMPUTE),
                        TextureLayout.UNDEFINED,
                        TextureLayout.GENERAL))
                .pass("store", use(left, STORAGE_WRITE_COMPUTE))
                .barrier(Script.move(
                        right,
                        Script.scope(STORAGE_WRITE_COMPUTE, STORAGE_READ_COMPUTE),
                        TextureLayout.GENERAL,
                        TextureLayout.GENERAL))
                .pass("load", use(right, STORAGE_READ_COMPUTE))
                .submit(script.graphics);
        silent();
    }

    @Test
    void aBufferAndATextureOfOneHandleAreTwo() {
        Texture texture = Fakes.imported("texture", 5, TextureLayout.GENERAL);
        script.pass("write", use(first, COPY_DST))
                .pass("load", use(texture, STORAGE_READ_COMPUTE))
                .submit(script.graphics);
        silent();
    }

    @Test
    void nothingIsSharedWithoutAHandle() {
        script.pass("write", use(Fakes.buffer("one", 64), COPY_DST))
                .pass("write", use(Fakes.buffer("other", 64), COPY_DST))
                .submit(script.graphics);
        silent();
    }

    @Test
    void anImportThatIsLargerThanTheFirstHasItsEnd() {
        Buffer small = Fakes.buffer("small", 256, 5, true);
        script.pass("write", use(small, COPY_DST))
                .pass("behind", use(second, 512, 512, COPY_DST))
                .submit(script.graphics);
        silent();
        script.pass("again", use(first, 512, 512, COPY_DST)).submit(script.graphics);
        reported(Kind.WRITE_AFTER_WRITE, "first", "behind", "again");
    }

    /** A driver gives the handle of what was destroyed to something else. */
    @Test
    void aHandleThatIsGivenAgainIsAnotherBuffer() {
        script.pass("write", use(own, COPY_DST)).submit(script.graphics);
        own.close();
        Buffer next = Fakes.buffer("next", 64, 5, false);
        script.pass("fresh", use(next, COPY_DST)).submit(script.graphics);
        silent();
    }

    @Test
    void anImportMayBeClosedWhileAnotherOneIsInUse() {
        script.pass("write", use(first, COPY_DST)).submit(script.graphics);
        TimelinePoint later = script.full().pass("more", use(second, COPY_DST)).submit(script.graphics);
        first.close();
        for (int i = 0; i < 3; i++) {
            script.checker.hostWaited(script.submit(script.copy));
        }
        script.checker.hostWaited(later);
        script.full().pass("again", use(second, COPY_SRC)).submit(script.graphics);
        silent();
        second.close();
        for (int i = 0; i < 3; i++) {
            script.checker.hostWaited(script.submit(script.copy));
        }
        reported(Kind.USE_AFTER_FREE, "first", "again", "");
    }

    @Test
    void theBufferItselfIsKeptUntilTheUsesOfItsImportsAreOver() {
        script.pass("write", use(first, COPY_DST)).submit(script.graphics);
        script.full().pass("read", use(own, COPY_SRC)).submit(script.graphics);
        own.close();
        for (int i = 0; i < 3; i++) {
            script.checker.hostWaited(script.submit(script.copy));
        }
        silent();
    }

    @Test
    void whatIsClosedAndDoneIsForgotten() {
        TimelinePoint done = script.pass("write", use(first, COPY_DST))
                .full()
                .pass("read", use(second, COPY_SRC))
                .submit(script.graphics);
        assertThat(script.checker.trackedResources()).isEqualTo(1);
        first.close();
        script.checker.hostWaited(done);
        assertThat(script.checker.trackedResources()).isEqualTo(1);
        second.close();
        script.checker.hostWaited(script.submit(script.graphics));
        assertThat(script.checker.trackedResources()).isZero();
    }

    @Test
    void theSearchForWhatIsNotNeededKnowsOfBoth() {
        Script search = new Script(UnneededSync.Search.WHOLE);
        search.pass("write", use(first, COPY_DST))
                .barrier(Script.on(second, Script.scope(COPY_DST, COPY_SRC)))
                .pass("read", use(own, COPY_SRC))
                .barrier(Script.on(first, Script.scope(COPY_DST, COPY_SRC)))
                .submit(search.graphics);
        search.checker.finish();
        assertThat(search.checker.hazards()).isEmpty();
        assertThat(search.checker.unneeded())
                .singleElement()
                .satisfies(found -> assertThat(found.what()).contains("'first'"));
    }
}
