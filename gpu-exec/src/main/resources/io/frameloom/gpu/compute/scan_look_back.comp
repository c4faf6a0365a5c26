#version 450
#extension GL_KHR_memory_scope_semantics : require
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// A scan in one dispatch. Each workgroup takes the next tile, publishes the tile's total, looks back over the totals of
// the tiles before until one tells the total of everything up to it, and publishes its own such total.
//
// Nobody promises that another workgroup gets on. So nobody is waited for: after a few looks in vain the workgroup reduces
// the tile that is missing itself, publishes its total for everybody, and goes on. The input is not written meanwhile.
//
// A published item is cut into halves of words, each in an atomic word of its own beside the item's state. Half by half,
// an item goes from MISSING through TOTAL to PREFIX; the TOTAL of a tile is the same whoever computes it, and only the
// tile's own workgroup knows its PREFIX. So halves that agree on the state are halves of one item, in whatever order they
// become visible, and no memory needs to be ordered.

layout(local_size_x = SCAN_THREADS) in;

layout(set = 0, binding = 0) readonly buffer ScanInput { uint scanInput[]; };
layout(set = 0, binding = 1) buffer ScanStatus { uint scanStatus[]; };
layout(set = 0, binding = 2) writeonly buffer ScanOutput { uint scanOutput[]; };
#ifdef SCAN_HEADS
layout(set = 0, binding = 3) readonly buffer ScanHeads { uint scanHeads[]; };
#endif

layout(push_constant) uniform ScanPush {
    uint scanCount;      // elements of this dispatch
    uint scanInputBase;  // word of the first element
    uint scanOutputBase; // word of the first result
    uint scanHeadsBase;  // bit of the first element
    uint scanExclusive;
    uint scanTicket;     // word that counts the tiles that are taken
    uint scanFirstTile;  // tiles before this dispatch
    uint scanStatusBase; // word of the status of the very first tile
};

#include "scan_tile.glsl"

#define MISSING 0u
#define TOTAL 1u
#define PREFIX 2u

#ifdef SCAN_SEGMENTED
#define PARTS (2u * SCAN_WORDS + 1u)
#else
#define PARTS (2u * SCAN_WORDS)
#endif

// Looks in vain at one tile before it is reduced here, and at all tiles together. The second keeps every invocation well
// below 65,535 turns of its loops, where some drivers cut it.
#define PATIENCE 16u
#define MOST_PATIENCE 256u

shared uint scanTaken;
shared uint scanNearestPrefix;
shared uint scanNearestMissing;

uint scanWord(ScanItem item, uint word) {
#if SCAN_WORDS == 1
    uint bits = SCAN_TO(item.value);
#else
    uint bits = SCAN_TO(item.value[min(word, SCAN_WORDS - 1u)]);
#endif
#ifdef SCAN_SEGMENTED
    bits = word == SCAN_WORDS ? item.head : bits;
#endif
    return bits;
}

// A TOTAL replaces nothing but MISSING, a PREFIX everything.
void scanPublish(uint tile, ScanItem item, uint state) {
    uint part = gl_LocalInvocationID.x;
    if (part < PARTS) {
        uint bits = scanWord(item, part / 2u) >> (part % 2u * 16u) & 0xFFFFu;
        atomicMax(scanStatus[scanStatusBase + tile * PARTS + part], state << 16 | bits);
    }
}

// The state of a tile, and its item unless that is MISSING.
uint scanLook(uint tile, out ScanItem item) {
    uint at = scanStatusBase + tile * PARTS;
    uint words[5] = uint[5](0u, 0u, 0u, 0u, 0u);
    uint state = 0u;
    bool agreed = true;
    [[unroll]] for (uint part = 0u; part < PARTS; part++) {
        uint status = atomicLoad(scanStatus[at + part], gl_ScopeDevice, 0, 0);
        agreed = agreed && (part == 0u || status >> 16 == state);
        state = status >> 16;
        words[part / 2u] |= (status & 0xFFFFu) << (part % 2u * 16u);
    }
    item = scanItem(SCAN_VALUE(words, 0, 1u), words[SCAN_WORDS]);
    return agreed ? state : MISSING;
}

bool scanIsStuck(uint tile) {
#ifdef SCAN_STUCK
    return SCAN_STUCK;
#else
    return false;
#endif
}

// Everything before a tile but the first. Leaves other sums in scanSums, and perhaps another tile in shared memory.
ScanItem scanLookBack(uint tile, out bool reduced) {
    uint thread = gl_LocalInvocationID.x;
    ScanItem before = scanItem(scanIdentity(), 0u);
    uint patience = PATIENCE;
    uint mostPatience = MOST_PATIENCE;
    uint end = tile;
    bool found = false;
    reduced = false;
    while (!found) {
        // Each thread looks at one tile, and beyond the first tile there is nothing.
        ScanItem item = scanItem(scanIdentity(), 0u);
        uint state = PREFIX;
        if (thread < end) {
            state = scanLook(end - 1u - thread, item);
        }
        if (thread == 0u) {
            scanNearestPrefix = SCAN_THREADS;
            scanNearestMissing = SCAN_THREADS;
        }
        scanBarrier();
        if (state == PREFIX) {
            atomicMin(scanNearestPrefix, thread);
        } else if (state == MISSING) {
            atomicMin(scanNearestMissing, thread);
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
            patience = PATIENCE;
        } else if (patience > 0u && mostPatience > 0u) {
            patience--;
            mostPatience--;
        } else {
            end--;
            scanSumTile(end - scanFirstTile);
            reduced = true;
            scanPublish(end, scanSums[SCAN_THREADS - 1], TOTAL);
            before = scanJoin(scanSums[SCAN_THREADS - 1], before);
            found = end == 0u;
            patience = PATIENCE;
        }
        scanBarrier();
    }
    return before;
}

void main() {
    uint thread = gl_LocalInvocationID.x;
#ifdef SCAN_IN_GROUP_ORDER
    uint taken = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
#else
    if (thread == 0u) {
        scanTaken = atomicAdd(scanStatus[scanTicket], 1u);
    }
    scanBarrier();
    uint taken = scanTaken;
#endif
    if (taken * SCAN_TILE >= scanCount) {
        return;
    }
    uint tile = scanFirstTile + taken;
    scanSumTile(taken);
    ScanItem total = scanSums[SCAN_THREADS - 1];
    ScanItem own = scanItem(scanIdentity(), 0u);
    if (thread > 0u) {
        own = scanSums[thread - 1u];
    }
    scanBarrier();
    bool stuck = scanIsStuck(tile);
    ScanItem before = scanItem(scanIdentity(), 0u);
    if (tile > 0u) {
        if (!stuck) {
            scanPublish(tile, total, TOTAL);
        }
        bool reduced;
        before = scanLookBack(tile, reduced);
        if (reduced) {
            scanLoadTile(taken);
            scanBarrier();
        }
    }
    if (!stuck) {
        scanPublish(tile, scanJoin(before, total), PREFIX);
    }
    scanFinishTile(taken, scanJoin(before, own));
}
