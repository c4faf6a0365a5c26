#version 450
#extension GL_GOOGLE_include_directive : require

// Moves the brackets of each run of 32 bytes to where the scan says; the last run knows how many there are.

#include "text.glsl"

layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer MatchText { uint text[]; };
layout(set = 0, binding = 1) readonly buffer MatchPlaces { uint places[]; };
layout(set = 0, binding = 2) writeonly buffer MatchBrackets { uint brackets[]; };
layout(set = 0, binding = 3) writeonly buffer MatchOpens { uint opens[]; };
layout(set = 0, binding = 4) writeonly buffer MatchCount { uint count[]; };

layout(push_constant) uniform Push {
    uint bytes;
};

void main() {
    uint run = gl_GlobalInvocationID.x;
    if (run * 32u >= bytes) {
        return;
    }
    uint place = places[run];
    uint end = min(bytes, run * 32u + 32u);
    for (uint i = run * 32u; i < end; i++) {
        uint bracket = bracketOf(i, text[i / 4u] >> (i % 4u * 8u) & 0xFFu);
        if (bracket != NO_BRACKET) {
            brackets[place] = bracket;
            opens[place] = bracket & 1u;
            place++;
        }
    }
    if (end == bytes) {
        count[0] = place;
    }
}
