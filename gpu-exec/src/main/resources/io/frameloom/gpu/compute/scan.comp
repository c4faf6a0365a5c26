#version 450
#extension GL_KHR_memory_scope_semantics : require
#extension GL_GOOGLE_include_directive : require

// One tile per workgroup. SCAN_REDUCE writes the total of each tile; else each tile is scanned, from the carry that the
// scan of the totals left for it. SCAN_SEGMENTED lifts the operator to pairs of a value and "a segment begins here":
// in the user's elements (SCAN_HEADS) the flags are bits of a buffer, in totals they are the word behind the value.

#include "operator.glsl"

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

#if defined(SCAN_SEGMENTED)
#define SCAN_TOTAL_WORDS (SCAN_WORDS + 1)
#else
#define SCAN_TOTAL_WORDS SCAN_WORDS
#endif
#if defined(SCAN_SEGMENTED) && !defined(SCAN_HEADS)
#define SCAN_STRIDE (SCAN_WORDS + 1)
#else
#define SCAN_STRIDE SCAN_WORDS
#endif
#define SCAN_TILE (SCAN_THREADS * SCAN_ITEMS)
#define SCAN_PLANE (SCAN_TILE + SCAN_TILE / 32)

#if defined(COMPONENT_FLOAT)
#define SCAN_FROM(w) uintBitsToFloat(w)
#define SCAN_TO(c) floatBitsToUint(c)
#elif defined(COMPONENT_INT)
#define SCAN_FROM(w) int(w)
#define SCAN_TO(c) uint(c)
#else
#define SCAN_FROM(w) (w)
#define SCAN_TO(c) (c)
#endif

struct ScanItem {
    SCAN_TYPE value;
#ifdef SCAN_SEGMENTED
    uint head;
#endif
};

shared uint scanTile[SCAN_WORDS * SCAN_PLANE];
shared ScanItem scanSums[SCAN_THREADS];
#ifdef SCAN_SEGMENTED
shared uint scanTileHeads[SCAN_PLANE];
#endif

#if SCAN_WORDS == 1
#define SCAN_VALUE(a, i, s) SCAN_FROM(a[i])
#elif SCAN_WORDS == 2
#define SCAN_VALUE(a, i, s) SCAN_TYPE(SCAN_FROM(a[i]), SCAN_FROM(a[(i) + (s)]))
#elif SCAN_WORDS == 3
#define SCAN_VALUE(a, i, s) SCAN_TYPE(SCAN_FROM(a[i]), SCAN_FROM(a[(i) + (s)]), SCAN_FROM(a[(i) + 2u * (s)]))
#else
#define SCAN_VALUE(a, i, s) \
    SCAN_TYPE(SCAN_FROM(a[i]), SCAN_FROM(a[(i) + (s)]), SCAN_FROM(a[(i) + 2u * (s)]), SCAN_FROM(a[(i) + 3u * (s)]))
#endif

// Orders shared memory, and in the first barrier of a tile also the reads of what the tile is written over in place.
void scanBarrier() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared | gl_StorageSemanticsBuffer,
                   gl_SemanticsAcquireRelease);
}

// Keeps threads that step through rows of the tile out of each other's banks.
uint scanPadded(uint i) {
    return i + i / 32u;
}

SCAN_TYPE scanIdentity() {
    uint words[4] = uint[4](SCAN_IDENTITY_0, SCAN_IDENTITY_1, SCAN_IDENTITY_2, SCAN_IDENTITY_3);
    return SCAN_VALUE(words, 0, 1u);
}

ScanItem scanItem(SCAN_TYPE value, uint head) {
    ScanItem item;
    item.value = value;
#ifdef SCAN_SEGMENTED
    item.head = head;
#endif
    return item;
}

ScanItem scanJoin(ScanItem a, ScanItem b) {
#ifdef SCAN_SEGMENTED
    if (b.head != 0u) {
        return b;
    }
    return scanItem(combine(a.value, b.value), a.head);
#else
    return scanItem(combine(a.value, b.value), 0u);
#endif
}

void scanLoadTile(uint tile) {
    uint words[4] = uint[4](SCAN_IDENTITY_0, SCAN_IDENTITY_1, SCAN_IDENTITY_2, SCAN_IDENTITY_3);
    for (uint k = 0u; k < SCAN_ITEMS; k++) {
        uint local = k * SCAN_THREADS + gl_LocalInvocationID.x;
        uint element = tile * SCAN_TILE + local;
        bool there = element < scanCount;
        for (uint w = 0u; w < SCAN_WORDS; w++) {
            scanTile[w * SCAN_PLANE + scanPadded(local)] =
                there ? scanInput[scanInputBase + element * SCAN_STRIDE + w] : words[w];
        }
#if defined(SCAN_HEADS)
        uint bit = scanHeadsBase + element;
        scanTileHeads[scanPadded(local)] = there ? scanHeads[bit >> 5] >> (bit & 31u) & 1u : 0u;
#elif defined(SCAN_SEGMENTED)
        scanTileHeads[scanPadded(local)] = there ? scanInput[scanInputBase + element * SCAN_STRIDE + SCAN_WORDS] : 0u;
#endif
    }
}

ScanItem scanFromTile(uint local) {
    uint at = scanPadded(local);
#ifdef SCAN_SEGMENTED
    return scanItem(SCAN_VALUE(scanTile, at, SCAN_PLANE), scanTileHeads[at]);
#else
    return scanItem(SCAN_VALUE(scanTile, at, SCAN_PLANE), 0u);
#endif
}

void scanToTile(uint local, SCAN_TYPE value) {
    uint at = scanPadded(local);
#if SCAN_WORDS == 1
    scanTile[at] = SCAN_TO(value);
#else
    for (int w = 0; w < SCAN_WORDS; w++) {
        scanTile[w * SCAN_PLANE + at] = SCAN_TO(value[w]);
    }
#endif
}

ScanItem scanOwnTotal() {
    uint first = gl_LocalInvocationID.x * SCAN_ITEMS;
    ScanItem total = scanFromTile(first);
    for (uint k = 1u; k < SCAN_ITEMS; k++) {
        total = scanJoin(total, scanFromTile(first + k));
    }
    return total;
}

#ifdef SCAN_REDUCE
void scanStoreTotal(uint tile, ScanItem total) {
    uint at = scanTotalsBase + tile * SCAN_TOTAL_WORDS;
#if SCAN_WORDS == 1
    scanTotals[at] = SCAN_TO(total.value);
#else
    for (int w = 0; w < SCAN_WORDS; w++) {
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
    for (uint step = 1u; step < SCAN_THREADS; step *= 2u) {
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
void scanStoreTile(uint tile) {
    for (uint k = 0u; k < SCAN_ITEMS; k++) {
        uint local = k * SCAN_THREADS + gl_LocalInvocationID.x;
        uint element = tile * SCAN_TILE + local;
        if (element < scanCount) {
            for (uint w = 0u; w < SCAN_WORDS; w++) {
                scanOutput[scanOutputBase + element * SCAN_STRIDE + w] = scanTile[w * SCAN_PLANE + scanPadded(local)];
            }
        }
    }
}

void main() {
    uint tile = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (tile * SCAN_TILE >= scanCount) {
        return;
    }
    uint thread = gl_LocalInvocationID.x;
    scanLoadTile(tile);
    scanBarrier();
    ScanItem sum = scanOwnTotal();
    scanSums[thread] = sum;
    scanBarrier();
    for (uint step = 1u; step < SCAN_THREADS; step *= 2u) {
        if (thread >= step) {
            sum = scanJoin(scanSums[thread - step], sum);
        }
        scanBarrier();
        scanSums[thread] = sum;
        scanBarrier();
    }

    ScanItem before = scanItem(scanIdentity(), 0u);
    if (scanCarried != 0u) {
        before.value = SCAN_VALUE(scanTotals, scanTotalsBase + tile * SCAN_TOTAL_WORDS, 1u);
    }
    if (thread > 0u) {
        before = scanJoin(before, scanSums[thread - 1u]);
    }
    uint first = thread * SCAN_ITEMS;
    for (uint k = 0u; k < SCAN_ITEMS; k++) {
        ScanItem item = scanFromTile(first + k);
        ScanItem after = scanJoin(before, item);
        SCAN_TYPE result = after.value;
        if (scanExclusive != 0u) {
            result = before.value;
#ifdef SCAN_HEADS
            if (item.head != 0u) {
                result = scanIdentity();
            }
#endif
        }
        scanToTile(first + k, result);
        before = after;
    }
    scanBarrier();
    scanStoreTile(tile);
}
#endif
