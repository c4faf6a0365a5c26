package io.frameloom.gpu.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.taskgraph.WorkerLevel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of the programs on their way to disk when an error ends a write. */
@Timeout(60)
class WriteQueueTest {
    private final CacheRig rig = new CacheRig();

    @AfterEach
    void close() {
        rig.close();
    }

    /** An error such as a lack of memory. */
    private static final class Broken extends Error {
        private static final long serialVersionUID = 1L;
    }

    private static void get(ProgramCache cache, String name) {
        cache.obtain(CacheRig.shader(name), new FakeProgram(name));
    }

    /** Lets everything that is done with the draft of a program fail. */
    private void breakWritesOf(String name) {
        String id = CacheRig.shader(name).id();
        rig.disk.refuse((operation, path) -> {
            if (operation.equals("force") && path.toString().contains(id)) {
                throw new Broken();
            }
            return null;
        });
    }

    private boolean isOnDisk(String name) {
        return rig.programs().stream()
                .anyMatch(path -> path.toString().contains(CacheRig.shader(name).id()));
    }

    @Test
    void anErrorCostsOneProgramAndNeitherThoseBehindItNorLaterOnes() {
        ProgramCache cache = rig.open();
        rig.settle();
        breakWritesOf("bad");
        get(cache, "bad");
        get(cache, "behind");
        rig.settle();
        rig.settle();
        assertThat(isOnDisk("behind")).isTrue();
        get(cache, "later");
        rig.settle();
        assertThat(isOnDisk("later")).isTrue();
        assertThat(isOnDisk("bad")).isFalse();
        assertThat(rig.disk.filesBelow(CacheRig.ROOT))
                .noneMatch(path -> path.toString().endsWith(".tmp"))
                .noneMatch(path -> path.startsWith(CacheRig.ROOT.resolve("leases")));
    }

    @Test
    void closingLeavesTheFolderWhateverTheLastWriteThrows() {
        ProgramCache cache = rig.open();
        rig.settle();
        breakWritesOf("bad");
        Path processes = CacheRig.ROOT.resolve("processes");
        assertThat(rig.disk.filesBelow(processes)).hasSize(1);
        CountDownLatch release = new CountDownLatch(1);
        rig.graph
                .task("hold the worker", () -> release.await())
                .on(WorkerLevel.BACKGROUND)
                .dispatch();
        get(cache, "bad");
        assertThatThrownBy(cache::close).isInstanceOf(Broken.class);
        release.countDown();
        assertThat(rig.disk.filesBelow(processes)).isEmpty();
        cache.close();
    }

    @Test
    void aProgramThatMemoryHasDroppedAndTheDiskRefusesIsNotKnown() {
        ProgramCache cache = rig.open();
        rig.settle();
        CountDownLatch release = new CountDownLatch(1);
        rig.graph
                .task("hold the worker", () -> release.await())
                .on(WorkerLevel.BACKGROUND)
                .dispatch();
        rig.disk.refuse((operation, path) -> operation.equals("write") ? new IOException("No space left") : null);
        get(cache, "dropped");
        cache.trimMemory(0);
        assertThat(cache.status(CacheRig.shader("dropped"))).isEqualTo(ProgramStatus.SUCCESS);
        get(cache, "kept");
        release.countDown();
        cache.flush();
        assertThat(cache.status(CacheRig.shader("dropped"))).isEqualTo(ProgramStatus.UNKNOWN);
        assertThat(cache.status(CacheRig.shader("kept"))).isEqualTo(ProgramStatus.SUCCESS);
    }
}
