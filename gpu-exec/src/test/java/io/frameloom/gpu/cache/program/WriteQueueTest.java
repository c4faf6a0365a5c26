package io.frameloom.gpu.cache.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.taskgraph.WorkerLevel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

    private static void get(CachedPrograms cache, String name) {
        cache.obtain(CacheRig.shader(name), new FakeProgram(name));
    }

    /** Lets everything that is done with the draft of a program fail. */
    private void breakWritesOf(String name) {
        String id = CacheRig.shader(name).digest().hex();
        rig.disk.refuse((operation, path) -> {
            if (operation.equals("force") && path.toString().contains(id)) {
                throw new Broken();
            }
            return null;
        });
    }

    private boolean isOnDisk(String name) {
        return rig.programs().stream()
                .anyMatch(path ->
                        path.toString().contains(CacheRig.shader(name).digest().hex()));
    }

    @Test
    void closingLeavesTheFolderWhateverTheLastWriteThrows() {
        CachedPrograms cache = rig.open();
        rig.settle();
        breakWritesOf("bad");
        Path processes = CacheRig.ROOT.resolve("processes");
        assertThat(rig.disk.filesBelow(processes)).hasSize(1);
        CountDownLatch release = rig.holdWorker();
        get(cache, "bad");
        assertThatThrownBy(cache::close).isInstanceOf(Broken.class);
        release.countDown();
        assertThat(rig.disk.filesBelow(processes)).isEmpty();
        cache.close();
    }

    @Test
    void aProgramThatMemoryHasDroppedAndTheDiskRefusesIsNotKnown() {
        CachedPrograms cache = rig.open();
        rig.settle();
        CountDownLatch release = rig.holdWorker();
        rig.disk.refuse((operation, path) -> operation.equals("write") ? new IOException("No space left") : null);
        get(cache, "dropped");
        cache.trimMemory(0);
        assertThat(cache.isKnown(CacheRig.shader("dropped"))).isTrue();
        get(cache, "kept");
        release.countDown();
        cache.flush();
        assertThat(cache.isKnown(CacheRig.shader("dropped"))).isFalse();
        assertThat(cache.isKnown(CacheRig.shader("kept"))).isTrue();
    }

    /** Holds up the first program that is made durable until it is released. */
    private CountDownLatch holdFirstWrite(CountDownLatch release) {
        CountDownLatch writing = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        rig.disk.beforeForce(path -> {
            if (path.toString().endsWith(".tmp") && first.getAndSet(false)) {
                writing.countDown();
                await(release);
            }
        });
        return writing;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void compile(CachedPrograms cache, String name) {
        rig.graph
                .task("compile " + name, () -> get(cache, name))
                .on(WorkerLevel.BACKGROUND)
                .dispatch()
                .await();
    }

    @Test
    void theOnlyWorkerCompilesWhileTheDiskIsWaitedForAndWhatComesMeanwhileIsForcedTogether() {
        CachedPrograms cache = rig.openWithThread();
        rig.settle();
        compile(cache, "zeroth");
        cache.flush();
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch writing = holdFirstWrite(release);
        compile(cache, "first");
        await(writing);
        for (int i = 0; i < 20; i++) {
            compile(cache, "later " + i);
        }
        int forced = rig.disk.count("forceFolder");
        release.countDown();
        cache.flush();
        assertThat(rig.programs()).hasSize(22);
        assertThat(rig.disk.count("forceFolder") - forced).isEqualTo(1);
    }

    @Test
    void closingWritesWhatIsLeftAndEndsTheThread() throws Exception {
        CachedPrograms cache = rig.openWithThread();
        compile(cache, "zeroth");
        cache.flush();
        CountDownLatch release = new CountDownLatch(1);
        CompletableFuture<Thread> writer = new CompletableFuture<>();
        CountDownLatch writing = new CountDownLatch(1);
        rig.disk.beforeForce(path -> {
            writer.complete(Thread.currentThread());
            writing.countDown();
            await(release);
        });
        compile(cache, "first");
        await(writing);
        compile(cache, "second");
        Thread closing = new Thread(cache::close);
        closing.start();
        release.countDown();
        closing.join();
        assertThat(rig.programs()).hasSize(3);
        Thread thread = writer.join();
        assertThat(thread.getName()).isEqualTo("frameloom-program-cache");
        assertThat(thread.isDaemon()).isTrue();
        thread.join();
    }

    @Test
    void anErrorOnTheThreadCostsOneProgram() {
        CachedPrograms cache = rig.openWithThread();
        breakWritesOf("bad");
        compile(cache, "bad");
        compile(cache, "behind");
        while (!isOnDisk("behind")) {
            Thread.onSpinWait();
        }
        assertThat(isOnDisk("bad")).isFalse();
        cache.flush();
    }
}
