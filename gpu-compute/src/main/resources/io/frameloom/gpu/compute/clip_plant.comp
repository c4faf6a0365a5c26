#version 450
#extension GL_GOOGLE_include_directive : require

// Makes a forest of the partitions: what is left open in one is cut by its anchor, and by what cuts the anchor's partition.
// A dispatch plants those whose anchors are in its window, the first one those without anchors, too.

#include "clip_keys.glsl"

layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer ClipProducts { ivec4 products[]; }; // of a window
layout(set = 0, binding = 1) readonly buffer ClipBottoms { uint bottoms[]; };
layout(set = 0, binding = 2) writeonly buffer ClipNodes { ivec4 nodes[]; };

layout(push_constant) uniform Push {
    uint partitions;
    uint first; // element of the window
    uint there; // elements of the window
};

void main() {
    uint section = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 128u + gl_LocalInvocationID.x;
    if (section >= partitions) {
        return;
    }
    uint bottom = bottoms[section];
    if (bottom == NONE ? first > 0u : bottom - first >= there) {
        return;
    }
    ivec4 box = everything;
    uint next = NONE;
    if (bottom != NONE) {
        box = products[bottom - first];
        next = bottom / PARTITION;
    }
    nodes[2u * section] = box;
    nodes[2u * section + 1u].x = int(next);
}
