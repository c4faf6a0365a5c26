#version 450
#extension GL_GOOGLE_include_directive : require

// Counts the brackets of each run of 32 bytes.

#include "text.glsl"

layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer MatchText { uint text[]; };
layout(set = 0, binding = 1) writeonly buffer MatchPlaces { uint places[]; };

layout(push_constant) uniform Push {
    uint bytes;
};

void main() {
    uint run = gl_GlobalInvocationID.x;
    if (run * 32u >= bytes) {
        return;
    }
    uint brackets = 0u;
    for (uint i = run * 32u; i < min(bytes, run * 32u + 32u); i++) {
        if (bracketOf(i, text[i / 4u] >> (i % 4u * 8u) & 0xFFu) != NO_BRACKET) {
            brackets++;
        }
    }
    places[run] = brackets;
}
