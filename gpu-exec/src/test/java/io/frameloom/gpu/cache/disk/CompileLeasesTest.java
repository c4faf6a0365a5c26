package io.frameloom.gpu.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One process compiles a program at a time, and none holds another up for longer than a lease lasts. */
@Timeout(60)
class CompileLeasesTest {
    private static final Path ROOT = Path.of("/home/cache");
    private static final long LEASE_MILLIS = 30;

    private final SimulatedDisk disk = new SimulatedDisk(Path.of("/"), Path.of("/home"));
    private final RecordingObserver observer = new RecordingObserver();

    private DiskCache open() throws FolderRefusedException {
        return DiskCache.open(disk.process(), ROOT, new DiskCache.Limits(1 << 20, LEASE_MILLIS), observer);
    }

    private static boolean published(DiskCache cache, int number) {
        return cache.awaitLease(cache.store(Entries.KIND, Entries.COMPATIBILITY), Entries.digest(number));
    }

    private List<Path> leases() {
        return disk.filesBelow(ROOT.resolve("leases"));
    }

    @Test
    void whoeverComesFirstCompilesAndTheOtherFindsTheProgram() throws Exception {
        DiskCache first = open();
        DiskCache second = open();
        assertThat(published(first, 1)).isFalse();
        assertThat(leases()).hasSize(1);
        assertThat(published(second, 2)).isFalse();
        first.store(Entries.KIND, Entries.COMPATIBILITY).publish(Entries.entry(1));
        assertThat(published(second, 1)).isTrue();
        first.releaseLease(Entries.digest(1));
        second.releaseLease(Entries.digest(2));
        assertThat(leases()).isEmpty();
        assertThat(observer.count("patience")).isZero();
    }

    @Test
    void aLeaseThatIsGivenBackIsGrantedToTheNext() throws Exception {
        DiskCache first = open();
        DiskCache second = open();
        assertThat(published(first, 1)).isFalse();
        first.releaseLease(Entries.digest(1));
        assertThat(published(second, 1)).isFalse();
        assertThat(leases()).hasSize(1);
        // It is the second's now.
        first.releaseLease(Entries.digest(1));
        assertThat(leases()).hasSize(1);
    }

    @Test
    void afterItsTimeALeaseBindsNobody() throws Exception {
        DiskCache first = open();
        DiskCache second = open();
        assertThat(published(first, 1)).isFalse();
        disk.advanceClock(LEASE_MILLIS);
        assertThat(published(second, 1)).isFalse();
        assertThat(observer.count("patience")).isZero();
    }

    @Test
    void aClockThatJumpedBackMakesNoLeaseEternal() throws Exception {
        DiskCache first = open();
        DiskCache second = open();
        assertThat(published(first, 1)).isFalse();
        disk.advanceClock(-1_000_000);
        assertThat(published(second, 1)).isFalse();
        assertThat(observer.count("patience")).isZero();
    }

    @Test
    void aProcessThatNeverGivesItBackIsWaitedForOnlySoLong() throws Exception {
        DiskCache first = open();
        DiskCache second = open();
        assertThat(published(first, 1)).isFalse();
        // The simulated clock moves a millisecond with each look at it; this keeps the lease young.
        disk.refuse((operation, path) -> {
            if (operation.equals("write")) {
                disk.advanceClock(-1);
            }
            return null;
        });
        assertThat(published(second, 1)).isFalse();
        assertThat(observer.count("patience lease")).isEqualTo(1);
    }

    @Test
    void theLeaseOfADeadProcessBindsNobody() throws Exception {
        DiskCache first = open();
        assertThat(published(first, 1)).isFalse();
        disk.kill();
        assertThat(published(open(), 1)).isFalse();
        assertThat(observer.count("patience")).isZero();
    }

    @Test
    void whatIsNoLeaseBindsNobody() throws Exception {
        DiskCache cache = open();
        Path lease = ROOT.resolve("leases").resolve(Entries.digest(1).hex());
        for (String words : List.of("../../x", "1-1-1", "nonsense\n", "-")) {
            disk.plant(lease, FileFacts.Kind.FILE, words.getBytes(StandardCharsets.UTF_8));
            assertThat(published(cache, 1)).as(words).isFalse();
            cache.releaseLease(Entries.digest(1));
        }
        disk.plant(lease, FileFacts.Kind.LINK, new byte[0]);
        assertThat(published(cache, 1)).isFalse();
        assertThat(observer.count("patience")).isZero();
    }

    @Test
    void aLeaseThatSaysNothingYetBindsForItsTimeOnly() throws Exception {
        DiskCache cache = open();
        Path lease = ROOT.resolve("leases").resolve(Entries.digest(1).hex());
        disk.plant(lease, FileFacts.Kind.FILE, new byte[0]);
        cache.tidy();
        assertThat(published(cache, 1)).isFalse();
        assertThat(observer.count("patience lease")).isEqualTo(1);
        assertThat(leases()).containsExactly(lease);
        disk.advanceClock(LEASE_MILLIS);
        cache.tidy();
        assertThat(leases()).isEmpty();
    }

    @Test
    void aProgramThatCameRightBeforeTheLeaseIsNotCompiledAgain() throws Exception {
        DiskCache first = open();
        DiskCache second = open();
        assertThat(published(first, 1)).isFalse();
        disk.refuse((operation, path) -> {
            if (operation.equals("write") && path.startsWith(ROOT.resolve("leases"))) {
                disk.refuse((later, at) -> null);
                first.store(Entries.KIND, Entries.COMPATIBILITY).publish(Entries.entry(1));
                first.releaseLease(Entries.digest(1));
            }
            return null;
        });
        assertThat(published(second, 1)).isTrue();
        assertThat(leases()).isEmpty();
    }

    @Test
    void tidyingLeavesEveryLeaseThatStillBinds() throws Exception {
        DiskCache first = open();
        DiskCache impatient =
                DiskCache.open(disk.process(), ROOT, new DiskCache.Limits(1 << 20, LEASE_MILLIS), observer);
        assertThat(published(first, 1)).isFalse();
        first.tidy();
        impatient.tidy();
        assertThat(leases()).hasSize(1);
        assertThat(published(impatient, 1)).isFalse();
        assertThat(leases()).hasSize(1);
        assertThat(observer.count("patience lease")).isEqualTo(1);
        disk.advanceClock(LEASE_MILLIS);
        impatient.tidy();
        assertThat(leases()).isEmpty();
        assertThat(observer.count("litter")).isEqualTo(1);
    }

    @Test
    void aCacheThatWasClosedInTheSameProcessBindsNobody() throws Exception {
        SimulatedProcess process = disk.process();
        DiskCache.Limits limits = new DiskCache.Limits(1 << 20, 60_000);
        DiskCache closed = DiskCache.open(process, ROOT, limits, observer);
        assertThat(published(closed, 1)).isFalse();
        closed.close();
        assertThat(published(DiskCache.open(process, ROOT, limits, observer), 1))
                .isFalse();
        assertThat(observer.count("patience")).isZero();
    }
}
