#version 450

// Turns "opens" into "has no partner in this window". A close clears the mark of its open, which no other close has.

layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer MatchBrackets { uint brackets[]; };
layout(set = 0, binding = 1) readonly buffer MatchLinks { uint links[]; };
layout(set = 0, binding = 2) writeonly buffer MatchOpens { uint alone[]; };

layout(push_constant) uniform Push {
    uint count;
};

#define NONE 0xFFFFFFFFu

void main() {
    for (uint k = 0u; k < 4u; k++) {
        uint i = gl_WorkGroupID.x * 512u + k * 128u + gl_LocalInvocationID.x;
        if (i < count && (brackets[i] & 1u) == 0u) {
            uint link = links[i];
            if (link == NONE) {
                alone[i] = 1u;
            } else {
                alone[link] = 0u;
            }
        }
    }
}
