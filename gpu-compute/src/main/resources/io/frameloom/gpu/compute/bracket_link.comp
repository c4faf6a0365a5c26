#version 450
#extension GL_EXT_control_flow_attributes : require
#ifdef BRACKET_LANES
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif

// One word of 32 brackets per thread, one element after the other. What a word does not find in itself it takes from the
// stack before it: the opens that the word before leaves, then the open under that word and those lower in its word, and
// so on. With LINK_PAIRS each two brackets get one link, half that of the first.

layout(local_size_x = GROUP_WORDS) in;

layout(set = 0, binding = 0) readonly buffer BracketWords { uint packedWords[]; };
layout(set = 0, binding = 1) readonly buffer BracketOpens { uvec2 opens[]; };
layout(set = 0, binding = 2) writeonly buffer BracketLinks { uvec4 links[]; };

layout(push_constant) uniform Push {
    uint count;      // elements of this dispatch
    uint outputBase; // word of the first link
    uint firstWord;  // of this dispatch
};

#define NONE 0xFFFFFFFFu

uint ownWord() {
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
#ifdef BRACKET_LANES
    return group * uint(GROUP_WORDS) + gl_SubgroupID * uint(BRACKET_LANES) + gl_SubgroupInvocationID;
#else
    return group * uint(GROUP_WORDS) + gl_LocalInvocationID.x;
#endif
}

// Writes four links, the first of them of the element at a multiple of four.
void put(uint element, uvec4 four, uint end) {
    uint to = outputBase + element;
    if ((outputBase & 3u) == 0u && element + 4u <= end) {
        links[to >> 2] = four;
        return;
    }
    [[unroll]] for (uint j = 0u; j < 4u; j++) {
        if (element + j < end) {
            links[to + j >> 2][to + j & 3u] = four[j];
        }
    }
}

#ifdef LINK_PAIRS
uvec4 halves(uvec4 four) {
    return mix(four >> 1, four, equal(four, uvec4(NONE)));
}
#endif

void main() {
    uint local = ownWord();
    uint own = firstWord + local;
    uint begin = own * 32u;
    // Threads behind the last word go on, for what their neighbours exchange with them.
    bool exists = local * 32u < count;
    uint word = exists ? packedWords[local] : 0xFFFFFFFFu;
    uvec2 before = exists && own > 0u ? opens[own - 1u] : uvec2(0u, NONE);
    uint held = before.x; // opens of a word before that are still there, the first link if any
    uint from = begin - 32u;
    uint under = before.y; // the next open when none of them is left
    uint outside = held == 0u ? under : from + uint(findMSB(held));
    uint open = 0u;
#ifdef LINK_PAIRS
    uvec4 earlier;
#endif
    [[unroll]] for (uint eighth = 0u; eighth < 4u; eighth++) {
        uint eight[8];
        [[unroll]] for (uint j = 0u; j < 8u; j++) {
            int top = findMSB(open);
            bool empty = open == 0u;
            eight[j] = empty ? outside : begin + uint(top);
            uint bit = 1u << j << 8u * eighth;
            if ((word & bit) != 0u) {
                open |= bit;
            } else {
                open &= ~(1u << (top & 31));
                if (empty) {
                    if (held == 0u && under != NONE) {
                        from = under & ~31u;
                        before = opens[under >> 5];
                        held = before.x & ((1u << (under & 31u)) - 1u);
                        under = before.y;
                    } else {
                        held &= ~(1u << (findMSB(held) & 31));
                    }
                    outside = held == 0u ? under : from + uint(findMSB(held));
                }
            }
        }
        uvec4 lower = uvec4(eight[0], eight[1], eight[2], eight[3]);
        uvec4 upper = uvec4(eight[4], eight[5], eight[6], eight[7]);
#ifdef LINK_PAIRS
        upper = halves(uvec4(lower.xz, upper.xz));
        if ((eighth & 1u) == 0u) {
            earlier = upper;
            continue;
        }
        lower = earlier;
        uint element = local * 16u + eighth / 2u * 8u;
        uint end = count / 2u;
        uint row = 16u;
#else
        uint element = local * 32u + eighth * 8u;
        uint end = count;
        uint row = 32u;
#endif
#ifdef BRACKET_LANES
        // Two threads write the links of one together, then of the other.
        bool odd = (gl_SubgroupInvocationID & 1u) != 0u;
        uvec4 given = subgroupShuffleXor(odd ? lower : upper, 1u);
        uint even = odd ? element - row : element;
        uint part = odd ? 4u : 0u;
        put(even + part, odd ? given : lower, end);
        put(even + row + part, odd ? upper : given, end);
#else
        put(element, lower, end);
        put(element + 4u, upper, end);
#endif
    }
}
