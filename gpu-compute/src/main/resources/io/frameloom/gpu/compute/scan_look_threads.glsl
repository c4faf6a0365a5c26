// Looks back by all threads of the workgroup, each at one tile at a time.

shared uint scanNearestPrefix;
shared uint scanNearestMissing;

void scanPublish(uint tile, ScanItem item, uint state) {
    if (gl_LocalInvocationID.x < SCAN_PARTS) {
        scanPublishPart(tile, item, state, gl_LocalInvocationID.x);
    }
}

// Everything before a tile but the first, which publishes its PREFIX then. Leaves the tile, which this dispatch has taken as number "taken", in shared
// memory, and other sums in scanSums.
ScanItem scanLookBack(uint tile, uint taken, ScanItem total, bool stuck) {
    uint thread = gl_LocalInvocationID.x;
    ScanItem before = scanItem(scanIdentity(), 0u);
    uint patience = SCAN_PATIENCE;
    uint mostPatience = SCAN_MOST_PATIENCE;
    uint end = tile;
    bool found = false;
    bool reduced = false;
    while (!found) {
        // Beyond the first tile there is nothing.
        ScanItem item = scanItem(scanIdentity(), 0u);
        uint state = SCAN_PREFIX;
        if (thread < end) {
            state = scanState(scanLook(end - 1u - thread), item);
        }
        if (thread == 0u) {
            scanNearestPrefix = SCAN_THREADS;
            scanNearestMissing = SCAN_THREADS;
        }
        scanBarrier();
        if (state == SCAN_PREFIX) {
            atomicMin(scanNearestPrefix, thread, gl_ScopeWorkgroup, 0, 0);
        } else if (state == SCAN_MISSING) {
            atomicMin(scanNearestMissing, thread, gl_ScopeWorkgroup, 0, 0);
        }
        scanBarrier();
        found = scanNearestPrefix < scanNearestMissing;
        uint usable = found ? scanNearestPrefix + 1u : scanNearestMissing;
        if (usable > 0u) {
            if (thread >= usable) {
                item = scanItem(scanIdentity(), 0u);
            }
            scanSums[thread] = item;
            scanBarrier();
            for (uint step = 1u; step < usable; step *= 2u) {
                if (thread % (2u * step) == 0u) {
                    scanSums[thread] = scanJoin(scanSums[thread + step], scanSums[thread]);
                }
                scanBarrier();
            }
            before = scanJoin(scanSums[0], before);
            end -= min(usable, end);
            patience = SCAN_PATIENCE;
        } else if (patience > 0u && mostPatience > 0u) {
            patience--;
            mostPatience--;
        } else {
            end--;
            ScanItem missing;
            scanSumTile(end - scanFirstTile, missing);
            reduced = true;
            scanPublish(end, missing, SCAN_TOTAL);
            before = scanJoin(missing, before);
            found = end == 0u;
            patience = SCAN_PATIENCE;
        }
        scanBarrier();
    }
    if (!stuck) {
        scanPublish(tile, scanJoin(before, total), SCAN_PREFIX);
    }
    if (reduced) {
        scanLoadTile(taken);
        scanBarrier();
    }
    return before;
}
