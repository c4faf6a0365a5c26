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

// One section of 1,024 brackets per workgroup. First each thread matches the brackets of a word of 32 with each other, as
// far as that goes. Then the threads put the stack before the section into shared memory, as deep as the section goes down
// into it: the open at a depth is in the slice of the last section before whose lowest depth is not above it, and so are
// those above it down to that lowest depth. At last they go through the words, one element each: what a word did not find
// in itself it takes from the stack, and then leaves its own opens there. Links into slices that are not bound are left to
// other dispatches.

layout(local_size_x = 32) in;

layout(set = 0, binding = 0) readonly buffer BracketWords { uint packedWords[]; };
layout(set = 0, binding = 1) readonly buffer BracketSlices { uint slices[]; };
layout(set = 0, binding = 2) readonly buffer BracketDepths { int sectionDepths[]; };
layout(set = 0, binding = 3) readonly buffer BracketTree { int tree[]; };
layout(set = 0, binding = 4) writeonly buffer BracketLinks { uint links[]; };

layout(push_constant) uniform Push {
    uint count;        // elements of this dispatch
    uint outputBase;   // word of the first link
    uint sections;     // of all dispatches
    uint firstSection; // of this dispatch
    uint firstSlice;   // the section of the first slice that is bound
    uint boundSlices;  // how many of them are bound
};

#include "bracket_lanes.glsl"

#define ROW 9u
#define NONE 0xFFFFFFFFu
#define ELSEWHERE 0xFFFFFFFEu
#define OUTSIDE 32u

// Four to a word: where in its word the open is, or OUTSIDE and how many closes before.
shared uint codes[THREADS * ROW];
shared uint wordHeights[THREADS]; // opens on the stack before each word
shared uint wordFloors[THREADS];  // fewest of them in each word
shared uint wordOpens[THREADS];   // opens that each word leaves
shared uint stack[SECTION + 1u];        // opens by depth, from the lowest that is looked for

// The last section before one with a lowest depth of at most d, or -1.
int sectionBefore(uint before, int d) {
    uint thread = ownThread();
    uint node = before;
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
        node = base / 32u;
        offset += size;
        size = (size + 31u) / 32u;
        level++;
    }
    return -1;
}

// Puts the opens at the depths -1, -2 and so on before a section on the stack.
void loadStack(uint section, uint lowest) {
    uint thread = ownThread();
    int start = sectionDepths[section];
    uint slot = 0u;
    uint before = section;
    while (slot <= lowest) {
        int owner = sectionBefore(before, start - 1 - int(slot));
        if (owner < 0) {
            for (uint s = slot + thread; s <= lowest; s += THREADS) {
                stack[lowest - s] = NONE;
            }
            return;
        }
        int low = tree[owner];
        uint end = min(lowest + 1u, uint(start - low));
        uint slice = uint(owner) - firstSlice;
        bool bound = slice < boundSlices;
        for (uint s = slot + thread; s < end; s += THREADS) {
            uint place = uint(start - 1 - int(s) - low);
            uint link = ELSEWHERE;
            if (bound) {
                uint local = slices[slice * (SECTION / 2u) + place / 2u] >> place % 2u * 16u & 0xFFFFu;
                link = uint(owner) * SECTION + local;
            }
            stack[lowest - s] = link;
        }
        slot = end;
        before = uint(owner);
    }
}

void main() {
    uint group = ownSection();
    uint first = group * SECTION;
    if (first >= count) {
        return;
    }
    uint section = firstSection + group;
    uint thread = ownThread();
    uint begin = first + thread * 32u;
    uint valid = begin < count ? min(32u, count - begin) : 0u;
    uint mask = valid < 32u ? (1u << valid) - 1u : 0xFFFFFFFFu;
    // What is behind the last element opens, and is forgotten then.
    uint word = packedWords[group * THREADS + thread] | ~mask;

    uint open = 0u;
    uint outside = OUTSIDE;
    [[unroll]] for (uint quad = 0u; quad < 8u; quad++) {
        uint four = 0u;
        [[unroll]] for (uint j = 0u; j < 4u; j++) {
            uint i = quad * 4u + j;
            uint place = uint(findMSB(open));
            uint top = open == 0u ? 0u : 1u << place;
            four |= (open == 0u ? outside : place) << 8u * j;
            if ((word >> i & 1u) != 0u) {
                open |= 1u << i;
            } else {
                outside += open == 0u ? 1u : 0u;
                open ^= top;
            }
        }
        codes[thread * ROW + quad] = four;
    }
    open &= mask;
    int closes = int(outside - OUTSIDE);
    int net = bitCount(open) - closes;
    int depth = sumUpTo(net) - net;
    uint lowest = uint(-valueOf(lowestFrom(depth - closes), 0u));
    wordHeights[thread] = lowest + uint(depth);
    wordFloors[thread] = lowest + uint(depth - closes);
    wordOpens[thread] = open;
    loadStack(section, lowest);
    synchronise();

    uint firstIndex = section * SECTION;
    UNROLL_WORDS for (uint w = 0u; w < 32u; w++) {
        uint code = codes[w * ROW + thread / 4u] >> thread % 4u * 8u & 0xFFu;
        uint index = firstIndex + w * 32u;
        uint link = code < OUTSIDE ? index + code : stack[wordHeights[w] - (code - OUTSIDE)];
        if (first + w * 32u + thread < count && link != ELSEWHERE) {
            links[outputBase + first + w * 32u + thread] = link;
        }
        synchronise();
        uint opens = wordOpens[w];
        if ((opens >> thread & 1u) != 0u) {
            uint below = bitCount(opens & ((1u << thread) - 1u));
            stack[wordFloors[w] + 1u + below] = index + thread;
        }
        synchronise();
    }
}
