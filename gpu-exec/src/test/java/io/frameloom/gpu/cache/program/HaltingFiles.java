package io.frameloom.gpu.cache.program;

import io.frameloom.gpu.cache.disk.FileFacts;
import io.frameloom.gpu.cache.disk.NativeFiles;
import io.frameloom.gpu.cache.disk.StoreFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Real files, of which one change never ends: the process does, as if it had been killed in the middle of it. */
final class HaltingFiles implements StoreFiles {
    private final StoreFiles files = new NativeFiles();
    private final AtomicInteger stepsLeft;
    private final int status;

    HaltingFiles(int step, int status) {
        stepsLeft = new AtomicInteger(step);
        this.status = status;
    }

    private boolean isLast() {
        return stepsLeft.decrementAndGet() == 0;
    }

    private void step() {
        if (isLast()) {
            Runtime.getRuntime().halt(status);
        }
    }

    @Override
    public @Nullable FileFacts facts(Path path) throws IOException {
        return files.facts(path);
    }

    @Override
    public List<FileFacts> list(Path folder) throws IOException {
        return files.list(folder);
    }

    @Override
    public void createFolder(Path folder) throws IOException {
        step();
        files.createFolder(folder);
    }

    @Override
    public byte[] read(Path file, long limit) throws IOException {
        return files.read(file, limit);
    }

    @Override
    public void write(Path file, byte[] bytes) throws IOException {
        if (isLast()) {
            files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
            Runtime.getRuntime().halt(status);
        }
        files.write(file, bytes);
    }

    @Override
    public void force(Path file) throws IOException {
        step();
        files.force(file);
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        step();
        files.move(from, to);
    }

    @Override
    public void forceFolder(Path folder) throws IOException {
        step();
        files.forceFolder(folder);
    }

    @Override
    public void delete(Path path) throws IOException {
        if (files.facts(path) != null) {
            step();
        }
        files.delete(path);
    }

    @Override
    public void touch(Path file, long millis) throws IOException {
        step();
        files.touch(file, millis);
    }

    @Override
    public @Nullable Hold tryHold(Path file) throws IOException {
        return files.tryHold(file);
    }

    @Override
    public long nowMillis() {
        return files.nowMillis();
    }

    @Override
    public String processName() {
        return files.processName();
    }

    @Override
    public AtExit atExit(Runnable work) {
        return files.atExit(work);
    }
}
