package io.frameloom.gpu.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.cache.ProgramCacheException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A folder that cannot be a cache is refused with its name and the reason; what is no cache is left as it was. */
@Timeout(60)
class FolderOpeningTest {
    private static final Path HOME = Path.of("/home");
    private static final Path ROOT = HOME.resolve("a/cache");
    private static final long BUDGET = 1 << 20;

    private final SimulatedDisk disk = new SimulatedDisk(Path.of("/"), HOME);
    private final RecordingObserver observer = new RecordingObserver();

    private DiskCache open() {
        return DiskCache.open(disk.process(), ROOT, BUDGET, observer);
    }

    private void refused(String reason) {
        Map<Path, String> before = disk.contents();
        assertThatThrownBy(this::open)
                .isInstanceOf(ProgramCacheException.class)
                .hasMessageStartingWith("cache folder " + ROOT + " ")
                .hasMessageContaining(reason);
        assertThat(disk.contents()).isEqualTo(before);
    }

    @Test
    void aNewFolderIsMadeWithItsParents() throws Exception {
        open().close();
        open().close();
        assertThat(disk.filesBelow(ROOT)).containsExactly(ROOT.resolve("frameloom-cache"));
    }

    @Test
    void anEmptyFolderIsTaken() throws Exception {
        disk.plant(HOME.resolve("a"), FileFacts.Kind.FOLDER, new byte[0]);
        disk.plant(ROOT, FileFacts.Kind.FOLDER, new byte[0]);
        open().close();
    }

    @Test
    void anythingButAFolderIsRefused() {
        disk.plant(HOME.resolve("a"), FileFacts.Kind.FOLDER, new byte[0]);
        disk.plant(ROOT, FileFacts.Kind.FILE, new byte[0]);
        refused("is a file");
        disk.plant(ROOT, FileFacts.Kind.LINK, new byte[0]);
        refused("is a symbolic link");
        disk.plant(ROOT, FileFacts.Kind.OTHER, new byte[0]);
        refused("is no folder");
    }

    @Test
    void aForeignFolderIsRefused() {
        disk.plant(HOME.resolve("a"), FileFacts.Kind.FOLDER, new byte[0]);
        disk.plant(ROOT, FileFacts.Kind.FOLDER, new byte[0]);
        disk.plant(ROOT.resolve("letter.txt"), FileFacts.Kind.FILE, new byte[0]);
        refused("holds 'letter.txt'");
    }

    @Test
    void aMarkerThatSaysSomethingElseIsRefused() {
        disk.plant(HOME.resolve("a"), FileFacts.Kind.FOLDER, new byte[0]);
        disk.plant(ROOT, FileFacts.Kind.FOLDER, new byte[0]);
        disk.plant(ROOT.resolve("frameloom-cache"), FileFacts.Kind.FILE, "more".getBytes(StandardCharsets.UTF_8));
        refused("says something else");
        disk.plant(ROOT.resolve("frameloom-cache"), FileFacts.Kind.LINK, new byte[0]);
        refused("says something else");
    }

    private void notLookedAt(String reason) {
        assertThatThrownBy(() -> FolderContents.of(disk.process(), ROOT))
                .isInstanceOf(ProgramCacheException.class)
                .hasMessageStartingWith("cache folder " + ROOT + " ")
                .hasMessageContaining(reason);
    }

    @Test
    void whatIsNoCacheIsNotLookedAtAndNotMadeOne() {
        disk.plant(HOME.resolve("a"), FileFacts.Kind.FOLDER, new byte[0]);
        notLookedAt("is not there");
        disk.plant(ROOT, FileFacts.Kind.FILE, new byte[0]);
        notLookedAt("is a file");
        disk.plant(ROOT, FileFacts.Kind.LINK, new byte[0]);
        notLookedAt("is a symbolic link");
        disk.plant(ROOT, FileFacts.Kind.FOLDER, new byte[0]);
        notLookedAt("holds no file 'frameloom-cache'");
        disk.plant(ROOT.resolve("frameloom-cache"), FileFacts.Kind.FILE, "more".getBytes(StandardCharsets.UTF_8));
        notLookedAt("says something else");
        disk.refuse((operation, path) -> new IOException("torn cable"));
        notLookedAt("cannot be read: torn cable; ");
    }

    @Test
    void aCacheWhoseFoldersAreLinksIsRefused() throws Exception {
        open().close();
        disk.plant(ROOT.resolve("loading"), FileFacts.Kind.LINK, new byte[0]);
        refused("loading is no folder");
    }

    @Test
    void wheneverTheDiskRefusesTheNextStartGoesOn() throws Exception {
        List<String> operations = List.of("createFolder", "write", "force", "move", "forceFolder", "tryHold", "list");
        for (String refused : operations) {
            for (int calls = 0; ; calls++) {
                SimulatedDisk fresh = new SimulatedDisk(Path.of("/"), HOME);
                int[] left = {calls};
                fresh.refuse((operation, path) -> operation.equals(refused) && left[0]-- == 0
                        ? new AccessDeniedException(path.toString())
                        : null);
                boolean writable = false;
                try (DiskCache cache = DiskCache.open(fresh.process(), ROOT, BUDGET, observer)) {
                    writable = cache.isWritable();
                } catch (ProgramCacheException e) {
                    assertThat(e).hasMessageStartingWith("cache folder " + ROOT + " ");
                    assertThat(e).hasMessageContaining("access denied to ");
                }
                if (writable) {
                    break;
                }
                fresh.refuse((operation, path) -> null);
                try (DiskCache cache = DiskCache.open(fresh.process(), ROOT, BUDGET, observer)) {
                    assertThat(cache.isWritable()).as("%s %d", refused, calls).isTrue();
                    cache.tidy();
                    assertThat(fresh.filesBelow(ROOT.resolve("processes"))).hasSize(1);
                    assertThat(fresh.filesBelow(ROOT))
                            .noneMatch(path -> path.toString().endsWith(CacheLayout.TMP));
                }
            }
        }
    }

    @Test
    void aProcessWhoseFileIsTakenForADeadOnesTakesAnother() throws Exception {
        open().close();
        SimulatedProcess tidying = disk.process();
        List<Path> taken = new ArrayList<>();
        disk.refuse((operation, path) -> {
            if (taken.isEmpty() && operation.equals("tryHold")) {
                taken.add(path);
            } else if (taken.size() == 1 && operation.equals("facts") && path.equals(taken.get(0))) {
                taken.add(path);
                try {
                    tidying.delete(path);
                } catch (IOException e) {
                    return e;
                }
            }
            return null;
        });
        try (DiskCache cache = open()) {
            assertThat(taken).hasSize(2);
            assertThat(disk.filesBelow(ROOT.resolve("processes"))).hasSize(1).doesNotContain(taken.get(0));
            assertThat(cache.markers().isDisabled(Entries.digest(1))).isFalse();
        }
    }

    @Test
    void aFullDiskIsSaidInOneLine() {
        disk.refuse(
                (operation, path) -> operation.equals("write") ? new IOException("No space left\n on device") : null);
        assertThatThrownBy(this::open)
                .isInstanceOf(ProgramCacheException.class)
                .hasMessage("cache folder " + ROOT + " cannot be written: No space left on device; make room, give the"
                        + " rights to it, or name another folder");
    }

    private void plantFolder() {
        disk.plant(HOME.resolve("a"), FileFacts.Kind.FOLDER, new byte[0]);
        disk.plant(ROOT, FileFacts.Kind.FOLDER, new byte[0]);
    }

    @Test
    void aMarkerThatNobodyFinishedLeavesAFolderEmpty() throws Exception {
        plantFolder();
        disk.plant(ROOT.resolve("frameloom-cache.1-2-3.tmp"), FileFacts.Kind.FILE, new byte[0]);
        open().close();
        assertThat(disk.filesBelow(ROOT)).contains(ROOT.resolve("frameloom-cache"));
    }

    @Test
    void whatIsOnlyNamedLikeAnUnfinishedMarkerIsForeign() {
        for (String name : List.of("letter.tmp", "frameloom-cache.txt")) {
            disk.plant(HOME.resolve("a"), FileFacts.Kind.FOLDER, new byte[0]);
            disk.plant(ROOT, FileFacts.Kind.FOLDER, new byte[0]);
            disk.plant(ROOT.resolve(name), FileFacts.Kind.FILE, new byte[0]);
            refused("holds '" + name + "'");
            disk.kill();
        }
    }

    /** Another process tidies while the marker is made. */
    private void takeDraft(boolean markerIsMade) {
        SimulatedProcess other = disk.process();
        boolean[] done = {false};
        disk.refuse((operation, path) -> {
            if (!done[0] && operation.equals("force") && FolderOpening.isDraft(String.valueOf(path.getFileName()))) {
                done[0] = true;
                try {
                    if (markerIsMade) {
                        other.write(
                                ROOT.resolve("frameloom-cache"),
                                CacheLayout.MARKER_TEXT.getBytes(StandardCharsets.UTF_8));
                    }
                    other.delete(path);
                } catch (IOException e) {
                    return e;
                }
            }
            return null;
        });
    }

    @Test
    void aFasterProcessMayMakeTheMarkerAndTakeTheDraftForLitter() throws Exception {
        takeDraft(true);
        open().close();
        disk.refuse((operation, path) -> null);
        open().close();
    }

    @Test
    void aDraftThatIsGoneWithoutAMarkerIsAFailure() {
        takeDraft(false);
        assertThatThrownBy(this::open)
                .isInstanceOf(ProgramCacheException.class)
                .hasMessageContaining("cannot be written");
    }

    /** Puts something where a folder is about to be made. */
    private void inTheWay(FileFacts.Kind kind) {
        boolean[] done = {false};
        disk.refuse((operation, path) -> {
            if (!done[0] && operation.equals("createFolder") && path.equals(ROOT.resolve("loading"))) {
                done[0] = true;
                disk.plant(path, kind, new byte[0]);
            }
            return null;
        });
    }

    @Test
    void aFasterProcessMayMakeAFolder() throws Exception {
        inTheWay(FileFacts.Kind.FOLDER);
        open().close();
    }

    @Test
    void whatAppearsInThePlaceOfAFolderIsRefused() {
        inTheWay(FileFacts.Kind.FILE);
        assertThatThrownBy(this::open).isInstanceOf(ProgramCacheException.class).hasMessageContaining("loading");
    }
}
