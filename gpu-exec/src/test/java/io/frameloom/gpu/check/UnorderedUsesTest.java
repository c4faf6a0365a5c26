package io.frameloom.gpu.check;

import static io.frameloom.gpu.check.Fakes.use;
import static io.frameloom.gpu.command.Access.COPY_DST;
import static io.frameloom.gpu.command.Access.COPY_SRC;
import static io.frameloom.gpu.command.Access.STORAGE_READ_COMPUTE;
import static io.frameloom.gpu.command.Access.STORAGE_READ_WRITE_COMPUTE;
import static io.frameloom.gpu.command.Access.STORAGE_WRITE_COMPUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Hazard.Kind;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.resource.Buffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Uses that need no order among each other: of one pass, or of one group of writes. What follows, follows all of them. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnorderedUsesTest {
    private final Script script = new Script();
    private final Buffer buffer = Fakes.buffer("particles", 1024);
    private final Object group = new Object();

    private ResourceUse grouped(Access access) {
        return new ResourceUse.OfBuffer(buffer, 0, 1024, access, false, group);
    }

    private void silent() {
        assertThat(script.checker.hazards()).isEmpty();
    }

    private void reported(Kind kind, String first, String second) {
        assertThat(script.checker.hazards()).singleElement().satisfies(hazard -> {
            assertThat(hazard.kind()).isEqualTo(kind);
            assertThat(hazard.firstPass()).isEqualTo(first);
            assertThat(hazard.secondPass()).isEqualTo(second);
        });
    }

    @Test
    void aReaderFollowsBothWritesOfAPass() {
        script.pass("fill", use(buffer, COPY_DST), use(buffer, STORAGE_WRITE_COMPUTE))
                .barrier(Script.scope(STORAGE_WRITE_COMPUTE, STORAGE_READ_COMPUTE))
                .pass("read", use(buffer, STORAGE_READ_COMPUTE))
                .submit(script.graphics);
        reported(Kind.READ_AFTER_WRITE, "fill", "read");
    }

    @Test
    void aReaderThatFollowsBothWritesOfAPassIsRight() {
        script.pass("fill", use(buffer, COPY_DST), use(buffer, STORAGE_WRITE_COMPUTE))
                .full()
                .pass("read", use(buffer, STORAGE_READ_COMPUTE))
                .submit(script.graphics);
        silent();
    }

    /** The write on the host is of no group, whichever of the two uses comes first. */
    @Test
    void aWriteOnTheHostByTheSamePassEndsAGroup() {
        ResourceUse onHost = use(buffer, Access.HOST_WRITE);
        script.pass("both", grouped(STORAGE_WRITE_COMPUTE), onHost)
                .pass("next", grouped(STORAGE_WRITE_COMPUTE))
                .submit(script.graphics);
        reported(Kind.WRITE_AFTER_WRITE, "both", "next");
        Script turned = new Script();
        turned.pass("both", onHost, grouped(STORAGE_WRITE_COMPUTE))
                .pass("next", grouped(STORAGE_WRITE_COMPUTE))
                .submit(turned.graphics);
        assertThat(turned.checker.hazards()).hasSize(1);
    }

    @Test
    void partsThatOneUseOfAPassWroteKeepThatWrite() {
        script.pass("fill", use(buffer, 0, 256, COPY_DST), use(buffer, STORAGE_WRITE_COMPUTE))
                .barrier(Script.scope(STORAGE_WRITE_COMPUTE, STORAGE_READ_COMPUTE))
                .pass("read upper", use(buffer, 256, 256, STORAGE_READ_COMPUTE))
                .submit(script.graphics);
        silent();
        script.pass("read lower", use(buffer, 0, 16, STORAGE_READ_COMPUTE)).submit(script.graphics);
        reported(Kind.READ_AFTER_WRITE, "fill", "read lower");
    }

    @Test
    void writesOfAGroupNeedNoOrder() {
        script.pass("one", grouped(STORAGE_WRITE_COMPUTE)).submit(script.graphics);
        script.pass("two", grouped(STORAGE_READ_WRITE_COMPUTE)).submit(script.compute);
        silent();
    }

    @Test
    void aWriteOfAnotherGroupDoes() {
        script.pass("one", grouped(STORAGE_WRITE_COMPUTE))
                .pass("two", new ResourceUse.OfBuffer(buffer, 0, 1024, STORAGE_WRITE_COMPUTE, false, new Object()))
                .submit(script.graphics);
        reported(Kind.WRITE_AFTER_WRITE, "one", "two");
    }

    @Test
    void whateverFollowsFollowsTheWholeGroup() {
        script.pass("one", grouped(STORAGE_WRITE_COMPUTE)).submit(script.graphics);
        script.pass("two", grouped(STORAGE_WRITE_COMPUTE))
                .full()
                .pass("read", use(buffer, STORAGE_READ_COMPUTE))
                .submit(script.compute);
        reported(Kind.READ_AFTER_WRITE, "one", "read");
    }

    @Test
    void everyWriteOfAGroupFollowsWhatWasBeforeIt() {
        script.pass("fill", use(buffer, COPY_DST)).full().pass("one", grouped(STORAGE_WRITE_COMPUTE));
        var filled = script.submit(script.graphics);
        script.pass("two", grouped(STORAGE_WRITE_COMPUTE)).submit(script.compute);
        reported(Kind.WRITE_AFTER_WRITE, "fill", "two");
        script.waitFor(filled).pass("three", grouped(STORAGE_WRITE_COMPUTE)).submit(script.compute);
        assertThat(script.checker.hazards()).hasSize(1);
    }

    @Test
    void everyWriteOfAGroupFollowsTheReadsBeforeIt() {
        script.pass("fill", use(buffer, COPY_DST)).full().pass("copy", use(buffer, COPY_SRC));
        var copied = script.submit(script.graphics);
        script.waitFor(copied).pass("one", grouped(STORAGE_WRITE_COMPUTE)).submit(script.compute);
        script.pass("two", grouped(STORAGE_WRITE_COMPUTE)).submit(script.graphics);
        assertThat(script.checker.hazards()).anySatisfy(hazard -> {
            assertThat(hazard.kind()).isEqualTo(Kind.WRITE_AFTER_READ);
            assertThat(hazard.firstPass()).isEqualTo("copy");
            assertThat(hazard.secondPass()).isEqualTo("two");
        });
    }

    @Test
    void aReadBetweenEndsTheGroup() {
        script.pass("one", grouped(STORAGE_WRITE_COMPUTE))
                .full()
                .pass("read", use(buffer, STORAGE_READ_COMPUTE))
                .pass("two", grouped(STORAGE_WRITE_COMPUTE))
                .submit(script.graphics);
        reported(Kind.WRITE_AFTER_READ, "read", "two");
    }
}
