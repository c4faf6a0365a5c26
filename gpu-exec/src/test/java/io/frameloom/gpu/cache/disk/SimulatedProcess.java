package io.frameloom.gpu.cache.disk;

import io.frameloom.gpu.cache.disk.DiskNames.Inode;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What one process sees of a {@link SimulatedDisk}. */
public final class SimulatedProcess implements StoreFiles {
    private final SimulatedDisk disk;
    private final DiskNames names;
    private final String name;

    SimulatedProcess(SimulatedDisk disk, String name) {
        this.disk = disk;
        this.names = disk.names();
        this.name = name;
    }

    @Override
    public @Nullable FileFacts facts(Path path) throws IOException {
        synchronized (disk) {
            disk.called("facts", path);
            Inode inode = names.find(path);
            return inode == null
                    ? null
                    : new FileFacts(String.valueOf(path.getFileName()), inode.kind, inode.bytes.length, inode.modified);
        }
    }

    @Override
    public List<FileFacts> list(Path folder) throws IOException {
        synchronized (disk) {
            disk.called("list", folder);
            names.existing(folder);
            List<FileFacts> found = new ArrayList<>();
            for (Path path : names.entries(folder)) {
                found.add(Objects.requireNonNull(facts(path)));
            }
            return found;
        }
    }

    @Override
    public void createFolder(Path folder) throws IOException {
        synchronized (disk) {
            disk.step("createFolder", folder);
            names.requireParent(folder);
            if (names.find(folder) != null) {
                throw new FileAlreadyExistsException(folder.toString());
            }
            names.rename(null, folder, new Inode(FileFacts.Kind.FOLDER));
        }
    }

    @Override
    public byte[] read(Path file, long limit) throws IOException {
        synchronized (disk) {
            disk.called("read", file);
            byte[] bytes = names.existing(file).bytes;
            return Arrays.copyOf(bytes, (int) Math.min(limit, bytes.length));
        }
    }

    @Override
    public void write(Path file, byte[] bytes) throws IOException {
        synchronized (disk) {
            disk.called("write", file);
            names.requireParent(file);
            if (names.find(file) != null) {
                throw new FileAlreadyExistsException(file.toString());
            }
            Inode inode = new Inode(FileFacts.Kind.FILE);
            boolean ended = disk.takeStep();
            inode.bytes = ended ? Arrays.copyOf(bytes, bytes.length / 2) : bytes.clone();
            inode.modified = disk.tick();
            names.rename(null, file, inode);
            if (ended) {
                throw new SimulatedDisk.Ended();
            }
        }
    }

    @Override
    public void force(Path file) throws IOException {
        disk.forcing(file);
        synchronized (disk) {
            disk.step("force", file);
            names.existing(file).forced = true;
        }
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        synchronized (disk) {
            disk.step("move", from);
            Inode inode = names.existing(from);
            Inode replaced = names.find(to);
            if (replaced != null && replaced.kind == FileFacts.Kind.FOLDER) {
                throw new IOException(to + ": is a folder");
            }
            names.rename(from, to, inode);
        }
    }

    @Override
    public void forceFolder(Path folder) throws IOException {
        synchronized (disk) {
            disk.step("forceFolder", folder);
            names.existing(folder);
            names.force(folder);
        }
    }

    @Override
    public void delete(Path path) throws IOException {
        synchronized (disk) {
            if (names.find(path) == null) {
                disk.called("delete", path);
                return;
            }
            disk.step("delete", path);
            if (!names.entries(path).isEmpty()) {
                throw new DirectoryNotEmptyException(path.toString());
            }
            names.rename(path, null, names.existing(path));
        }
    }

    @Override
    public void touch(Path file, long millis) throws IOException {
        synchronized (disk) {
            disk.called("touch", file);
            names.existing(file).modified = millis;
        }
    }

    @Override
    public @Nullable Hold tryHold(Path file) throws IOException {
        synchronized (disk) {
            disk.called("tryHold", file);
            Inode inode = names.existing(file);
            if (inode.holder != null) {
                return null;
            }
            inode.holder = this;
            return () -> {
                synchronized (disk) {
                    inode.holder = null;
                }
            };
        }
    }

    @Override
    public AtExit atExit(Runnable work) {
        disk.addExit(work);
        return () -> disk.removeExit(work);
    }

    @Override
    public long nowMillis() {
        return disk.tick();
    }

    @Override
    public String processName() {
        return name;
    }
}
