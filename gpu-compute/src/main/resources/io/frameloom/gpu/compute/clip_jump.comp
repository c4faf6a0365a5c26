#version 450
#extension GL_GOOGLE_include_directive : require

// Takes each node of the forest of partitions eight times as far to its root.

#include "clip_keys.glsl"

layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer ClipNodes { ivec4 nodes[]; };
layout(set = 0, binding = 1) writeonly buffer ClipFarther { ivec4 farther[]; };

layout(push_constant) uniform Push {
    uint partitions;
};

void main() {
    uint section = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 128u + gl_LocalInvocationID.x;
    if (section >= partitions) {
        return;
    }
    ivec4 box = nodes[2u * section];
    uint next = uint(nodes[2u * section + 1u].x);
    for (uint jump = 0u; jump < 7u && next != NONE; jump++) {
        box = within(box, nodes[2u * next]);
        next = uint(nodes[2u * next + 1u].x);
    }
    farther[2u * section] = box;
    farther[2u * section + 1u].x = int(next);
}
