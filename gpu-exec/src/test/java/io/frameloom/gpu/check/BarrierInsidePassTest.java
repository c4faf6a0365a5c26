package io.frameloom.gpu.check;

import static io.frameloom.gpu.check.Fakes.use;
import static io.frameloom.gpu.command.Access.COPY_DST;
import static io.frameloom.gpu.command.Access.COPY_SRC;
import static io.frameloom.gpu.command.Access.SAMPLED_FRAGMENT;
import static io.frameloom.gpu.command.Access.STORAGE_READ_COMPUTE;
import static io.frameloom.gpu.command.Access.STORAGE_READ_WRITE_COMPUTE;
import static io.frameloom.gpu.command.Access.STORAGE_WRITE_COMPUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Hazard.Kind;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.record.CommandLog;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A barrier inside of a pass orders what the pass does itself, and nothing that it has in common with others. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BarrierInsidePassTest {
    private static final BarrierBatch FULL =
            new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL));

    private final Script script = new Script();
    private final Buffer buffer = Fakes.buffer("particles", 1024);
    private final Buffer scratch = Fakes.buffer("scratch", 1024);
    private final Texture texture = Fakes.texture("albedo", 1, 1);

    private void reported(Kind kind, String first, String second) {
        assertThat(script.checker.hazards()).singleElement().satisfies(hazard -> {
            assertThat(hazard.kind()).isEqualTo(kind);
            assertThat(hazard.firstPass()).isEqualTo(first);
            assertThat(hazard.secondPass()).isEqualTo(second);
        });
    }

    private void silent() {
        assertThat(script.checker.hazards()).isEmpty();
    }

    /** As a backend does it: the command log is told of the barrier while the pass is open. */
    private static void recorded(HazardChecker checker, boolean barrierBehind, ResourceUse first, ResourceUse second) {
        CommandLog log = new CommandLog("list");
        log.beginPass("first", List.of(first));
        log.barrier(FULL);
        log.endPass();
        if (barrierBehind) {
            log.barrier(FULL);
        }
        log.beginPass("second", List.of(second));
        log.endPass();
        checker.submitted(CommandLog.record(
                new Fakes.Queue("graphics", 0), new Submission("frame", List.of(), List.of()), 1, List.of(log)));
    }

    @Test
    void itDoesNotOrderTheNextPassBehindThisOne() {
        recorded(script.checker, false, use(buffer, COPY_DST), use(buffer, COPY_DST));
        reported(Kind.WRITE_AFTER_WRITE, "first", "second");
    }

    @Test
    void theNextPassMayReadOnlyBehindABarrierOfItsOwn() {
        recorded(script.checker, false, use(buffer, COPY_DST), use(buffer, COPY_SRC));
        reported(Kind.READ_AFTER_WRITE, "first", "second");
    }

    @Test
    void aBarrierBehindThePassOrdersTheNextOne() {
        recorded(script.checker, true, use(buffer, COPY_DST), use(buffer, COPY_SRC));
        silent();
        assertThat(script.checker.passesChecked()).isEqualTo(2);
    }

    @Test
    void readsOfThePassGoOnBehindIt() {
        script.pass("write", use(buffer, COPY_DST))
                .full()
                .pass("read", use(buffer, COPY_SRC))
                .full()
                .rest("read", use(buffer, COPY_SRC))
                .pass("overwrite", use(buffer, COPY_DST))
                .submit(script.graphics);
        reported(Kind.WRITE_AFTER_READ, "read", "overwrite");
    }

    /** The pass may use what it declares before the barrier as well as behind it. */
    @Test
    void itDoesNotOrderThisPassBehindTheLastOne() {
        script.pass("write", use(buffer, COPY_DST))
                .pass("read", use(buffer, COPY_SRC))
                .full()
                .rest("read", use(buffer, COPY_SRC))
                .submit(script.graphics);
        reported(Kind.READ_AFTER_WRITE, "write", "read");
    }

    /** Which uses of the pass meet each other across the barrier nobody says. */
    @Test
    void theUsesOfThePassAreNotJudgedAgainstEachOther() {
        ResourceUse[] uses = {use(buffer, COPY_DST), use(scratch, STORAGE_WRITE_COMPUTE)};
        script.pass("work", uses)
                .barrier(Script.scope(COPY_DST, STORAGE_READ_COMPUTE))
                .rest("work", uses)
                .barrier(Script.scope(STORAGE_WRITE_COMPUTE, COPY_SRC))
                .rest("work", uses)
                .full()
                .pass("read", use(buffer, COPY_SRC), use(scratch, COPY_SRC))
                .submit(script.graphics);
        silent();
        assertThat(script.checker.passesChecked()).isEqualTo(2);
    }

    @Test
    void anotherPassOfTheSameNameIsAnotherPass() {
        script.pass("work", use(buffer, COPY_DST))
                .full()
                .rest("work", use(buffer, COPY_DST))
                .pass("work", use(buffer, COPY_DST))
                .submit(script.graphics);
        reported(Kind.WRITE_AFTER_WRITE, "work", "work");
    }

    private static BarrierBatch.TextureBarrier toGeneral(Texture texture) {
        return Script.move(
                texture, Script.fromNothing(STORAGE_WRITE_COMPUTE), TextureLayout.UNDEFINED, TextureLayout.GENERAL);
    }

    @Test
    void aTransitionInsideOfThePassIsBehindItsUsesAndBeforeThem() {
        Access store = STORAGE_WRITE_COMPUTE;
        script.barrier(toGeneral(texture))
                .pass("store", use(texture, store))
                .barrier(Script.move(
                        texture, Script.scope(store, SAMPLED_FRAGMENT), TextureLayout.GENERAL, TextureLayout.SHADER_RO))
                .rest("store", use(texture, store))
                .submit(script.graphics);
        assertThat(script.checker.hazards()).anySatisfy(hazard -> {
            assertThat(hazard.kind()).isEqualTo(Kind.WRONG_LAYOUT);
            assertThat(hazard.secondPass()).isEqualTo("store");
            assertThat(hazard.explanation()).contains("end the pass before the transition");
        });
    }

    @Test
    void whatAPassNeedsInsideOfItIsNotCalledUnneeded() {
        Script search = new Script(UnneededSync.Search.PARTS);
        TimelinePoint done = search.pass("scan", use(scratch, STORAGE_WRITE_COMPUTE))
                .barrier(Script.scope(STORAGE_WRITE_COMPUTE, STORAGE_READ_COMPUTE))
                .rest("scan", use(scratch, STORAGE_WRITE_COMPUTE))
                .submit(search.graphics);
        search.checker.hostWaited(done);
        search.checker.finish();
        assertThat(search.checker.unneeded()).isEmpty();
        assertThat(search.checker.hazards()).isEmpty();
    }

    @Test
    void aPassMayReadWhatItFillsItself() {
        ResourceUse[] uses = {use(scratch, COPY_DST), use(scratch, STORAGE_READ_COMPUTE)};
        script.pass("work", uses)
                .barrier(Script.scope(COPY_DST, STORAGE_READ_COMPUTE))
                .rest("work", uses)
                .submit(script.graphics);
        silent();
    }

    @Test
    void aPassMayNotReadMoreThanItFills() {
        ResourceUse[] uses = {use(scratch, 0, 512, COPY_DST), use(scratch, STORAGE_READ_COMPUTE)};
        script.pass("work", uses)
                .barrier(Script.scope(COPY_DST, STORAGE_READ_COMPUTE))
                .rest("work", uses)
                .submit(script.graphics);
        assertThat(script.checker.hazards()).extracting(Hazard::kind).containsExactly(Kind.UNDEFINED_CONTENTS);
    }

    @Test
    void whatReadsBeforeItWritesFillsNothing() {
        script.pass("work", use(scratch, STORAGE_READ_COMPUTE), use(scratch, STORAGE_READ_WRITE_COMPUTE))
                .submit(script.graphics);
        assertThat(script.checker.hazards()).extracting(Hazard::kind).contains(Kind.UNDEFINED_CONTENTS);
    }
}
