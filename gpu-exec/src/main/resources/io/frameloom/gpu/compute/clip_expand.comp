#version 450
#extension GL_GOOGLE_include_directive : require

// Two brackets for each element, 16 elements to a word: both open for a BEGIN, both close for an END, else one of each.

#include "clip_keys.glsl"

layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer ClipOperations { uint operations[]; };
layout(set = 0, binding = 1) writeonly buffer ClipBrackets { uint brackets[]; };

layout(push_constant) uniform Push {
    uint count;
    uint operationBase; // word of the first operation
};

void main() {
    uint word = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 128u + gl_LocalInvocationID.x;
    uint first = word * 16u;
    if (first >= count) {
        return;
    }
    uint bits = 0u;
    for (uint e = 0u; e < min(16u, count - first); e++) {
        uint operation = operations[operationBase + first + e];
        uint two = operation == BEGIN ? 3u : operation == END ? 0u : 1u;
        bits |= two << 2u * e;
    }
    brackets[word] = bits;
}
