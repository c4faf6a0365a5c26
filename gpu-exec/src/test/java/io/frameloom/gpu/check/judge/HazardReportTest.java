package io.frameloom.gpu.check.judge;

import static io.frameloom.gpu.check.Fakes.use;
import static io.frameloom.gpu.command.Access.COPY_DST;
import static io.frameloom.gpu.command.Access.STORAGE_READ_COMPUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Fakes;
import io.frameloom.gpu.check.Script;
import io.frameloom.gpu.check.UnneededSync;
import io.frameloom.gpu.resource.Buffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is one finding, and what is another. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HazardReportTest {
    private final Script script = new Script();

    private void race(Buffer buffer) {
        script.pass("write", use(buffer, COPY_DST))
                .pass("read", use(buffer, STORAGE_READ_COMPUTE))
                .submit(script.graphics);
    }

    @Test
    void twoBuffersOfOneNameAreTwoFindings() {
        race(Fakes.buffer("same", 64));
        race(Fakes.buffer("same", 64));
        assertThat(script.checker.hazards()).hasSize(2).allSatisfy(hazard -> {
            assertThat(hazard.resource()).isEqualTo("same");
            assertThat(script.checker.occurrences(hazard)).isEqualTo(1);
        });
        assertThat(script.checker.total()).isEqualTo(2);
    }

    @Test
    void oneBufferAgainIsTheSameFinding() {
        Buffer buffer = Fakes.buffer("same", 64);
        race(buffer);
        script.full();
        race(buffer);
        assertThat(script.checker.hazards())
                .singleElement()
                .satisfies(
                        hazard -> assertThat(script.checker.occurrences(hazard)).isEqualTo(2));
        assertThat(script.checker.total()).isEqualTo(2);
    }

    /** A wait without which another buffer of the same name is raced on is needed. */
    @Test
    void aRaceOnOneBufferDoesNotExcuseAnotherOfItsName() {
        Script search = new Script(UnneededSync.Search.WHOLE);
        Buffer first = Fakes.buffer("same", 64);
        Buffer second = Fakes.buffer("same", 64);
        search.pass("write", use(first, COPY_DST), use(second, COPY_DST))
                .barrier(Script.on(first, Script.scope(COPY_DST, STORAGE_READ_COMPUTE)))
                .pass("read", use(first, STORAGE_READ_COMPUTE), use(second, STORAGE_READ_COMPUTE))
                .submit(search.graphics);
        search.checker.finish();
        assertThat(search.checker.hazards()).hasSize(1);
        assertThat(search.checker.unneeded()).isEmpty();
    }
}
