#version 450
#extension GL_KHR_memory_scope_semantics : require
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#ifdef SCAN_SUBGROUPS
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#define SCAN_CELL uvec4
#define SCAN_UNROLL_REDUCE [[unroll]]
#define SCAN_UNROLL_JOIN
#else
#define SCAN_CELL uint
#endif

// One tile per workgroup. SCAN_REDUCE writes the total of each tile; else each tile is scanned, from the carry that the
// scan of the totals left for it. SCAN_SEGMENTED lifts the operator to pairs of a value and "a segment begins here":
// in the user's elements (SCAN_HEADS) the flags are bits of a buffer, in totals they are the word behind the value.
// With SCAN_SUBGROUPS a tile lies in registers, else in shared memory.

layout(local_size_x = SCAN_THREADS) in;

layout(set = 0, binding = 0) nonprivate readonly buffer ScanInput { SCAN_CELL scanInput[]; };
#ifdef SCAN_REDUCE
layout(set = 0, binding = 1) writeonly buffer ScanTotals { uint scanTotals[]; };
#else
layout(set = 0, binding = 1) readonly buffer ScanTotals { uint scanTotals[]; };
layout(set = 0, binding = 2) nonprivate writeonly buffer ScanOutput { SCAN_CELL scanOutput[]; };
#endif
#ifdef SCAN_HEADS
layout(set = 0, binding = 3) readonly buffer ScanHeads { uint scanHeads[]; };
#endif

layout(push_constant) uniform ScanPush {
    uint scanCount;      // elements of this dispatch
    uint scanInputBase;  // word of the first element
    uint scanOutputBase; // word of the first result
    uint scanTotalsBase; // word of the first tile's total or carry
    uint scanHeadsBase;  // bit of the first element
    uint scanExclusive;
    uint scanCarried;    // whether the tiles have carries
};

#include "scan_items.glsl"
#ifdef SCAN_SUBGROUPS
#include "scan_registers.glsl"
#else
#include "scan_tile.glsl"
#endif

#ifdef SCAN_REDUCE
void scanStoreTotal(uint tile, ScanItem total) {
    uint at = scanTotalsBase + tile * SCAN_TOTAL_WORDS;
#if SCAN_WORDS == 1
    scanTotals[at] = SCAN_TO(total.value);
#else
    [[unroll]] for (int w = 0; w < SCAN_WORDS; w++) {
        scanTotals[at + w] = SCAN_TO(total.value[w]);
    }
#endif
#ifdef SCAN_SEGMENTED
    scanTotals[at + SCAN_WORDS] = total.head;
#endif
}

void main() {
    uint tile = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (tile * SCAN_TILE >= scanCount) {
        return;
    }
    ScanItem total = scanReduceTile(tile);
    if (gl_LocalInvocationID.x == 0u) {
        scanStoreTotal(tile, total);
    }
}
#else
void main() {
    uint tile = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (tile * SCAN_TILE >= scanCount) {
        return;
    }
    // Backwards: what the totals were taken of last may still be in a cache.
    tile = (scanCount - 1u) / SCAN_TILE - tile;
    ScanItem total;
    ScanItem own = scanSumTile(tile, total);
    ScanItem before = scanItem(scanIdentity(), 0u);
    if (scanCarried != 0u) {
        before.value = SCAN_VALUE(scanTotals, scanTotalsBase + tile * SCAN_TOTAL_WORDS, 1u);
    }
    scanFinishTile(tile, scanJoin(before, own));
}
#endif
