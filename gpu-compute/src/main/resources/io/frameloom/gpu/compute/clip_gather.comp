#version 450
#extension GL_GOOGLE_include_directive : require

// Cuts the boxes of a window by their anchors, and by what cuts all that the anchors' partitions leave open, where the
// anchors are in another window. Windows are gone through backwards: an anchor that is around a BEGIN is before it.

#include "clip_keys.glsl"

layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer ClipLinks { uint links[]; };       // of the other window
layout(set = 0, binding = 1) readonly buffer ClipProducts { ivec4 products[]; }; // of the other window
layout(set = 0, binding = 2) readonly buffer ClipNodes { ivec4 nodes[]; };
layout(set = 0, binding = 3) buffer ClipAnchors { uint anchors[]; };
layout(set = 0, binding = 4) buffer ClipEffective { int effective[]; };

layout(push_constant) uniform Push {
    uint count;
    uint effectiveBase; // word of the first result
    uint linkBase;      // word of the other window's first link
    uint from;          // first element of the other window
    uint there;         // elements of the other window
};

void main() {
    uint element = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 128u + gl_LocalInvocationID.x;
    if (element >= count) {
        return;
    }
    uint anchor = anchors[element];
    if (anchor != NONE && (anchor & AROUND) != 0u) {
        uint begin = anchor & ~AROUND;
        if (begin - from >= there) {
            return;
        }
        anchor = links[linkBase + begin - from];
        anchors[element] = anchor;
    }
    if (anchor - from >= there) {
        return;
    }
    uint at = effectiveBase + element * 4u;
    ivec4 box = turned(ivec4(effective[at], effective[at + 1u], effective[at + 2u], effective[at + 3u]));
    box = turned(within(within(box, products[anchor - from]), nodes[anchor / PARTITION * 2u]));
    effective[at] = box.x;
    effective[at + 1u] = box.y;
    effective[at + 2u] = box.z;
    effective[at + 3u] = box.w;
}
