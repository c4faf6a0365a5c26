// A tile of a scan in registers, summed by subgroups of any size. The elements of a subgroup follow each other: vector by
// vector, lane by lane, SCAN_SIDE elements side by side. Needs what scan_tile.glsl needs, scanInput and scanOutput as
// vectors of four words, and workgroups that consist of whole subgroups.

#if SCAN_STRIDE == 1
#define SCAN_SIDE 4
#elif SCAN_STRIDE == 2
#define SCAN_SIDE 2
#else
#define SCAN_SIDE 1
#endif
#define SCAN_VECTORS (SCAN_ITEMS / SCAN_SIDE)
#define SCAN_SIDE_WORDS (SCAN_SIDE * SCAN_STRIDE)
#define SCAN_MOST_LANES 128u
#define SCAN_SMALLEST_SUBGROUP 4

// The invocations of a subgroup: a constant where all have the same.
#ifndef SCAN_LANES
#define SCAN_LANES gl_SubgroupSize
#endif

// Elements, and then results; bit i of a vector's heads says that a segment begins with element i of it.
SCAN_TYPE scanOwn[SCAN_ITEMS];
// What is before each vector of the thread in the subgroup.
ScanItem scanBefore[SCAN_VECTORS];
#ifdef SCAN_SEGMENTED
uint scanOwnHeads[SCAN_VECTORS];
#endif

shared ScanItem scanSums[SCAN_THREADS / SCAN_SMALLEST_SUBGROUP];

ScanItem scanNothing() {
    return scanItem(scanIdentity(), 0u);
}

ScanItem scanFromLane(ScanItem item, uint lane) {
#ifdef SCAN_SEGMENTED
    return scanItem(subgroupShuffle(item.value, lane), subgroupShuffle(item.head, lane));
#else
    return scanItem(subgroupShuffle(item.value, lane), 0u);
#endif
}

ScanItem scanFromLaneBelow(ScanItem item, uint distance) {
#ifdef SCAN_SEGMENTED
    return scanItem(subgroupShuffleUp(item.value, distance), subgroupShuffleUp(item.head, distance));
#else
    return scanItem(subgroupShuffleUp(item.value, distance), 0u);
#endif
}

ScanItem scanFromLaneAbove(ScanItem item, uint distance) {
#ifdef SCAN_SEGMENTED
    return scanItem(subgroupShuffleDown(item.value, distance), subgroupShuffleDown(item.head, distance));
#else
    return scanItem(subgroupShuffleDown(item.value, distance), 0u);
#endif
}

// The sum of the lanes up to this one.
ScanItem scanLanes(ScanItem sum) {
    [[unroll]] for (uint distance = 1u; distance < SCAN_MOST_LANES; distance *= 2u) {
        if (distance < SCAN_LANES) {
            ScanItem below = scanFromLaneBelow(sum, distance);
            if (gl_SubgroupInvocationID >= distance) {
                sum = scanJoin(below, sum);
            }
        }
    }
    return sum;
}

uint scanFirst(uint tile, uint vector) {
    return tile * SCAN_TILE + gl_SubgroupID * (SCAN_ITEMS * SCAN_LANES) +
           (vector * SCAN_LANES + gl_SubgroupInvocationID) * SCAN_SIDE;
}

bool scanIsWhole(uint tile, uint base) {
    return SCAN_SIDE_WORDS == 4 && (base & 3u) == 0u && (tile + 1u) * SCAN_TILE <= scanCount;
}

uint scanInputWord(uint at) {
    return scanInput[at >> 2][at & 3u];
}

#ifdef SCAN_HEADS
uint scanLoadHeads(uint first) {
    uint heads = 0u;
    if (first < scanCount) {
        uint bit = scanHeadsBase + first;
        uint there = min(SCAN_SIDE, scanCount - first);
        heads = scanHeads[bit >> 5] >> (bit & 31u);
        if ((bit & 31u) + there > 32u) {
            heads |= scanHeads[(bit >> 5) + 1u] << (32u - (bit & 31u));
        }
        heads &= (1u << there) - 1u;
    }
    return heads;
}
#endif

uint scanWholeVector(uint first) {
    return (scanInputBase + first * SCAN_STRIDE) >> 2;
}

// Loads the words of a vector, of which some may be missing.
void scanLoadWords(uint first, out uint words[SCAN_SIDE_WORDS]) {
    uint identity[5] = uint[5](SCAN_IDENTITY_0, SCAN_IDENTITY_1, SCAN_IDENTITY_2, SCAN_IDENTITY_3, 0u);
    [[unroll]] for (uint w = 0u; w < SCAN_SIDE_WORDS; w++) {
        uint element = first + w / SCAN_STRIDE;
        uint word = w % SCAN_STRIDE;
        words[w] = word < SCAN_WORDS ? identity[word] : 0u;
        if (element < scanCount) {
            words[w] = scanInputWord(scanInputBase + first * SCAN_STRIDE + w);
        }
    }
}

// Takes the elements of a vector out of its words and returns their heads.
uint scanUnpack(uint first, uint words[SCAN_SIDE_WORDS], out SCAN_TYPE values[SCAN_SIDE]) {
    uint heads = 0u;
    [[unroll]] for (uint i = 0u; i < SCAN_SIDE; i++) {
        values[i] = SCAN_VALUE(words, i * SCAN_STRIDE, 1u);
#if defined(SCAN_SEGMENTED) && !defined(SCAN_HEADS)
        heads |= (words[i * SCAN_STRIDE + SCAN_WORDS] != 0u ? 1u : 0u) << i;
#endif
    }
#ifdef SCAN_HEADS
    heads = scanLoadHeads(first);
#endif
    return heads;
}

// Loads the elements of a vector and returns their heads.
uint scanLoadVector(uint tile, uint vector, out SCAN_TYPE values[SCAN_SIDE]) {
    uint first = scanFirst(tile, vector);
    uint words[SCAN_SIDE_WORDS];
    if (scanIsWhole(tile, scanInputBase)) {
        uvec4 four = scanInput[scanWholeVector(first)];
        [[unroll]] for (uint w = 0u; w < SCAN_SIDE_WORDS; w++) {
            words[w] = four[w & 3u];
        }
    } else {
        scanLoadWords(first, words);
    }
    return scanUnpack(first, words, values);
}

// The sum of a vector's elements, up to each lane.
ScanItem scanSumVector(SCAN_TYPE values[SCAN_SIDE], uint heads) {
    ScanItem sum = scanItem(values[0], heads & 1u);
    [[unroll]] for (uint i = 1u; i < SCAN_SIDE; i++) {
        sum = scanJoin(sum, scanItem(values[i], heads >> i & 1u));
    }
    return scanLanes(sum);
}

// Joins the sums of the subgroups: what is before this one, and all of them. No other may follow without a barrier.
ScanItem scanJoinSubgroups(ScanItem own, out ScanItem total) {
    if (gl_SubgroupInvocationID == 0u) {
        scanSums[gl_SubgroupID] = own;
    }
    scanBarrier();
    total = scanSums[0];
    ScanItem before = scanNothing();
    SCAN_UNROLL_JOIN for (uint s = 1u; s < SCAN_THREADS / SCAN_LANES; s++) {
        if (s == gl_SubgroupID) {
            before = total;
        }
        total = scanJoin(total, scanSums[s]);
    }
    return before;
}

// Sums a tile up without keeping it. In any order each thread sums up what it loads, and the lanes are summed up once;
// in the order of the elements they are for each vector.
ScanItem scanReduceTile(uint tile) {
    ScanItem own = scanNothing();
    SCAN_UNROLL_REDUCE for (uint v = 0u; v < SCAN_VECTORS; v++) {
        SCAN_TYPE values[SCAN_SIDE];
        uint heads = scanLoadVector(tile, v, values);
#ifdef SCAN_COMMUTES
        [[unroll]] for (uint i = 0u; i < SCAN_SIDE; i++) {
            own = scanJoin(own, scanItem(values[i], 0u));
        }
#else
        own = scanJoin(own, scanFromLane(scanSumVector(values, heads), SCAN_LANES - 1u));
#endif
    }
#ifdef SCAN_COMMUTES
    own = scanFromLane(scanLanes(own), SCAN_LANES - 1u);
#endif
    ScanItem total;
    scanJoinSubgroups(own, total);
    return total;
}

#ifndef SCAN_REDUCE
void scanKeep(uint vector, uint first, uint words[SCAN_SIDE_WORDS]) {
    SCAN_TYPE values[SCAN_SIDE];
    uint heads = scanUnpack(first, words, values);
    [[unroll]] for (uint i = 0u; i < SCAN_SIDE; i++) {
        scanOwn[vector * SCAN_SIDE + i] = values[i];
    }
#ifdef SCAN_SEGMENTED
    scanOwnHeads[vector] = heads;
#endif
}

// Loads all vectors before one is used, with one branch for all: with one for each their loads wait for each other.
void scanLoadTile(uint tile) {
    uint words[SCAN_VECTORS][SCAN_SIDE_WORDS];
    if (scanIsWhole(tile, scanInputBase)) {
        [[unroll]] for (uint v = 0u; v < SCAN_VECTORS; v++) {
            uvec4 four = scanInput[scanWholeVector(scanFirst(tile, v))];
            [[unroll]] for (uint w = 0u; w < SCAN_SIDE_WORDS; w++) {
                words[v][w] = four[w & 3u];
            }
        }
    } else {
        [[unroll]] for (uint v = 0u; v < SCAN_VECTORS; v++) {
            scanLoadWords(scanFirst(tile, v), words[v]);
        }
    }
    [[unroll]] for (uint v = 0u; v < SCAN_VECTORS; v++) {
        scanKeep(v, scanFirst(tile, v), words[v]);
    }
}

// Loads a tile and sums it up; returns what is before this subgroup in it.
ScanItem scanSumTile(uint tile, out ScanItem total) {
    scanLoadTile(tile);
    ScanItem own = scanNothing();
    [[unroll]] for (uint v = 0u; v < SCAN_VECTORS; v++) {
        SCAN_TYPE values[SCAN_SIDE];
        uint heads = 0u;
        [[unroll]] for (uint i = 0u; i < SCAN_SIDE; i++) {
            values[i] = scanOwn[v * SCAN_SIDE + i];
        }
#ifdef SCAN_SEGMENTED
        heads = scanOwnHeads[v];
#endif
        ScanItem sum = scanSumVector(values, heads);
        ScanItem below = scanFromLaneBelow(sum, 1u);
        scanBefore[v] = own;
        if (gl_SubgroupInvocationID > 0u) {
            scanBefore[v] = scanJoin(own, below);
        }
        own = scanJoin(own, scanFromLane(sum, SCAN_LANES - 1u));
    }
    return scanJoinSubgroups(own, total);
}

void scanStoreVector(uint tile, uint vector) {
    uint first = scanFirst(tile, vector);
    uint words[SCAN_SIDE * SCAN_WORDS];
    [[unroll]] for (uint i = 0u; i < SCAN_SIDE; i++) {
#if SCAN_WORDS == 1
        words[i] = SCAN_TO(scanOwn[vector * SCAN_SIDE + i]);
#else
        [[unroll]] for (uint w = 0u; w < SCAN_WORDS; w++) {
            words[i * SCAN_WORDS + w] = SCAN_TO(scanOwn[vector * SCAN_SIDE + i][w]);
        }
#endif
    }
#if SCAN_SIDE * SCAN_WORDS == 4 && SCAN_STRIDE == SCAN_WORDS
    if (scanIsWhole(tile, scanOutputBase)) {
        scanOutput[(scanOutputBase + first * SCAN_STRIDE) >> 2] = uvec4(words[0], words[1], words[2], words[3]);
        return;
    }
#endif
    [[unroll]] for (uint i = 0u; i < SCAN_SIDE; i++) {
        if (first + i < scanCount) {
            [[unroll]] for (uint w = 0u; w < SCAN_WORDS; w++) {
                uint at = scanOutputBase + (first + i) * SCAN_STRIDE + w;
                scanOutput[at >> 2][at & 3u] = words[i * SCAN_WORDS + w];
            }
        }
    }
}

// Scans the elements of the loaded tile from what is before those of this subgroup, and stores them.
void scanFinishTile(uint tile, ScanItem beforeSubgroup) {
    [[unroll]] for (uint v = 0u; v < SCAN_VECTORS; v++) {
        ScanItem before = scanJoin(beforeSubgroup, scanBefore[v]);
        [[unroll]] for (uint i = 0u; i < SCAN_SIDE; i++) {
            uint head = 0u;
#ifdef SCAN_SEGMENTED
            head = scanOwnHeads[v] >> i & 1u;
#endif
            ScanItem after = scanJoin(before, scanItem(scanOwn[v * SCAN_SIDE + i], head));
            SCAN_TYPE result = after.value;
            if (scanExclusive != 0u) {
                result = before.value;
#ifdef SCAN_HEADS
                if (head != 0u) {
                    result = scanIdentity();
                }
#endif
            }
            scanOwn[v * SCAN_SIDE + i] = result;
            before = after;
        }
        scanStoreVector(tile, v);
    }
}
#endif
