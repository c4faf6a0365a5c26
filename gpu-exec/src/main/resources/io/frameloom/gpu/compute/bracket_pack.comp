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

// One section of 1,024 brackets per workgroup, one word of 32 per thread. Leaves the words; of each section the depth it
// adds, the lowest depth in it, and a slice: where in the section the opens are that nothing in it closes, lowest first,
// two to a word. Depths are relative to the beginning of the section and never clamped: a close of an empty stack lowers
// the floor for everything behind it.

layout(local_size_x = 32) in;

layout(set = 0, binding = 0) readonly buffer BracketInput { uvec4 brackets[]; };
layout(set = 0, binding = 1) writeonly buffer BracketWords { uint packedWords[]; };
layout(set = 0, binding = 2) writeonly buffer BracketSlices { uint slices[]; };
layout(set = 0, binding = 3) writeonly buffer BracketNets { int nets[]; };
layout(set = 0, binding = 4) writeonly buffer BracketLows { int lows[]; };

layout(push_constant) uniform Push {
    uint count;     // elements of this dispatch
    uint inputBase; // word of the first
};

#include "bracket_lanes.glsl"

#define QUADS (SECTION / 4u)

shared uint quads[QUADS + QUADS / 8u];
shared uint survivors[SECTION + SECTION / 32u];

uint quadPlace(uint quad) {
    return quad + quad / 8u;
}

uint survivorPlace(uint slot) {
    return slot + slot / 32u;
}

uint inputWord(uint at) {
    return brackets[at >> 2][at & 3u];
}

// Four elements as bits.
uint loadQuad(uint first, uint quad, bool whole) {
#ifdef INPUT_BYTES
    uint word = first + quad * 4u < count ? inputWord(inputBase + first / 4u + quad) : 0u;
    // The highest bit of each byte that is not 0, then the four of them side by side.
    uint set = ((((word & 0x7F7F7F7Fu) + 0x7F7F7F7Fu) | word) & 0x80808080u) >> 7;
    return (set * 0x01020408u) >> 24 & 0xFu;
#else
    uint element = first + quad * 4u;
    uvec4 four = uvec4(0u);
    if (whole) {
        four = brackets[(inputBase + element) >> 2];
    } else {
        [[unroll]] for (uint j = 0u; j < 4u; j++) {
            if (element + j < count) {
                four[j] = inputWord(inputBase + element + j);
            }
        }
    }
    uvec4 bits = mix(uvec4(0u), uvec4(1u, 2u, 4u, 8u), notEqual(four, uvec4(0u)));
    return bits.x | bits.y | bits.z | bits.w;
#endif
}

// Threads read neighbouring quads of elements, and put the quads of their own word together afterwards.
uint ownWord(uint first, uint thread, uint valid) {
#ifdef INPUT_BITS
    return valid == 0u ? 0u : inputWord(inputBase + first / 32u + thread);
#else
    bool whole = (inputBase & 3u) == 0u && first + SECTION <= count;
    uint loaded[8];
    [[unroll]] for (uint k = 0u; k < 8u; k++) {
        loaded[k] = loadQuad(first, k * THREADS + thread, whole);
    }
    [[unroll]] for (uint k = 0u; k < 8u; k++) {
        quads[quadPlace(k * THREADS + thread)] = loaded[k];
    }
    synchronise();
    uint word = 0u;
    [[unroll]] for (uint j = 0u; j < 8u; j++) {
        word |= quads[quadPlace(thread * 8u + j)] << (4u * j);
    }
    return word;
#endif
}

void main() {
    uint section = ownSection();
    uint first = section * SECTION;
    if (first >= count) {
        return;
    }
    uint thread = ownThread();
    uint begin = first + thread * 32u;
    uint valid = begin < count ? min(32u, count - begin) : 0u;
    uint mask = valid < 32u ? (1u << valid) - 1u : 0xFFFFFFFFu;
    uint word = ownWord(first, thread, valid) & mask;

    // What is behind the last element opens here, and is forgotten then.
    uint bits = word | ~mask;
    uint open = 0u;
    int closes = 0;
    [[unroll]] for (uint i = 0u; i < 32u; i++) {
        uint top = open == 0u ? 0u : 1u << findMSB(open);
        if ((bits >> i & 1u) != 0u) {
            open |= 1u << i;
        } else {
            closes += open == 0u ? 1 : 0;
            open ^= top;
        }
    }
    open &= mask;
    packedWords[section * THREADS + thread] = word;

    int opens = bitCount(open);
    int depth = sumUpTo(opens - closes);
    int net = valueOf(depth, THREADS - 1u);
    int low = depth - opens; // the lowest depth in this word
    int lowest = lowestFrom(low);
    int bottom = valueOf(lowest, 0u);
    int behind = valueBehind(lowest);
    int live = thread + 1u < THREADS ? clamp(behind - low, 0, opens) : opens;
    for (int j = 0; j < live; j++) {
        survivors[survivorPlace(uint(low - bottom + j))] = thread * 32u + uint(findLSB(open));
        open &= open - 1u;
    }
    synchronise();
    uint many = uint(net - bottom);
    for (uint pair = thread; 2u * pair < many; pair += THREADS) {
        uint slot = 2u * pair;
        uint upper = slot + 1u < many ? survivors[survivorPlace(slot + 1u)] : 0u;
        slices[section * (SECTION / 2u) + pair] = survivors[survivorPlace(slot)] | upper << 16;
    }
    if (thread == 0u) {
        nets[section] = net;
        lows[section] = bottom;
    }
}
