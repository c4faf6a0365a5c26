package io.frameloom.gpu.cache.program;

import static io.frameloom.gpu.cache.program.CacheRig.get;
import static io.frameloom.gpu.cache.program.CacheRig.known;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.cache.ProgramCacheStatistics;
import io.frameloom.gpu.cache.disk.CanonicalFields;
import io.frameloom.gpu.cache.disk.FileFacts;
import io.frameloom.gpu.cache.disk.SimulatedDisk;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the disk level gives to the next process, takes from a broken disk, and remembers of crashes. */
@Timeout(60)
class ProgramCacheDiskTest {
    private final CacheRig rig = new CacheRig();
    private final ProgramKey vertex = CacheRig.shader("vertex");
    private final ProgramKey fragment = CacheRig.shader("fragment");
    private final ProgramKey program = CacheRig.pipeline("program", vertex, fragment);

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void theNextProcessFindsWhatThisOneCompiled() {
        CachedPrograms first = rig.open();
        get(first, vertex);
        get(first, program);
        first.close();

        CachedPrograms second = rig.open();
        assertThat(get(second, program)).isEqualTo("loaded program");
        assertThat(get(second, vertex)).isEqualTo("loaded vertex");
        ProgramCacheStatistics statistics = second.statistics();
        assertThat(statistics.lookups().diskHits()).isEqualTo(2);
        assertThat(statistics.lookups().builds()).isZero();
        assertThat(statistics.times().diskHit().count()).isEqualTo(2);
        assertThat(statistics.times().diskRead().count()).isEqualTo(2);
        assertThat(statistics.times().diskRead().max())
                .isLessThanOrEqualTo(statistics.times().diskHit().max());
        known(second, true, fragment);
        // A program that was loaded is not written again.
        second.flush();
        assertThat(second.statistics().disk().writes()).isZero();
    }

    @Test
    void aHitInMemoryTouchesNoFile() {
        CachedPrograms cache = rig.open();
        get(cache, vertex);
        get(cache, program);
        rig.settle();
        cache.flush();
        cache.close();
        CachedPrograms second = rig.open();
        get(second, program);
        rig.settle();
        rig.disk.refuse((operation, path) -> new IOException("no " + operation));
        assertThat(get(second, program)).isEqualTo("loaded program");
        assertThat(second.statistics().disk().failedWrites()).isZero();
        rig.disk.refuse((operation, path) -> null);
    }

    /** Opens a cache, prepares it and asks for one program while nothing is done in the background. */
    private int operationsBeforeTheFirstFrame() {
        CountDownLatch release = rig.holdWorker();
        int before = rig.disk.operations();
        CachedPrograms cache = rig.open();
        cache.prepare(ProgramKind.SHADER, CacheRig.DEVICE);
        assertThat(get(cache, CacheRig.shader("number 0"))).isEqualTo("loaded number 0");
        int after = rig.disk.operations();
        release.countDown();
        cache.close();
        return after - before;
    }

    @Test
    void howMuchIsOnDiskDoesNotDelayTheFirstFrame() {
        CachedPrograms filling = rig.open();
        get(filling, CacheRig.shader("number 0"));
        filling.close();
        int withOne = operationsBeforeTheFirstFrame();
        CachedPrograms more = rig.open();
        for (int i = 1; i < 300; i++) {
            get(more, CacheRig.shader("number " + i));
        }
        more.close();
        assertThat(operationsBeforeTheFirstFrame()).isEqualTo(withOne).isLessThan(60);
    }

    @Test
    void programsAreReadAheadInTheBackgroundNewestFirst() {
        CachedPrograms first = rig.open();
        for (int i = 0; i < 5; i++) {
            get(first, CacheRig.shader("number " + i));
        }
        first.close();
        Compatibility other = new Compatibility(new CanonicalFields().text("device", "second"));

        long one = first.statistics().memory().bytes() / 5;
        CachedPrograms second = rig.open(CacheRig.options().withMemoryBytes(one * 3));
        second.prepare(ProgramKind.SHADER, other);
        rig.settle();
        assertThat(second.statistics().memory().programs()).isZero();
        second.prepare(ProgramKind.SHADER, CacheRig.DEVICE);
        second.prepare(ProgramKind.SHADER, CacheRig.DEVICE);
        rig.settle();
        assertThat(second.statistics().memory().preloaded()).isEqualTo(3);
        int reads = rig.disk.count("read");
        for (int i = 2; i < 5; i++) {
            assertThat(get(second, CacheRig.shader("number " + i))).isEqualTo("loaded number " + i);
        }
        assertThat(rig.disk.count("read")).isEqualTo(reads);
        assertThat(get(second, CacheRig.shader("number 0"))).isEqualTo("loaded number 0");
        assertThat(rig.disk.count("read")).isGreaterThan(reads);
    }

    @Test
    void aProgramThatWasReadAheadIsUsedWhenItIsAskedForFirst() {
        CachedPrograms first = rig.open();
        get(first, vertex);
        get(first, fragment);
        first.close();
        CachedPrograms second = rig.open();
        second.prepare(ProgramKind.SHADER, CacheRig.DEVICE);
        rig.settle();
        assertThat(rig.disk.count("touch")).isZero();
        for (int i = 0; i < 3; i++) {
            assertThat(get(second, vertex)).isEqualTo("loaded vertex");
        }
        assertThat(rig.disk.count("touch")).isEqualTo(1);
        second.close();
        // What was not asked for goes first.
        CachedPrograms small = rig.open(CacheRig.options().withDiskBytes(400));
        rig.settle();
        assertThat(get(small, vertex)).isEqualTo("loaded vertex");
        assertThat(small.statistics().disk().evictions()).isEqualTo(1);
    }

    @Test
    void programsForAnotherDeviceAreNeitherFoundNorOpened() {
        CachedPrograms first = rig.open();
        get(first, vertex);
        first.close();
        Compatibility other = new Compatibility(new CanonicalFields().text("device", "second"));
        CachedPrograms second = rig.open();
        Path store = rig.programs().get(0).getParent();
        rig.disk.refuse((operation, path) ->
                operation.equals("read") && path.startsWith(store) ? new IOException("opened " + path) : null);
        second.prepare(ProgramKind.SHADER, other);
        rig.settle();
        assertThat(get(second, CacheRig.shader("vertex", other))).isEqualTo("built vertex");
        assertThat(second.statistics().disk().damaged()).isEmpty();
        rig.disk.refuse((operation, path) -> null);
    }

    @Test
    void anEvictedProgramThatWaitsToBeWrittenIsStillFound() {
        rig.disk.refuse((operation, path) -> null);
        CachedPrograms cache = rig.open(CacheRig.options().withMemoryBytes(1));
        CountDownLatch release = rig.holdWorker();
        get(cache, vertex);
        assertThat(rig.programs()).isEmpty();
        assertThat(get(cache, vertex)).isEqualTo("loaded vertex");
        known(cache, true, vertex);
        release.countDown();
        cache.flush();
        assertThat(rig.programs()).hasSize(1);
    }

    @Test
    void whatDoesNotFitTheQueueIsDroppedAndCounted() {
        CachedPrograms cache = rig.open(CacheRig.options().withQueueBytes(1));
        assertThat(get(cache, vertex)).isEqualTo("built vertex");
        assertThat(get(cache, vertex)).isEqualTo("loaded vertex");
        cache.flush();
        assertThat(rig.programs()).isEmpty();
        assertThat(cache.statistics().disk().droppedWrites()).isEqualTo(1);
    }

    @Test
    void aProgramThatIsReplacedWhileItIsWrittenIsWrittenAgain() {
        CachedPrograms cache = rig.open();
        CountDownLatch release = rig.holdWorker();
        get(cache, vertex);
        boolean[] replaced = new boolean[1];
        rig.disk.refuse((operation, path) -> {
            if (!replaced[0]
                    && operation.equals("force")
                    && path.toString().contains(vertex.digest().hex())) {
                replaced[0] = true;
                cache.obtain(vertex, new FakeProgram("newer").refusing());
            }
            return null;
        });
        cache.flush();
        rig.disk.refuse((operation, path) -> null);
        release.countDown();
        assertThat(replaced[0]).isTrue();
        cache.close();
        assertThat(get(rig.open(), vertex)).isEqualTo("loaded newer");
    }

    @Test
    void evenAShortLivedCacheRemovesWhatEndedProcessesLeft() {
        rig.open().close();
        Path left = CacheRig.ROOT.resolve("processes/1-1-abc");
        rig.disk.plant(left, FileFacts.Kind.FILE, new byte[0]);
        CountDownLatch release = rig.holdWorker();
        rig.open().close();
        assertThat(rig.disk.filesBelow(CacheRig.ROOT)).doesNotContain(left);
        release.countDown();
    }

    @Test
    void whatHadToGoFromDiskIsKnownAsLongAsItIsInMemory() {
        CachedPrograms cache = rig.open(CacheRig.options().withDiskBytes(400));
        get(cache, vertex);
        cache.flush();
        get(cache, fragment);
        cache.flush();
        assertThat(cache.statistics().disk().evictions()).isEqualTo(1);
        known(cache, true, vertex, fragment);
        cache.trimMemory(0);
        known(cache, false, vertex);
        known(cache, true, fragment);
    }

    @Test
    void aFullDiskCostsTheProgramAndNothingElse() {
        CachedPrograms cache = rig.open();
        get(cache, vertex);
        cache.flush();
        rig.disk.refuse((operation, path) -> operation.equals("write") ? new IOException("No space left") : null);
        assertThat(get(cache, fragment)).isEqualTo("built fragment");
        cache.flush();
        assertThat(cache.statistics().disk().failedWrites()).isPositive();
        rig.disk.refuse((operation, path) -> null);
        cache.close();
        CachedPrograms second = rig.open();
        assertThat(get(second, vertex)).isEqualTo("loaded vertex");
        assertThat(get(second, fragment)).isEqualTo("built fragment");
    }

    @Test
    void whateverTheDiskRefusesTheProgramsAreRight() {
        List<String> operations = List.of(
                "facts",
                "list",
                "createFolder",
                "read",
                "write",
                "force",
                "move",
                "forceFolder",
                "delete",
                "touch",
                "tryHold");
        CachedPrograms first = rig.open();
        get(first, vertex);
        first.close();
        for (String refused : operations) {
            CachedPrograms cache = rig.open();
            rig.disk.refuse((operation, path) -> operation.equals(refused) ? new IOException("refused") : null);
            assertThat(get(cache, vertex)).as(refused).endsWith(" vertex");
            assertThat(get(cache, CacheRig.pipeline(refused))).as(refused).isEqualTo("built " + refused);
            cache.prepare(ProgramKind.SHADER, CacheRig.DEVICE);
            rig.settle();
            cache.close();
            rig.disk.refuse((operation, path) -> null);
        }
        assertThat(get(rig.open(), vertex)).isEqualTo("loaded vertex");
    }

    @Test
    void aRefusedBinaryFromDiskIsReplacedOnDisk() {
        CachedPrograms first = rig.open();
        get(first, program);
        first.close();
        CachedPrograms second = rig.open();
        assertThat(second.obtain(program, new FakeProgram("better").refusing())).isEqualTo("built better");
        second.close();
        assertThat(get(rig.open(), program)).isEqualTo("loaded better");
    }

    /** Lets a process end while a driver is given the pipeline. */
    private void crash() {
        CachedPrograms cache = rig.open();
        rig.settle();
        FakeProgram crashing = new FakeProgram("program").whileLoading(() -> {
            rig.disk.refuse((operation, path) -> {
                throw new SimulatedDisk.Ended();
            });
            throw new SimulatedDisk.Ended();
        });
        assertThatThrownBy(() -> cache.obtain(program, crashing)).isInstanceOf(SimulatedDisk.Ended.class);
        assertThat(crashing.loads).hasValue(1);
        rig.disk.kill();
    }

    @Test
    void aProgramThatEndsTheProcessIsMadeAnewAndAfterASecondTimeNotKept() {
        CachedPrograms first = rig.open();
        get(first, vertex);
        get(first, program);
        first.close();

        crash();
        CachedPrograms second = rig.open();
        assertThat(second.statistics().disk().crashes()).isEqualTo(1);
        assertThat(get(second, vertex)).isEqualTo("loaded vertex");
        assertThat(get(second, program)).isEqualTo("built program");
        second.close();
        CachedPrograms third = rig.open();
        assertThat(get(third, program)).isEqualTo("loaded program");
        third.close();

        crash();
        for (int i = 0; i < 2; i++) {
            CachedPrograms later = rig.open();
            later.prepare(ProgramKind.PIPELINE, CacheRig.DEVICE);
            rig.settle();
            assertThat(get(later, program)).isEqualTo("built program");
            assertThat(get(later, vertex)).isEqualTo("loaded vertex");
            later.close();
        }
    }

    @Test
    void theMarkStaysAsLongAsAnyThreadIsInsideTheDriver() {
        CachedPrograms first = rig.open();
        get(first, program);
        first.close();
        CachedPrograms second = rig.open();
        second.prepare(ProgramKind.PIPELINE, CacheRig.DEVICE);
        rig.settle();
        Path loading = CacheRig.ROOT.resolve("loading");
        FakeProgram inner = new FakeProgram("program")
                .whileLoading(() -> assertThat(rig.disk.filesBelow(loading)).hasSize(1));
        FakeProgram outer = new FakeProgram("program").whileLoading(() -> {
            assertThat(second.obtain(program, inner)).isEqualTo("loaded program");
            assertThat(rig.disk.filesBelow(loading)).hasSize(1);
        });
        assertThat(second.obtain(program, outer)).isEqualTo("loaded program");
        assertThat(inner.loads).hasValue(1);
        assertThat(rig.disk.filesBelow(loading)).isEmpty();
    }

    @Test
    void aProgramThatAnotherProcessIsLoadingIsNoCrash() {
        CachedPrograms first = rig.open();
        get(first, program);
        first.close();
        CachedPrograms second = rig.open();
        FakeProgram slow = new FakeProgram("program").whileLoading(() -> {
            CachedPrograms meanwhile = rig.open();
            assertThat(meanwhile.statistics().disk().crashes()).isZero();
            assertThat(get(meanwhile, program)).isEqualTo("loaded program");
        });
        assertThat(second.obtain(program, slow)).isEqualTo("loaded program");
        assertThat(rig.disk.filesBelow(CacheRig.ROOT.resolve("loading"))).isEmpty();
    }

    @Test
    void aDamagedProgramIsMadeAnewAndReplaced() {
        CachedPrograms first = rig.open();
        get(first, vertex);
        first.close();
        Path file = rig.programs().get(0);
        rig.disk.plant(file, FileFacts.Kind.FILE, new byte[200]);
        CachedPrograms second = rig.open();
        assertThat(get(second, vertex)).isEqualTo("built vertex");
        second.close();
        assertThat(second.statistics().disk().damaged()).hasSize(1);
        assertThat(get(rig.open(), vertex)).isEqualTo("loaded vertex");
    }

    @Test
    void aDamagedFileCountsOnceHoweverOftenItIsRead() {
        CachedPrograms first = rig.open();
        get(first, vertex);
        get(first, fragment);
        first.close();
        for (Path file : rig.programs()) {
            rig.disk.plant(file, FileFacts.Kind.FILE, new byte[200]);
        }
        CachedPrograms second = rig.open();
        second.prepare(ProgramKind.SHADER, CacheRig.DEVICE);
        rig.settle();
        assertThat(get(second, vertex)).isEqualTo("built vertex");
        assertThat(get(second, fragment)).isEqualTo("built fragment");
        second.flush();
        assertThat(second.statistics().disk().damaged()).isEqualTo(Map.of("NO_PROGRAM", 2L));
        // What is damaged in its place is another file.
        rig.disk.plant(rig.programs().get(0), FileFacts.Kind.FILE, new byte[200]);
        second.trimMemory(0);
        get(second, vertex);
        get(second, fragment);
        assertThat(second.statistics().disk().damaged()).isEqualTo(Map.of("NO_PROGRAM", 3L));
    }

    /** Fills the folder, after which nothing of it can be changed; returns what is tried. */
    private List<String> becomeReadOnly() {
        CachedPrograms first = rig.open();
        get(first, vertex);
        get(first, program);
        first.close();
        List<String> refused = new CopyOnWriteArrayList<>();
        rig.disk.refuse((operation, path) -> {
            if (List.of("facts", "list", "read").contains(operation)) {
                return null;
            }
            refused.add(operation + " " + path);
            return new AccessDeniedException(path.toString());
        });
        return refused;
    }

    @Test
    void aReadOnlyFolderIsReadAndSaysOnceThatItIsNotWritten() {
        List<String> refused = becomeReadOnly();
        Map<Path, String> before = rig.disk.contents();
        CachedPrograms cache = rig.open(CacheRig.options().withMemoryBytes(1));
        refused.clear();
        assertThat(get(cache, program)).isEqualTo("loaded program");
        assertThat(get(cache, vertex)).isEqualTo("loaded vertex");
        assertThat(get(cache, fragment)).isEqualTo("built fragment");
        cache.prepare(ProgramKind.SHADER, CacheRig.DEVICE);
        rig.settle();
        known(cache, true, vertex, program);
        cache.flush();
        cache.close();
        ProgramCacheStatistics statistics = cache.statistics();
        assertThat(statistics.lookups().diskHits()).isEqualTo(2);
        assertThat(statistics.lookups().builds()).isEqualTo(1);
        assertThat(statistics.disk().failedWrites()).isEqualTo(1);
        assertThat(refused).isEmpty();
        assertThat(rig.disk.contents()).isEqualTo(before);
        assertThat(rig.warnings)
                .singleElement()
                .asString()
                .startsWith("program cache " + CacheRig.ROOT + " cannot write: access denied to ");
    }
}
