// Looks back by the first subgroup of the workgroup, each lane at one tile at a time: with more of them the looks of one
// workgroup hold up those of others. The other subgroups wait, and take part when a tile must be reduced.

#define SCAN_NONE 0xFFFFFFFFu

shared uint scanMissingTile;
shared ScanItem scanFound;

void scanPublish(uint tile, ScanItem item, uint state) {
    if (gl_SubgroupID == 0u) {
        for (uint part = gl_SubgroupInvocationID; part < SCAN_PARTS; part += SCAN_LANES) {
            scanPublishPart(tile, item, state, part);
        }
    }
}

// The items of the lanes, the last lane's first; to lane 0.
ScanItem scanLanesBackwards(ScanItem item) {
    [[unroll]] for (uint distance = 1u; distance < SCAN_MOST_LANES; distance *= 2u) {
        if (distance < SCAN_LANES) {
            ScanItem above = scanFromLaneAbove(item, distance);
            if (gl_SubgroupInvocationID + distance < SCAN_LANES) {
                item = scanJoin(above, item);
            }
        }
    }
    return item;
}

// Goes back from a tile until everything is there or a tile stays missing. Returns the first tile that is not in "before"
// yet as "end", 0 when there is none.
void scanGoBack(inout ScanItem before, inout uint end, inout uint mostPatience) {
    uint lane = gl_SubgroupInvocationID;
    uint patience = SCAN_PATIENCE;
    bool found = false;
    while (!found && patience > 0u) {
        ScanItem item;
        uint state = scanState(scanLook(lane < end ? end - 1u - lane : 0u), item);
        // Beyond the first tile there is nothing.
        if (lane >= end) {
            state = SCAN_PREFIX;
            item = scanNothing();
        }
        uvec4 prefixes = subgroupBallot(state == SCAN_PREFIX);
        uvec4 missing = subgroupBallot(state == SCAN_MISSING);
        uint nearestPrefix = any(notEqual(prefixes, uvec4(0u))) ? subgroupBallotFindLSB(prefixes) : SCAN_LANES;
        uint nearestMissing = any(notEqual(missing, uvec4(0u))) ? subgroupBallotFindLSB(missing) : SCAN_LANES;
        found = nearestPrefix < nearestMissing;
        uint usable = found ? nearestPrefix + 1u : nearestMissing;
        SCAN_COUNT(0u, 1u);
        SCAN_COUNT(1u, usable == 0u ? 1u : 0u);
        SCAN_COUNT(2u, min(usable, end));
        if (usable > 0u) {
            if (lane >= usable) {
                item = scanNothing();
            }
            before = scanJoin(scanFromLane(scanLanesBackwards(item), 0u), before);
            end -= min(usable, end);
            patience = SCAN_PATIENCE;
        } else {
            patience = mostPatience > 0u ? patience - 1u : 0u;
            mostPatience -= min(mostPatience, 1u);
        }
    }
    if (found) {
        end = 0u;
    }
}

// Goes back from a tile by the first subgroup and tells the others what came of it: everything before the tile, which
// publishes its PREFIX before they are told, since the tiles behind wait for that, or the tile that is missing.
void scanGoBackAndTell(uint tile, ScanItem total, bool stuck, inout ScanItem before, inout uint end,
                       inout uint mostPatience) {
    if (gl_SubgroupID == 0u) {
        if (end > 0u) {
            scanGoBack(before, end, mostPatience);
        }
        if (end == 0u && !stuck) {
            scanPublish(tile, scanJoin(before, total), SCAN_PREFIX);
        }
        if (gl_SubgroupInvocationID == 0u) {
            scanMissingTile = end == 0u ? SCAN_NONE : end - 1u;
            scanFound = before;
        }
    }
    scanBarrier();
}

void scanStoreCounts(uint tile) {
#ifdef SCAN_COUNTS
    if (gl_SubgroupID == 0u && gl_SubgroupInvocationID == 0u) {
        for (uint count = 0u; count < SCAN_COUNTS; count++) {
            scanStatus[scanStatusBase + tile * SCAN_TILE_WORDS + SCAN_PARTS + count] = scanCounts[count];
        }
    }
#endif
}

// Everything before a tile but the first. The first way back, which mostly ends with all of it, stands apart from the loop
// over what is missing: in one loop with what reduces a tile, NVIDIA's compiler moves parts of every loaded tile out of
// registers, whether anything is missing or not.
ScanItem scanLookBack(uint tile, uint taken, ScanItem total, bool stuck) {
    ScanItem before = scanNothing();
    uint mostPatience = SCAN_MOST_PATIENCE;
    uint end = tile;
    scanGoBackAndTell(tile, total, stuck, before, end, mostPatience);
    if (scanMissingTile == SCAN_NONE) {
        scanStoreCounts(tile);
        return scanFound;
    }
    scanBarrier();
    while (true) {
        scanGoBackAndTell(tile, total, stuck, before, end, mostPatience);
        uint missing = scanMissingTile;
        if (missing == SCAN_NONE) {
            scanStoreCounts(tile);
            return scanFound;
        }
        ScanItem reduced = scanReduceTile(missing - scanFirstTile);
        scanPublish(missing, reduced, SCAN_TOTAL);
        SCAN_COUNT(3u, 1u);
        before = scanJoin(reduced, before);
        end = missing;
    }
}
