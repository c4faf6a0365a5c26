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

// Partitions of 512 elements, which are the sections of the matching: 16 elements, a word of its brackets, per thread. Cuts
// the clips that a partition leaves open by those of them around them. Since each is nested in the one before, this is a
// scan of their boxes. All of them stand on what is around the first.

#include "clip_keys.glsl"

layout(local_size_x = 32 * GROUP_SECTIONS) in;

layout(set = 0, binding = 0) readonly buffer BracketWords { uint packedWords[]; };
layout(set = 0, binding = 1) readonly buffer BracketOpens { uvec2 opens[]; };
layout(set = 0, binding = 2) readonly buffer ClipSources { ivec4 sources[]; };
layout(set = 0, binding = 3) readonly buffer ClipLinks { uint links[]; };
layout(set = 0, binding = 4) writeonly buffer ClipProducts { ivec4 products[]; };
layout(set = 0, binding = 5) writeonly buffer ClipBottoms { uint bottoms[]; };

layout(push_constant) uniform Push {
    uint count;
    uint sourceBase; // word of the first box
    uint linkBase;   // word of the first link
};

#include "bracket_lanes.glsl"

ivec4 sourceOf(uint element) {
    uint at = sourceBase / 4u + element;
    uint shift = sourceBase & 3u;
    ivec4 box = sources[at];
    if (shift != 0u) {
        // What lies across two vectors, word by word: the second may not be there as a whole.
        [[unroll]] for (uint w = 0u; w < 4u; w++) {
            box[w] = sources[at + (shift + w) / 4u][(shift + w) & 3u];
        }
    }
    return keysOf(box);
}

ivec4 boxAt(ivec4 box, uint thread) {
    return ivec4(valueAt(box.x, thread), valueAt(box.y, thread), valueAt(box.z, thread), valueAt(box.w, thread));
}

// The opens of a word that nothing behind it in the section closes.
uint keptOf(uint word, uint open, uint valid) {
    uint thread = ownThread();
    int left = bitCount(open);
    int low = sumUpTo(2 * bitCount(word) - int(valid)) - left;
    int behind = valueAt(low, min(thread + 1u, THREADS - 1u));
    behind = thread == THREADS - 1u ? 0x7FFFFFFF : behind;
    [[unroll]] for (uint distance = 1u; distance < THREADS; distance *= 2u) {
        int farther = valueAt(behind, min(thread + distance, THREADS - 1u));
        behind = min(behind, farther);
    }
    for (int kept = clamp(behind, low, low + left) - low; left > kept; left--) {
        open ^= 1u << findMSB(open);
    }
    return open;
}

void main() {
    uint section = ownSection();
    uint first = section * PARTITION;
    if (first >= count) {
        return;
    }
    uint thread = ownThread();
    uint begin = first + thread * 16u;
    uint at = section * THREADS + thread;
    uint valid = begin < count ? 2u * min(16u, count - begin) : 0u;
    // A clip is two brackets, of which both stay or none.
    uint kept = keptOf(packedWords[at], opens[at].x, valid) & 0x55555555u;

    ivec4 outer = everything;
    for (uint row = 0u; row < PARTITION / THREADS; row++) {
        uint word = uint(valueAt(int(kept), 2u * row + thread / 16u));
        bool stays = (word >> 2u * (thread & 15u) & 1u) != 0u;
        if (votes(stays) == 0u) {
            continue;
        }
        uint element = first + row * THREADS + thread;
        ivec4 box = everything;
        if (stays) {
            box = sourceOf(element);
        }
        [[unroll]] for (uint distance = 1u; distance < THREADS; distance *= 2u) {
            box = within(box, boxAt(box, max(thread, distance) - distance));
        }
        box = within(box, outer);
        if (stays) {
            products[element] = box;
        }
        outer = boxAt(box, THREADS - 1u);
    }
    uint holding = votes(kept != 0u);
    if (holding == 0u) {
        if (thread == 0u) {
            bottoms[section] = NONE;
        }
    } else if (thread == uint(findLSB(holding))) {
        bottoms[section] = links[linkBase + begin + uint(findLSB(kept)) / 2u];
    }
}
