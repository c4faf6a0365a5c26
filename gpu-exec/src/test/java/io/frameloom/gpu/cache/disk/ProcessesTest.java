package io.frameloom.gpu.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.cache.ProgramCacheException;
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
    private static final long BUDGET = 1 << 20;

    private final SimulatedDisk disk = new SimulatedDisk(Path.of("/"), Path.of("/home"));
    private final RecordingObserver observer = new RecordingObserver();

    private DiskCache open() {
        return DiskCache.open(disk.process(), ROOT, BUDGET, observer);
    }

    /** Ends a process while a driver is given a program. */
    private void crash(int number) {
        open().markers().enter(Entries.digest(number));
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
                } catch (ProgramCacheException e) {
                    return new IOException(e);
                }
            }
            return null;
        });
        DiskCache slower = open();
        assertThat(faster).hasSize(1);
        assertThat(observer.count("crashed")).isEqualTo(1);
        assertThat(slower.markers().isDisabled(Entries.digest(1))).isFalse();
        faster.get(0).close();
        slower.close();
        crash(1);
        assertThat(open().markers().isDisabled(Entries.digest(1))).isTrue();
    }

    @Test
    void oneThatJustJoinsIsNotForgotten() throws Exception {
        DiskCache tidying = open();
        Path joining = ROOT.resolve("processes").resolve("99-0-abc");
        disk.plant(joining, FileFacts.Kind.FILE, new byte[0]);
        SimulatedProcess joiner = disk.process();
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

    @Test
    void anExitWhileADriverIsGivenAProgramIsNoCrash() throws Exception {
        for (int exit = 0; exit < 3; exit++) {
            open().markers().enter(Entries.digest(1));
            disk.exit();
        }
        DiskCache next = open();
        assertThat(observer.count("crashed")).isZero();
        assertThat(next.markers().isDisabled(Entries.digest(1))).isFalse();
        next.close();
        assertThat(disk.exits()).isZero();
    }

    @Test
    void theExitOfOneProcessLeavesTheMarkersOfOthers() throws Exception {
        DiskCache exiting = open();
        open().markers().enter(Entries.digest(1));
        exiting.markers().enter(Entries.digest(2));
        exiting.close();
        disk.kill();
        open().close();
        assertThat(observer.told).containsExactly("crashed " + Entries.digest(1));
    }

    @Test
    void aDriverThatIsGivenAProgramAfterTheEndLeavesNoMarker() throws Exception {
        DiskCache ended = open();
        disk.refuse((operation, path) -> {
            // The exit begins while a marker is written: it is not listed yet.
            if (operation.equals("write") && path.startsWith(ROOT.resolve("loading"))) {
                disk.refuse((later, at) -> null);
                disk.exit();
            }
            return null;
        });
        ended.markers().enter(Entries.digest(1));
        ended.markers().enter(Entries.digest(2));
        assertThat(disk.filesBelow(ROOT.resolve("loading"))).isEmpty();
    }

    @Test
    void aCacheThatIsClosedWhileADriverIsGivenAProgramLeavesNoCrash() throws Exception {
        DiskCache closed = open();
        closed.markers().enter(Entries.digest(1));
        closed.close();
        assertThat(disk.exits()).isZero();
        open().close();
        assertThat(observer.told).isEmpty();
    }

    @Test
    void aFolderThatIsRefusedLeavesNothingToBeDoneAtTheExit() throws Exception {
        open().close();
        disk.refuse((operation, path) -> operation.equals("list") ? new IOException("gone") : null);
        assertThatThrownBy(this::open).isInstanceOf(ProgramCacheException.class);
        assertThat(disk.exits()).isZero();
    }
}
