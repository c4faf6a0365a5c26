// Looks back by the first subgroup of the workgroup; the others wait, and take part when a tile must be reduced. A tile tells
// its own total alone. The last tile of each group of tiles tells the group's total, and then the total of everything up to
// the group's end: so a look passes over many tiles, and nobody waits for a prefix that goes from tile to tile.

#define GROUP 32u
#define NONE 0xFFFFFFFFu

shared uint scanMissingTile;
shared ScanItem scanFound;

// What the first subgroup knows. Tiles from "next" to "stop" are still to be joined to "sum".
struct ScanWay {
    ScanItem sum;
    uint next;
    uint stop;
    ScanItem inGroup;   // what is before the tile in its group, once "isInGroup" is false
    bool isInGroup;
    ScanItem before;    // the groups from "groups" on, up to the tile's
    uint groups;
    bool isWholeGroup;  // whether "sum" is that of the last of the groups that are not in "before" yet
    uint mostPatience;
};

uint scanGroupStatus(uint group) {
    return scanGroupBase + group * PARTS;
}

void scanPublish(uint status, ScanItem item, uint state) {
    for (uint part = gl_SubgroupInvocationID; part < PARTS; part += SCAN_LANES) {
        scanPublishPart(status, item, state, part);
    }
}

uint scanFirstLane(bool holds) {
    uvec4 lanes = subgroupBallot(holds);
    return any(notEqual(lanes, uvec4(0u))) ? subgroupBallotFindLSB(lanes) : SCAN_LANES;
}

// Joins tiles while they are there; returns whether all are.
bool scanJoinTiles(inout ScanWay way) {
    uint lane = gl_SubgroupInvocationID;
    uint patience = PATIENCE;
    while (way.next < way.stop && patience > 0u) {
        ScanItem item = scanNothing();
        uint state = TOTAL;
        if (way.next + lane < way.stop) {
            state = scanState(scanLook(scanTileStatus(way.next + lane)), item);
        }
        uint usable = min(scanFirstLane(state == MISSING), way.stop - way.next);
        if (usable > 0u) {
            if (lane >= usable) {
                item = scanNothing();
            }
            way.sum = scanJoin(way.sum, scanFromLane(scanLanes(item), SCAN_LANES - 1u));
            way.next += usable;
            patience = PATIENCE;
        } else {
            patience = way.mostPatience > 0u ? patience - 1u : 0u;
            way.mostPatience -= min(way.mostPatience, 1u);
        }
    }
    return way.next == way.stop;
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

// Goes back over groups while they are there; returns whether everything is in "before".
bool scanJoinGroups(inout ScanWay way) {
    uint lane = gl_SubgroupInvocationID;
    uint patience = PATIENCE;
    while (way.groups > 0u && patience > 0u) {
        // Beyond the first group there is nothing.
        ScanItem item = scanNothing();
        uint state = PREFIX;
        if (lane < way.groups) {
            state = scanState(scanLook(scanGroupStatus(way.groups - 1u - lane)), item);
        }
        uint nearestPrefix = scanFirstLane(state == PREFIX);
        uint nearestMissing = scanFirstLane(state == MISSING);
        bool found = nearestPrefix < nearestMissing;
        uint usable = found ? nearestPrefix + 1u : nearestMissing;
        if (usable > 0u) {
            if (lane >= usable) {
                item = scanNothing();
            }
            way.before = scanJoin(scanFromLane(scanLanesBackwards(item), 0u), way.before);
            way.groups = found ? 0u : way.groups - usable;
            patience = PATIENCE;
        } else {
            patience = way.mostPatience > 0u ? patience - 1u : 0u;
            way.mostPatience -= min(way.mostPatience, 1u);
        }
    }
    return way.groups == 0u;
}

// Goes on until everything before the tile is known, and returns true, or "next" is missing.
bool scanGoOn(inout ScanWay way, uint tile, ScanItem own, bool stuck) {
    bool tells = !stuck && tile % GROUP == GROUP - 1u;
    bool done = false;
    bool there = true;
    while (!done && there) {
        there = scanJoinTiles(way);
        if (there) {
            if (way.isInGroup) {
                way.isInGroup = false;
                way.inGroup = way.sum;
                if (tells) {
                    scanPublish(scanGroupStatus(tile / GROUP), scanJoin(way.inGroup, own), TOTAL);
                }
            } else if (way.isWholeGroup) {
                way.isWholeGroup = false;
                way.before = scanJoin(way.sum, way.before);
                way.groups--;
            }
            done = scanJoinGroups(way);
            if (!done) {
                // A group is missing: its tiles are joined instead.
                way.sum = scanNothing();
                way.next = (way.groups - 1u) * GROUP;
                way.stop = way.groups * GROUP;
                way.isWholeGroup = true;
            }
        }
    }
    if (done && tells) {
        scanPublish(scanGroupStatus(tile / GROUP), scanJoin(scanJoin(way.before, way.inGroup), own), PREFIX);
    }
    return done;
}

// Everything before a tile.
ScanItem scanLookBack(uint tile, uint taken, ScanItem own, bool stuck) {
    ScanWay way;
    way.sum = scanNothing();
    way.next = tile / GROUP * GROUP;
    way.stop = tile;
    way.inGroup = scanNothing();
    way.isInGroup = true;
    way.before = scanNothing();
    way.groups = tile / GROUP;
    way.isWholeGroup = false;
    way.mostPatience = MOST_PATIENCE;
    if (gl_SubgroupID == 0u && !stuck) {
        scanPublish(scanTileStatus(tile), own, TOTAL);
    }
    while (true) {
        if (gl_SubgroupID == 0u) {
            bool done = scanGoOn(way, tile, own, stuck);
            if (gl_SubgroupInvocationID == 0u) {
                scanMissingTile = done ? NONE : way.next;
                scanFound = scanJoin(way.before, way.inGroup);
            }
        }
        scanBarrier();
        uint missing = scanMissingTile;
        if (missing == NONE) {
            return scanFound;
        }
        ScanItem total = scanReduceTile(missing - scanFirstTile);
        if (gl_SubgroupID == 0u) {
            scanPublish(scanTileStatus(missing), total, TOTAL);
            way.sum = scanJoin(way.sum, total);
            way.next = missing + 1u;
        }
    }
}
