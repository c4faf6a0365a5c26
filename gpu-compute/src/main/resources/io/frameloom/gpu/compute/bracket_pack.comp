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

// Sections of 1,024 brackets, one word of 32 per thread. Leaves the words; of each word the opens in it that it does not
// close itself; of each section the depth it adds, and the lowest depth in it. Depths are relative to the beginning of the
// section and never clamped: a close of an empty stack lowers the floor for everything behind it.

layout(local_size_x = 32 * GROUP_SECTIONS) in;

layout(set = 0, binding = 0) readonly buffer BracketInput { uvec4 brackets[]; };
layout(set = 0, binding = 1) writeonly buffer BracketWords { uint packedWords[]; };
layout(set = 0, binding = 2) writeonly buffer BracketOpens { uvec2 opens[]; };
layout(set = 0, binding = 3) writeonly buffer BracketNets { int nets[]; };
layout(set = 0, binding = 4) writeonly buffer BracketLows { int lows[]; };

layout(push_constant) uniform Push {
    uint count;     // elements of this dispatch
    uint inputBase; // word of the first
};

#include "bracket_lanes.glsl"

uint inputWord(uint at) {
    return brackets[at >> 2][at & 3u];
}

// Four elements, as they lie in memory, and as bits.
#ifdef INPUT_BYTES
#define QUAD uint

uint load(uint element) {
    return inputWord(inputBase + element / 4u);
}

uint loadSome(uint element) {
    return element < count ? load(element) : 0u;
}

uint bitsOf(uint four) {
    // The highest bit of each byte that is not 0, then the four of them side by side.
    uint set = ((((four & 0x7F7F7F7Fu) + 0x7F7F7F7Fu) | four) & 0x80808080u) >> 7;
    return (set * 0x01020408u) >> 24 & 0xFu;
}
#else
#define QUAD uvec4

uvec4 load(uint element) {
    return brackets[(inputBase + element) >> 2];
}

uvec4 loadSome(uint element) {
    uvec4 four = uvec4(0u);
    [[unroll]] for (uint j = 0u; j < 4u; j++) {
        if (element + j < count) {
            four[j] = inputWord(inputBase + element + j);
        }
    }
    return four;
}

uint bitsOf(uvec4 four) {
    four = min(four, uvec4(1u));
    return four.x | four.y << 1 | four.z << 2 | four.w << 3;
}
#endif

#if !defined(INPUT_BITS) && !(defined(BRACKET_LANES) && BRACKET_LANES >= 8)
#define QUADS (SECTION / 4u)
shared uint quads[QUADS + QUADS / 8u];

uint quadPlace(uint quad) {
    return quad + quad / 8u;
}
#endif

// Which quads of a section a thread reads: neighbours of those that its neighbours read at the same time.
uint quadOf(uint thread, uint k) {
#if defined(BRACKET_LANES) && BRACKET_LANES >= 8
    return (thread & 24u) * 8u + k * 8u + (thread & 7u);
#else
    return k * THREADS + thread;
#endif
}

// Threads read neighbouring quads of elements, and put the quads of their own word together afterwards.
uint ownWord(uint first, uint thread, uint valid) {
#ifdef INPUT_BITS
    return valid == 0u ? 0u : inputWord(inputBase + first / 32u + thread);
#else
#ifdef INPUT_BYTES
    bool whole = first + SECTION <= count;
#else
    bool whole = (inputBase & 3u) == 0u && first + SECTION <= count;
#endif
    // All loads behind one branch: behind one each they would wait for each other.
    QUAD raw[8];
    if (whole) {
        [[unroll]] for (uint k = 0u; k < 8u; k++) {
            raw[k] = load(first + 4u * quadOf(thread, k));
        }
    } else {
        [[unroll]] for (uint k = 0u; k < 8u; k++) {
            raw[k] = loadSome(first + 4u * quadOf(thread, k));
        }
    }
#if defined(BRACKET_LANES) && BRACKET_LANES >= 8
    // Eight threads have one of the eight quads of each other's words, and exchange halves of what they have.
    uint eighth = thread & 7u;
    uint loaded[8];
    [[unroll]] for (uint k = 0u; k < 8u; k++) {
        loaded[k] = bitsOf(raw[k]) << 4u * eighth;
    }
    [[unroll]] for (uint reach = 4u; reach > 0u; reach /= 2u) {
        bool upper = (eighth & reach) != 0u;
        [[unroll]] for (uint k = 0u; k < reach; k++) {
            uint kept = upper ? loaded[k + reach] : loaded[k];
            uint given = upper ? loaded[k] : loaded[k + reach];
            loaded[k] = kept | subgroupShuffleXor(given, reach);
        }
    }
    return loaded[0];
#else
    [[unroll]] for (uint k = 0u; k < 8u; k++) {
        quads[quadPlace(quadOf(thread, k))] = bitsOf(raw[k]);
    }
    synchronise();
    uint word = 0u;
    [[unroll]] for (uint j = 0u; j < 8u; j++) {
        word |= quads[quadPlace(thread * 8u + j)] << (4u * j);
    }
    return word;
#endif
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
    int closes = 0; // of those behind, that nothing between opens
    [[unroll]] for (int i = 31; i >= 0; i--) {
        bool one = (bits >> i & 1u) != 0u;
        open |= one && closes == 0 ? 1u << i : 0u;
        closes = max(closes + (one ? -1 : 1), 0);
    }
    open &= mask;
    packedWords[section * THREADS + thread] = word;
    opens[section * THREADS + thread] = uvec2(open, 0u);

    int depth = sumUpTo(int(bitCount(open)) - closes);
    int low = lowestOf(depth - int(bitCount(open)));
    if (thread == THREADS - 1u) {
        nets[section] = depth;
        lows[section] = low;
    }
}
