package io.frameloom.gpu.cache.disk;

import java.io.IOException;

/** An observer that looks away; to override in part. */
class SilentObserver implements DiskObserver {
    @Override
    public void damaged(EntryDamage damage) {}

    @Override
    public void incompatibleStore(String store) {}

    @Override
    public void written(Digest digest, long bytes, long before, long after) {}

    @Override
    public void evicted(Digest digest, long bytes) {}

    @Override
    public void vanished(Digest digest) {}

    @Override
    public void writeFailed(IOException reason) {}

    @Override
    public void crashed(Digest digest) {}

    @Override
    public void litterRemoved(String name) {}

    @Override
    public void patienceLost(String name) {}
}
