#version 450
#extension GL_KHR_memory_scope_semantics : require
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// One tile per workgroup. SCAN_REDUCE writes the total of each tile; else each tile is scanned, from the carry that the
// scan of the totals left for it. SCAN_SEGMENTED lifts the operator to pairs of a value and "a segment begins here":
// in the user's elements (SCAN_HEADS) the flags are bits of a buffer, in totals they are the word behind the value.

layout(local_size_x = SCAN_THREADS) in;

layout(set = 0, binding = 0) readonly buffer ScanInput { uint scanInput[]; };
#ifdef SCAN_REDUCE
layout(set = 0, binding = 1) writeonly buffer ScanTotals { uint scanTotals[]; };
#else
layout(set = 0, binding = 1) readonly buffer ScanTotals { uint scanTotals[]; };
layout(set = 0, binding = 2) writeonly buffer ScanOutput { uint scanOutput[]; };
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

#include "scan_tile.glsl"

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
    uint thread = gl_LocalInvocationID.x;
    scanLoadTile(tile);
    scanBarrier();
    scanSums[thread] = scanOwnTotal();
    scanBarrier();
    [[unroll]] for (uint step = 1u; step < SCAN_THREADS; step *= 2u) {
        if (thread % (2u * step) == 0u) {
            scanSums[thread] = scanJoin(scanSums[thread], scanSums[thread + step]);
        }
        scanBarrier();
    }
    if (thread == 0u) {
        scanStoreTotal(tile, scanSums[0]);
    }
}
#else
void main() {
    uint tile = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (tile * SCAN_TILE >= scanCount) {
        return;
    }
    scanSumTile(tile);
    ScanItem before = scanItem(scanIdentity(), 0u);
    if (scanCarried != 0u) {
        before.value = SCAN_VALUE(scanTotals, scanTotalsBase + tile * SCAN_TOTAL_WORDS, 1u);
    }
    uint thread = gl_LocalInvocationID.x;
    if (thread > 0u) {
        before = scanJoin(before, scanSums[thread - 1u]);
    }
    scanFinishTile(tile, before);
}
#endif
