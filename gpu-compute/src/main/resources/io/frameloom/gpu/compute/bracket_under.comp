#version 450
#extension GL_KHR_memory_scope_semantics : require
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#ifdef BRACKET_LANES
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#endif

// Sections of 1,024 brackets, one word of 32 per thread. Finds for each word the open under it: what is on top of the stack
// where the word goes down lowest. It is in the last word before that goes lower. Where that is not in the section, it is in
// the last section before that goes low enough; there all words are looked up whose opens are in it.

layout(local_size_x = 32 * GROUP_SECTIONS) in;

layout(set = 0, binding = 0) readonly buffer BracketWords { uint packedWords[]; };
layout(set = 0, binding = 1) buffer BracketOpens { uvec2 opens[]; };
layout(set = 0, binding = 2) readonly buffer BracketDepths { int sectionDepths[]; };
layout(set = 0, binding = 3) readonly buffer BracketTree { int tree[]; };

layout(push_constant) uniform Push {
    uint count;
    uint sections;
};

#include "bracket_lanes.glsl"

#define NONE 0xFFFFFFFFu

// Returns the last section before node with a lowest depth of at most d, or -1. The tree has three levels, the last of
// which is gone through.
int climb(uint node, int d) {
    uint thread = ownThread();
    uint level = 0u;
    uint offset = 0u;
    uint size = sections;
    while (node > 0u) {
        uint base = (node - 1u) & ~31u;
        uint found = votes(base + thread < node && tree[offset + min(base + thread, size - 1u)] <= d);
        if (found != 0u) {
            node = base + uint(findMSB(found));
            while (level > 0u) {
                level--;
                size = (sections + (1u << 5u * level) - 1u) >> 5u * level;
                offset -= size;
                uint below = node * 32u + thread;
                node = node * 32u + uint(findMSB(votes(below < size && tree[offset + min(below, size - 1u)] <= d)));
            }
            return int(node);
        }
        if (level == 2u) {
            node = base;
        } else {
            node = base / 32u;
            offset += size;
            size = (size + 31u) / 32u;
            level++;
        }
    }
    return -1;
}

// The lowest depth in a word, relative to the beginning of its section.
int lowIn(uint word, uint open, uint valid) {
    int left = bitCount(open);
    return sumUpTo(2 * bitCount(word) - int(valid)) - left;
}

// Of 1, 2, 4, 8 and 16 words up to the own one.
int lowest[5];

void setLows(int low) {
    lowest[0] = low;
    [[unroll]] for (uint k = 0u; k < 4u; k++) {
        uint distance = 1u << k;
        lowest[k + 1u] = min(lowest[k], valueAt(lowest[k], max(ownThread(), distance) - distance));
    }
}

// Returns the last word before another that goes down to d, or -1.
int lastLow(uint before, int d) {
    int end = int(before);
    [[unroll]] for (int k = 4; k >= 0; k--) {
        int low = valueAt(lowest[k], uint(max(end - 1, 0)));
        end = low > d ? max(end - (1 << k), 0) : end;
    }
    return end - 1;
}

// The place of a bit of which so many are lower.
uint placeOf(uint bits, uint lower) {
    uint place = 0u;
    [[unroll]] for (uint width = 16u; width > 0u; width /= 2u) {
        uint there = bitCount(bits >> place & ((1u << width) - 1u));
        bool above = lower >= there;
        lower -= above ? there : 0u;
        place += above ? width : 0u;
    }
    return place;
}

uint validAt(uint word) {
    return word * 32u < count ? min(32u, count - word * 32u) : 0u;
}

void main() {
    uint section = ownSection();
    if (section >= sections) {
        return;
    }
    uint thread = ownThread();
    uint own = section * THREADS + thread;
    uint open = opens[own].x;
    int low = lowIn(packedWords[own], open, validAt(own));
    int d = low - 1;
    setLows(low);
    int word = lastLow(thread, d);
    uint from = section * THREADS + uint(max(word, 0));
    uint bits = uint(valueAt(int(open), uint(max(word, 0))));
    int lower = d - valueAt(low, uint(max(word, 0)));
    if (word < 0) {
        from = NONE;
    }

    int start = sectionDepths[section];
    int before = int(section);
    int looked = before; // at the 32 sections before this one
    int nearby = before - 32 + int(thread);
    int depth = tree[max(nearby, 0)];
    bool waits = word < 0;
    uint waiting = votes(waits);
    while (waiting != 0u) {
        // Words that wait go lower and lower.
        int sought = start + valueOf(d, uint(findLSB(waiting)));
        if (before <= looked - 32) {
            looked = before;
            nearby = before - 32 + int(thread);
            depth = tree[max(nearby, 0)];
        }
        uint found = votes(nearby >= 0 && nearby < before && depth <= sought);
        int owner = found != 0u ? looked - 32 + findMSB(found) : climb(uint(max(looked - 32, 0)), sought);
        if (owner < 0) {
            break;
        }
        int lowestThere = tree[owner];
        uint there = uint(owner) * THREADS + thread;
        uint left = opens[there].x;
        int ownerLow = lowIn(packedWords[there], left, 32u);
        int ownerD = d + start - sectionDepths[owner];
        setLows(ownerLow);
        int last = lastLow(THREADS, ownerD);
        uint lastBits = uint(valueAt(int(left), uint(max(last, 0))));
        int lastLower = ownerD - valueAt(ownerLow, uint(max(last, 0)));
        if (waits && start + d >= lowestThere) {
            waits = false;
            from = uint(owner) * THREADS + uint(last);
            bits = lastBits;
            lower = lastLower;
        }
        waiting = votes(waits);
        before = owner;
    }
    opens[own].y = from == NONE ? NONE : from * 32u + placeOf(bits, uint(lower));
}
