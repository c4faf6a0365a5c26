package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Writes down what a disk cache tells. */
public final class RecordingObserver implements DiskObserver {
    /** What was told, one word and one name each. */
    public final List<String> told = Collections.synchronizedList(new ArrayList<>());

    /** Largest number of bytes that all stores held after a write. */
    public volatile long largest;

    @Override
    public void damaged(EntryDamage damage) {
        told.add("damaged " + damage);
    }

    @Override
    public void written(Digest digest, long bytes, long before, long after) {
        told.add("written " + digest);
        largest = Math.max(largest, after);
    }

    @Override
    public void evicted(Digest digest, long bytes) {
        told.add("evicted " + digest);
    }

    @Override
    public void vanished(Digest digest) {
        told.add("vanished " + digest);
    }

    @Override
    public void writeFailed(IOException reason) {
        told.add("failed " + reason.getMessage());
    }

    @Override
    public void crashed(Digest digest) {
        told.add("crashed " + digest);
    }

    @Override
    public void litterRemoved(String name) {
        told.add("litter " + name);
    }

    /** Returns how many times something beginning so was told. */
    public long count(String start) {
        synchronized (told) {
            return told.stream().filter(line -> line.startsWith(start)).count();
        }
    }
}
