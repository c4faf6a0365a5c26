#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// Two brackets for each element, 16 elements to a word: both open for a BEGIN, both close for an END, else one of each.

#include "clip_keys.glsl"

layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer ClipOperations { uvec4 operations[]; };
layout(set = 0, binding = 1) writeonly buffer ClipBrackets { uint brackets[]; };

layout(push_constant) uniform Push {
    uint count;
    uint operationBase; // word of the first operation
};

uint bracketsOf(uint operation) {
    return operation == BEGIN ? 3u : operation == END ? 0u : 1u;
}

void main() {
    uint word = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 128u + gl_LocalInvocationID.x;
    uint first = word * 16u;
    if (first >= count) {
        return;
    }
    uint at = operationBase + first;
    uint bits = 0u;
    if ((operationBase & 3u) == 0u && first + 16u <= count) {
        [[unroll]] for (uint q = 0u; q < 4u; q++) {
            uvec4 four = operations[at / 4u + q];
            [[unroll]] for (uint j = 0u; j < 4u; j++) {
                bits |= bracketsOf(four[j]) << 8u * q + 2u * j;
            }
        }
    } else {
        for (uint e = 0u; e < min(16u, count - first); e++) {
            bits |= bracketsOf(operations[(at + e) / 4u][(at + e) % 4u]) << 2u * e;
        }
    }
    brackets[word] = bits;
}
