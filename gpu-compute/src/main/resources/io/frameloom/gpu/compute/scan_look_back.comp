#version 450
#pragma optimised_code
#extension GL_KHR_memory_scope_semantics : require
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#ifdef SCAN_SUBGROUPS
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#define SCAN_CELL uvec4
#define SCAN_UNROLL_REDUCE [[dont_unroll]]
#define SCAN_UNROLL_JOIN [[unroll]]
#else
#define SCAN_CELL uint
#endif

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

layout(set = 0, binding = 0) nonprivate readonly buffer ScanInput { SCAN_CELL scanInput[]; };
layout(set = 0, binding = 1) buffer ScanStatus { uint scanStatus[]; };
layout(set = 0, binding = 2) nonprivate writeonly buffer ScanOutput { SCAN_CELL scanOutput[]; };
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

#include "scan_items.glsl"
#ifdef SCAN_SUBGROUPS
#include "scan_registers.glsl"
#else
#include "scan_tile.glsl"
#endif

#define SCAN_MISSING 0u
#define SCAN_TOTAL 1u
#define SCAN_PREFIX 2u

#ifdef SCAN_SEGMENTED
#define SCAN_PARTS (2u * SCAN_WORDS + 1u)
#else
#define SCAN_PARTS (2u * SCAN_WORDS)
#endif

// What a tile publishes, and behind it how it looked back, if that is asked for: turns, turns in vain, tiles passed, and
// tiles reduced for others.
#ifdef SCAN_COUNTS
#define SCAN_TILE_WORDS (SCAN_PARTS + SCAN_COUNTS)
uint scanCounts[SCAN_COUNTS] = uint[SCAN_COUNTS](0u, 0u, 0u, 0u);
#define SCAN_COUNT(what, many) scanCounts[what] += many
#else
#define SCAN_TILE_WORDS SCAN_PARTS
#define SCAN_COUNT(what, many)
#endif

// Looks in vain at all tiles together, before those that are missing are reduced here at once; SCAN_PATIENCE is that for
// one tile. Keeps every invocation well below 65,535 turns of its loops, where some drivers cut it.
#define SCAN_MOST_PATIENCE 256u

shared uint scanTaken;

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
void scanPublishPart(uint tile, ScanItem item, uint state, uint part) {
    uint bits = scanWord(item, part / 2u) >> (part % 2u * 16u) & 0xFFFFu;
    atomicMax(scanStatus[scanStatusBase + tile * SCAN_TILE_WORDS + part], state << 16 | bits, gl_ScopeDevice, 0, 0);
}

struct ScanStatuses {
    uint parts[SCAN_PARTS];
};

ScanStatuses scanLook(uint tile) {
    ScanStatuses statuses;
    uint at = scanStatusBase + tile * SCAN_TILE_WORDS;
    [[unroll]] for (uint part = 0u; part < SCAN_PARTS; part++) {
        statuses.parts[part] = atomicLoad(scanStatus[at + part], gl_ScopeDevice, 0, 0);
    }
    return statuses;
}

// The state that statuses agree on, and their item unless that is MISSING.
uint scanState(ScanStatuses statuses, out ScanItem item) {
    uint words[5] = uint[5](0u, 0u, 0u, 0u, 0u);
    uint state = statuses.parts[0] >> 16;
    bool agreed = true;
    [[unroll]] for (uint part = 0u; part < SCAN_PARTS; part++) {
        agreed = agreed && statuses.parts[part] >> 16 == state;
        words[part / 2u] |= (statuses.parts[part] & 0xFFFFu) << (part % 2u * 16u);
    }
    item = scanItem(SCAN_VALUE(words, 0, 1u), words[SCAN_WORDS]);
    return agreed ? state : SCAN_MISSING;
}

// The last tile of a dispatch is not: the next dispatch begins when this one has ended, so it finds all of it published.
bool scanIsStuck(uint tile, uint taken) {
#ifdef SCAN_STUCK
    return (taken + 1u) * SCAN_TILE < scanCount && (SCAN_STUCK);
#else
    return false;
#endif
}

#ifdef SCAN_SUBGROUPS
#include "scan_look_lanes.glsl"
#else
#include "scan_look_threads.glsl"
#endif

void main() {
    uint thread = gl_LocalInvocationID.x;
#ifdef SCAN_IN_GROUP_ORDER
    uint taken = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
#else
    if (thread == 0u) {
        scanTaken = atomicAdd(scanStatus[scanTicket], 1u, gl_ScopeDevice, 0, 0);
    }
    scanBarrier();
    uint taken = scanTaken;
#endif
    if (taken * SCAN_TILE >= scanCount) {
        return;
    }
    uint tile = scanFirstTile + taken;
    ScanItem total;
    ScanItem own = scanSumTile(taken, total);
    bool stuck = scanIsStuck(tile, taken);
    ScanItem before = scanItem(scanIdentity(), 0u);
    if (tile > 0u) {
        if (!stuck) {
            scanPublish(tile, total, SCAN_TOTAL);
        }
        before = scanLookBack(tile, taken, total, stuck);
    } else if (!stuck) {
        scanPublish(tile, total, SCAN_PREFIX);
    }
    scanFinishTile(taken, scanJoin(before, own));
}
