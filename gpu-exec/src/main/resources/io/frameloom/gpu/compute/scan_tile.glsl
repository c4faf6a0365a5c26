// What the shaders of a scan have in common: a tile in shared memory, its elements and their sums. Needs scanInput, and
// scanOutput unless SCAN_REDUCE is defined, scanHeads with SCAN_HEADS, and the numbers that say where they begin.

#include "operator.glsl"

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
    [[unroll]] for (uint k = 0u; k < SCAN_ITEMS; k++) {
        uint local = k * SCAN_THREADS + gl_LocalInvocationID.x;
        uint element = tile * SCAN_TILE + local;
        bool there = element < scanCount;
        [[unroll]] for (uint w = 0u; w < SCAN_WORDS; w++) {
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
    [[unroll]] for (int w = 0; w < SCAN_WORDS; w++) {
        scanTile[w * SCAN_PLANE + at] = SCAN_TO(value[w]);
    }
#endif
}

ScanItem scanOwnTotal() {
    uint first = gl_LocalInvocationID.x * SCAN_ITEMS;
    ScanItem total = scanFromTile(first);
    [[unroll]] for (uint k = 1u; k < SCAN_ITEMS; k++) {
        total = scanJoin(total, scanFromTile(first + k));
    }
    return total;
}

// Loads a tile; then scanSums[t] is the sum of the elements of the threads up to t.
void scanSumTile(uint tile) {
    uint thread = gl_LocalInvocationID.x;
    scanLoadTile(tile);
    scanBarrier();
    ScanItem sum = scanOwnTotal();
    scanSums[thread] = sum;
    scanBarrier();
    [[unroll]] for (uint step = 1u; step < SCAN_THREADS; step *= 2u) {
        if (thread >= step) {
            sum = scanJoin(scanSums[thread - step], sum);
        }
        scanBarrier();
        scanSums[thread] = sum;
        scanBarrier();
    }
}

#ifndef SCAN_REDUCE
void scanStoreTile(uint tile) {
    [[unroll]] for (uint k = 0u; k < SCAN_ITEMS; k++) {
        uint local = k * SCAN_THREADS + gl_LocalInvocationID.x;
        uint element = tile * SCAN_TILE + local;
        if (element < scanCount) {
            [[unroll]] for (uint w = 0u; w < SCAN_WORDS; w++) {
                scanOutput[scanOutputBase + element * SCAN_STRIDE + w] = scanTile[w * SCAN_PLANE + scanPadded(local)];
            }
        }
    }
}

// Scans the elements of the loaded tile, those of each thread from what is before them, and stores them.
void scanFinishTile(uint tile, ScanItem before) {
    uint first = gl_LocalInvocationID.x * SCAN_ITEMS;
    [[unroll]] for (uint k = 0u; k < SCAN_ITEMS; k++) {
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
