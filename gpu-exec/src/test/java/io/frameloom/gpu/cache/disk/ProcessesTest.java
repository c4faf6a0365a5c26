package io.frameloom.gpu.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens between processes that start, tidy up and end at the same time. */
@Timeout(60)
class ProcessesTest {
    private static final Path ROOT = Path.of("/home/cache");
    private static final DiskCache.Limits LIMITS = new DiskCache.Limits(1 << 20, 1 << 20, 60_000, 0);

    private final SimulatedDisk disk = new SimulatedDisk(Path.of("/"), Path.of("/home"));
    private final RecordingObserver observer = new RecordingObserver();

    private DiskCache open() throws FolderRefusedException {
        return DiskCache.open(disk.process(), ROOT, LIMITS, observer);
    }

    /** Ends a process while a driver is given a program. */
    private void crash(int number) throws FolderRefusedException {
        open().enterDriver(Entries.digest(number));
        disk.kill();
    }

    @Test
    void ofTwoThatStartAfterACrashOneCountsItAndBothGoOn() throws Exception {
        crash(1);
        List<DiskCache> faster = new ArrayList<>();
        disk.refuse((operation, path) -> {
            if (operation.equals("move") && faster.isEmpty() && path.startsWith(ROOT.resolve("loading"))) {
                disk.refuse((later, at) -> null);
                try {
                    faster.add(open());
                } catch (FolderRefusedException e) {
                    return new IOException(e);
                }
            }
            return null;
        });
        DiskCache slower = open();
        assertThat(faster).hasSize(1);
        assertThat(observer.count("crashed")).isEqualTo(1);
        assertThat(slower.isDisabled(Entries.digest(1))).isFalse();
        faster.get(0).close();
        slower.close();
        crash(1);
        assertThat(open().isDisabled(Entries.digest(1))).isTrue();
    }

    @Test
    void oneThatJustJoinsIsNotForgotten() throws Exception {
        DiskCache tidying = open();
        Path joining = ROOT.resolve("processes").resolve("99-0-abc");
        disk.plant(joining, FileFacts.Kind.FILE, new byte[0]);
        SimulatedDisk.ProcessFiles joiner = disk.process();
        List<Boolean> held = new ArrayList<>();
        disk.refuse((operation, path) -> {
            if (operation.equals("delete") && path.equals(joining)) {
                try {
                    held.add(joiner.tryHold(joining) != null);
                } catch (IOException e) {
                    return e;
                }
            }
            return null;
        });
        tidying.tidy();
        assertThat(held).containsExactly(false);
        assertThat(disk.filesBelow(ROOT)).doesNotContain(joining);
    }
}
