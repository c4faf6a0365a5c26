// What all shaders of a scan have in common: elements, their sums, and how they are joined.

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

#if defined(SCAN_COMPONENT_FLOAT)
#define SCAN_FROM(w) uintBitsToFloat(w)
#define SCAN_TO(c) floatBitsToUint(c)
#elif defined(SCAN_COMPONENT_INT)
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
                   BARRIER_SEMANTICS);
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
