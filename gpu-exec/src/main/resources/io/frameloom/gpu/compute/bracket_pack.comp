#version 450
#extension GL_KHR_memory_scope_semantics : require

// One partition per workgroup, one word of 32 brackets per thread. Leaves of each word its brackets and those of its
// opens that nothing in it closes; of each partition the depth it adds, the lowest depth in it, and a slice: the opens
// that nothing in it closes, lowest first. Depths are relative to the beginning of the partition and never clamped: a
// close of an empty stack lowers the floor for everything behind it.

layout(local_size_x = THREADS) in;

layout(set = 0, binding = 0) readonly buffer BracketInput { uint brackets[]; };
layout(set = 0, binding = 1) writeonly buffer BracketWords { uint packedWords[]; };
layout(set = 0, binding = 2) writeonly buffer BracketSlices { uint slices[]; };
layout(set = 0, binding = 3) writeonly buffer BracketNets { int nets[]; };
layout(set = 0, binding = 4) writeonly buffer BracketLows { int lows[]; };

layout(push_constant) uniform Push {
    uint count;
    uint inputBase; // word of the first element
};

#define PARTITION (THREADS * 32)
#define QUADS (THREADS * 8)

shared uint quads[QUADS + QUADS / 8];
shared int depths[THREADS];
shared uint survivors[PARTITION + PARTITION / 32];

void synchronise() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
}

uint quadPlace(uint quad) {
    return quad + quad / 8u;
}

uint survivorPlace(uint slot) {
    return slot + slot / 32u;
}

bool isOpen(uint element) {
#if defined(INPUT_BYTES)
    return (brackets[inputBase + element / 4u] >> (element % 4u * 8u) & 0xFFu) != 0u;
#else
    return brackets[inputBase + element] != 0u;
#endif
}

// Threads read neighbouring quads of elements, and put the quads of their own word together afterwards.
uint ownWord(uint section, uint thread, uint valid) {
#ifdef INPUT_BITS
    return valid == 0u ? 0u : brackets[inputBase + section * THREADS + thread];
#else
    for (uint k = 0u; k < 8u; k++) {
        uint quad = k * THREADS + thread;
        uint bits = 0u;
        for (uint j = 0u; j < 4u; j++) {
            uint element = section * PARTITION + quad * 4u + j;
            if (element < count && isOpen(element)) {
                bits |= 1u << j;
            }
        }
        quads[quadPlace(quad)] = bits;
    }
    synchronise();
    uint word = 0u;
    for (uint j = 0u; j < 8u; j++) {
        word |= quads[quadPlace(thread * 8u + j)] << (4u * j);
    }
    return word;
#endif
}

void main() {
    uint section = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint first = section * PARTITION;
    if (first >= count) {
        return;
    }
    uint thread = gl_LocalInvocationID.x;
    uint begin = first + thread * 32u;
    uint valid = begin < count ? min(32u, count - begin) : 0u;
    uint word = ownWord(section, thread, valid);
    if (valid < 32u) {
        word &= (1u << valid) - 1u;
    }

    uint open = 0u;
    int closes = 0;
    for (uint i = 0u; i < valid; i++) {
        if ((word >> i & 1u) != 0u) {
            open |= 1u << i;
        } else if (open != 0u) {
            open &= ~(1u << findMSB(open));
        } else {
            closes++;
        }
    }
    uint at = (section * THREADS + thread) * 2u;
    packedWords[at] = word;
    packedWords[at + 1u] = open;

    int opens = bitCount(open);
    int depth = opens - closes;
    depths[thread] = depth;
    synchronise();
    for (uint step = 1u; step < THREADS; step *= 2u) {
        if (thread >= step) {
            depth += depths[thread - step];
        }
        synchronise();
        depths[thread] = depth;
        synchronise();
    }
    int net = depths[THREADS - 1];
    int low = depth - opens; // the lowest depth in this word
    synchronise();

    // The lowest depth from a word on, by the same steps from the other end.
    int lowest = low;
    depths[thread] = lowest;
    synchronise();
    for (uint step = 1u; step < THREADS; step *= 2u) {
        if (thread + step < THREADS) {
            lowest = min(lowest, depths[thread + step]);
        }
        synchronise();
        depths[thread] = lowest;
        synchronise();
    }
    int bottom = depths[0];
    int live = opens;
    if (thread + 1u < THREADS) {
        live = clamp(depths[thread + 1u] - low, 0, opens);
    }
    for (int j = 0; j < live; j++) {
        survivors[survivorPlace(uint(low - bottom + j))] = begin + uint(findLSB(open));
        open &= open - 1u;
    }
    synchronise();
    for (uint slot = thread; slot < uint(net - bottom); slot += THREADS) {
        slices[first + slot] = survivors[survivorPlace(slot)];
    }
    if (thread == 0u) {
        nets[section] = net;
        lows[section] = bottom;
    }
}
