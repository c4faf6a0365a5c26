// A tile of a scan in shared memory. Needs scanInput, and scanOutput unless SCAN_REDUCE is defined, scanHeads with
// SCAN_HEADS, and the numbers that say where they begin.

#define SCAN_PLANE (SCAN_TILE + SCAN_TILE / 32)

shared uint scanTile[SCAN_WORDS * SCAN_PLANE];
shared ScanItem scanSums[SCAN_THREADS];
#ifdef SCAN_SEGMENTED
shared uint scanTileHeads[SCAN_PLANE];
#endif

// Keeps threads that step through rows of the tile out of each other's banks.
uint scanPadded(uint i) {
    return i + i / 32u;
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

// Loads a tile and sums it up; returns what is before this thread in it.
ScanItem scanSumTile(uint tile, out ScanItem total) {
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
    total = scanSums[SCAN_THREADS - 1];
    ScanItem before = scanItem(scanIdentity(), 0u);
    if (thread > 0u) {
        before = scanSums[thread - 1u];
    }
    return before;
}

#ifdef SCAN_REDUCE
// Loads a tile and returns its sum, to thread 0.
ScanItem scanReduceTile(uint tile) {
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
    return scanSums[0];
}
#endif

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
