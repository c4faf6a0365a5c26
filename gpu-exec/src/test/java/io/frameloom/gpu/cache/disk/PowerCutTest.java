package io.frameloom.gpu.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The process is killed, or the power fails, in the middle of every single change of the file system. Afterwards every
 * program is absent or exact, none that was durable before is lost, and nothing is left lying about.
 */
class PowerCutTest {
    private static final Path ROOT = Path.of("/home/cache");
    private static final long BUDGET = 1 << 20;
    private static final int SEEDS = 40;

    private final RecordingObserver observer = new RecordingObserver();

    @TempDir
    private Path temporary;

    private DiskCache open(SimulatedDisk disk) {
        return DiskCache.open(disk.process(), ROOT, BUDGET, observer);
    }

    private static DiskStore store(DiskCache cache) {
        return cache.store(Entries.KIND, Entries.COMPATIBILITY);
    }

    private SimulatedDisk prepared() {
        SimulatedDisk disk = new SimulatedDisk(Path.of("/"), Path.of("/home"));
        try (DiskCache cache = open(disk)) {
            for (int i = 0; i < 3; i++) {
                assertThat(store(cache).publish(Entries.entry(i))).isTrue();
            }
            store(cache).forceNames();
        }
        return disk;
    }

    /** One life of a process: everything that changes the disk. Program 1 is replaced, 10 and 11 are new. */
    private void live(SimulatedDisk disk) {
        DiskCache cache = open(disk);
        cache.tidy();
        DiskStore store = store(cache);
        store.publish(Entries.entry(10));
        store.publish(Entries.entry(1, 1, 300));
        store.forceNames();
        DiskStore other = cache.store("pipeline", Entries.COMPATIBILITY);
        other.publish(Entries.entry(11));
        other.forceNames();
        store.publish(Entries.entry(11));
        cache.close();
    }

    private int stepsOfALife() {
        SimulatedDisk disk = prepared();
        disk.endAtStep(Integer.MAX_VALUE);
        live(disk);
        return disk.steps();
    }

    private void check(SimulatedDisk disk, String when) {
        check(disk, when, List.of(0, 1, 2));
    }

    private void check(SimulatedDisk disk, String when, List<Integer> durable) {
        observer.told.clear();
        try (DiskCache cache = open(disk)) {
            cache.tidy();
            for (DiskStore store : List.of(store(cache), cache.store("pipeline", Entries.COMPATIBILITY))) {
                for (int number : List.of(0, 1, 2, 10, 11)) {
                    EntryReading reading = store.read(Entries.digest(number), Entries.keyText(number));
                    if (reading instanceof EntryReading.Intact intact) {
                        byte[] payload = intact.entry().payload();
                        boolean exact = IntStream.range(0, 2)
                                .anyMatch(version -> Arrays.equals(
                                        payload,
                                        Entries.entry(number, version, version == 0 ? 100 : 300)
                                                .payload()));
                        assertThat(exact).as("%s: program %d", when, number).isTrue();
                    } else {
                        assertThat(reading).as("%s: program %d", when, number).isInstanceOf(EntryReading.Absent.class);
                    }
                }
            }
            for (int number : durable) {
                assertThat(store(cache).read(Entries.digest(number), Entries.keyText(number)))
                        .as("%s: program %d was durable", when, number)
                        .isInstanceOf(EntryReading.Intact.class);
            }
            assertThat(disk.filesBelow(ROOT))
                    .as(when)
                    .noneMatch(path -> path.toString().endsWith(CacheLayout.TMP));
            assertThat(disk.filesBelow(ROOT.resolve("processes"))).as(when).hasSize(1);
            // It works as before.
            assertThat(store(cache).publish(Entries.entry(12))).isTrue();
            assertThat(store(cache).read(Entries.digest(12), Entries.keyText(12)))
                    .isInstanceOf(EntryReading.Intact.class);
        }
    }

    @Test
    void killedAtEveryStep() throws Exception {
        int steps = stepsOfALife();
        assertThat(steps).isGreaterThan(20);
        for (int step = 1; step <= steps; step++) {
            SimulatedDisk disk = prepared();
            disk.endAtStep(step);
            assertThatThrownBy(() -> live(disk)).isInstanceOf(SimulatedDisk.Ended.class);
            disk.kill();
            check(disk, "killed at step " + step);
        }
    }

    @Test
    void withoutPowerAtEveryStep() throws Exception {
        int steps = stepsOfALife();
        for (int step = 1; step <= steps; step++) {
            for (int seed = 0; seed < SEEDS; seed++) {
                SimulatedDisk disk = prepared();
                disk.endAtStep(step);
                assertThatThrownBy(() -> live(disk)).isInstanceOf(SimulatedDisk.Ended.class);
                disk.losePower(new Random(seed));
                check(disk, "power lost at step " + step + ", seed " + seed);
            }
        }
    }

    @Test
    void withoutPowerWhileTheFolderBecomesACache() throws Exception {
        SimulatedDisk whole = new SimulatedDisk(Path.of("/"), Path.of("/home"));
        whole.endAtStep(Integer.MAX_VALUE);
        open(whole).close();
        int steps = whole.steps();
        for (int step = 1; step <= steps; step++) {
            for (int seed = 0; seed < SEEDS; seed++) {
                SimulatedDisk disk = new SimulatedDisk(Path.of("/"), Path.of("/home"));
                disk.endAtStep(step);
                try {
                    open(disk).close();
                } catch (SimulatedDisk.Ended expected) {
                    disk.losePower(new Random(seed));
                }
                try (DiskCache cache = open(disk)) {
                    cache.tidy();
                    assertThat(store(cache).publish(Entries.entry(1))).isTrue();
                }
                assertThat(disk.filesBelow(ROOT))
                        .noneMatch(path -> path.toString().endsWith(CacheLayout.TMP));
            }
        }
    }

    /** What else a process does to a folder; what was there may go. */
    @FunctionalInterface
    private interface Life {
        void live(SimulatedDisk disk) throws Exception;
    }

    /** Finds the crash of another process and makes room for programs. */
    private void crowdedLife(SimulatedDisk disk) {
        long room = 3 * Entries.fileBytes(100);
        DiskCache cache = DiskCache.open(disk.process(), ROOT, room, observer);
        cache.tidy();
        DiskStore store = store(cache);
        store.read(Entries.digest(0), Entries.keyText(0));
        cache.markers().enter(Entries.digest(0));
        cache.markers().leave(Entries.digest(0));
        for (int number = 10; number < 13; number++) {
            store.publish(Entries.entry(number));
        }
        store.forceNames();
        cache.tidy();
        cache.close();
    }

    private SimulatedDisk preparedWithCrash() {
        SimulatedDisk disk = prepared();
        open(disk).markers().enter(Entries.digest(2));
        disk.kill();
        return disk;
    }

    private static void clear(SimulatedDisk disk) throws IOException {
        FolderContents.of(disk.process(), ROOT).clear();
    }

    private void add(SimulatedDisk disk) throws Exception {
        Bundle.add(disk.process(), temporary.resolve("bundle"), ROOT, 1 << 20);
    }

    private void exactAtEveryStep(Life life, List<Integer> durable) throws Exception {
        SimulatedDisk whole = preparedWithCrash();
        whole.endAtStep(Integer.MAX_VALUE);
        life.live(whole);
        int steps = whole.steps();
        assertThat(steps).isPositive();
        for (int step = 1; step <= steps; step++) {
            for (int seed = -1; seed < SEEDS / 4; seed++) {
                SimulatedDisk disk = preparedWithCrash();
                disk.endAtStep(step);
                assertThatThrownBy(() -> life.live(disk)).isInstanceOf(SimulatedDisk.Ended.class);
                if (seed < 0) {
                    disk.kill();
                } else {
                    disk.losePower(new Random(seed));
                }
                check(disk, "step " + step + ", seed " + seed, durable);
            }
        }
    }

    @Test
    void whileProgramsAreEvictedAndCrashesCounted() throws Exception {
        exactAtEveryStep(this::crowdedLife, List.of());
    }

    @Test
    void whileTheFolderIsCleared() throws Exception {
        exactAtEveryStep(PowerCutTest::clear, List.of());
    }

    @Test
    void whileABundleIsImported() throws Exception {
        SimulatedDisk source = prepared();
        try (DiskCache cache = open(source)) {
            store(cache).publish(Entries.entry(10));
            store(cache).publish(Entries.entry(11));
        }
        Bundle.write(FolderContents.of(source.process(), ROOT), temporary.resolve("bundle"));
        exactAtEveryStep(this::add, List.of(0, 1));
    }
}
