#version 450
#extension GL_GOOGLE_include_directive : require

// Takes each node of the forest of partitions twice as far to its root.

#include "clip_keys.glsl"

layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer ClipNodes { int nodes[]; };
layout(set = 0, binding = 1) writeonly buffer ClipFarther { int farther[]; };

layout(push_constant) uniform Push {
    uint partitions;
};

ivec4 boxAt(uint at) {
    return ivec4(nodes[at], nodes[at + 1u], nodes[at + 2u], nodes[at + 3u]);
}

void main() {
    uint section = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 128u + gl_LocalInvocationID.x;
    if (section >= partitions) {
        return;
    }
    uint at = section * 5u;
    ivec4 box = boxAt(at);
    uint next = uint(nodes[at + 4u]);
    if (next != NONE) {
        box = within(box, boxAt(next * 5u));
        next = uint(nodes[next * 5u + 4u]);
    }
    farther[at] = box.x;
    farther[at + 1u] = box.y;
    farther[at + 2u] = box.z;
    farther[at + 3u] = box.w;
    farther[at + 4u] = int(next);
}
