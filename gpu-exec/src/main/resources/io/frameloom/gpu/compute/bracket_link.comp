#version 450
#extension GL_KHR_memory_scope_semantics : require

// One partition per workgroup, one word of 32 brackets per thread. A bracket that finds nothing on the stack of its word
// looks for the open at depth d: it is in the last word before it whose lowest depth is not above d, at position
// d - lowest among the opens of that word; if there is none, in the slice of the last such partition.

layout(local_size_x = THREADS) in;

layout(set = 0, binding = 0) readonly buffer BracketWords { uint packedWords[]; };
layout(set = 0, binding = 1) readonly buffer BracketSlices { uint slices[]; };
layout(set = 0, binding = 2) readonly buffer BracketDepths { int partitionDepths[]; };
layout(set = 0, binding = 3) readonly buffer BracketTree { int tree[]; };
layout(set = 0, binding = 4) writeonly buffer BracketLinks { uint links[]; };

layout(push_constant) uniform Push {
    uint count;
    uint outputBase; // word of the first link
    uint partitions;
};

#define PARTITION (THREADS * 32)
#define ROW 33u
#define NONE 0xFFFFFFFFu
#define OUTSIDE 0x80000000u

shared uint rows[THREADS * 33];
shared uint opens[THREADS];
shared int lower[THREADS];         // the last word before with a lower lowest depth, or -1
shared int minima[2 * THREADS];    // a heap: node i above nodes 2i and 2i+1, words from THREADS on
shared int before[THREADS];        // lowest depth of the last 1, 2, 3... partitions

void synchronise() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
}

// The last word before one with a lowest depth of at most d, or -1.
int wordBefore(uint word, int d) {
    uint node = THREADS + word;
    while (node > 1u && ((node & 1u) == 0u || minima[node - 1u] > d)) {
        node >>= 1;
    }
    if (node <= 1u) {
        return -1;
    }
    node--;
    while (node < THREADS) {
        node = 2u * node + 1u;
        if (minima[node] > d) {
            node--;
        }
    }
    return int(node - THREADS);
}

// The last partition before one with a lowest depth of at most d, or -1.
int partitionBefore(uint section, int d) {
    uint node = section;
    uint level = 0u;
    uint offset = 0u;
    while (node > 0u && ((node & 1u) == 0u || tree[offset + node - 1u] > d)) {
        node >>= 1;
        offset += (partitions + (1u << level) - 1u) >> level;
        level++;
    }
    if (node == 0u) {
        return -1;
    }
    node--;
    while (level > 0u) {
        level--;
        uint nodes = (partitions + (1u << level) - 1u) >> level;
        offset -= nodes;
        node = 2u * node + 1u;
        if (node >= nodes || tree[offset + node] > d) {
            node--;
        }
    }
    return int(node);
}

// The lowest so many of the bits that are set; at least one and not more than there are.
uint lowestBits(uint bits, int many) {
    uint position = 0u;
    uint rest = bits;
    for (uint width = 16u; width > 0u; width /= 2u) {
        int below = bitCount(rest & ((1u << width) - 1u));
        if (many > below) {
            many -= below;
            position += width;
            rest >>= width;
        }
    }
    return bits & ((2u << position) - 1u);
}

// The open at a depth, seen from the beginning of a partition.
uint openOutside(uint section, int d) {
    uint near = min(section, THREADS);
    if (near == 0u) {
        return NONE;
    }
    int owner;
    if (before[near - 1u] <= d) {
        uint low = 0u;
        uint high = near - 1u;
        while (low < high) {
            uint middle = (low + high) / 2u;
            if (before[middle] <= d) {
                high = middle;
            } else {
                low = middle + 1u;
            }
        }
        owner = int(section - 1u - low);
    } else {
        owner = partitionBefore(section - near, d);
    }
    return owner < 0 ? NONE : slices[uint(owner) * PARTITION + uint(d - tree[owner])];
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
    uint at = (section * THREADS + thread) * 2u;
    uint word = packedWords[at];
    uint own = packedWords[at + 1u];
    int net = 2 * bitCount(word) - int(valid);

    int depth = net;
    int lowestBefore = thread < section ? tree[section - 1u - thread] : 0x7FFFFFFF;
    opens[thread] = own;
    lower[thread] = depth;
    before[thread] = lowestBefore;
    synchronise();
    for (uint step = 1u; step < THREADS; step *= 2u) {
        if (thread >= step) {
            depth += lower[thread - step];
            lowestBefore = min(lowestBefore, before[thread - step]);
        }
        synchronise();
        lower[thread] = depth;
        before[thread] = lowestBefore;
        synchronise();
    }
    int low = depth - bitCount(own);
    minima[THREADS + thread] = low;
    for (uint width = THREADS / 2u; width > 0u; width /= 2u) {
        synchronise();
        if (thread < width) {
            uint node = width + thread;
            minima[node] = min(minima[2u * node], minima[2u * node + 1u]);
        }
    }
    synchronise();
    lower[thread] = wordBefore(thread, low - 1);
    synchronise();

    // d is the depth of the open on top of what was there before this word.
    int d = depth - net - 1;
    int owner = wordBefore(thread, d);
    uint left = owner < 0 ? 0u : lowestBits(opens[owner], d - minima[THREADS + owner] + 1);
    uint stack = 0u;
    for (uint i = 0u; i < valid; i++) {
        uint link;
        if (stack != 0u) {
            link = begin + uint(findMSB(stack));
        } else if (owner >= 0) {
            link = first + uint(owner) * 32u + uint(findMSB(left));
        } else {
            link = OUTSIDE | uint(-1 - d);
        }
        rows[thread * ROW + i] = link;
        if ((word >> i & 1u) != 0u) {
            stack |= 1u << i;
        } else if (stack != 0u) {
            stack &= ~(1u << findMSB(stack));
        } else {
            d--;
            if (owner >= 0) {
                left &= ~(1u << findMSB(left));
                if (left == 0u) {
                    owner = lower[owner];
                    if (owner >= 0) {
                        left = lowestBits(opens[owner], d - minima[THREADS + owner] + 1);
                    }
                }
            }
        }
    }
    synchronise();

    int start = partitionDepths[section];
    for (uint k = 0u; k < 32u; k++) {
        uint local = k * THREADS + thread;
        if (first + local < count) {
            uint link = rows[local / 32u * ROW + local % 32u];
            if ((link & OUTSIDE) != 0u) {
                link = openOutside(section, start - 1 - int(link & ~OUTSIDE));
            }
            links[outputBase + first + local] = link;
        }
    }
}
