#version 450
#extension GL_GOOGLE_include_directive : require

// The effective box of each element: its own within its partition, its anchor's within the anchor's partition, what cuts
// all that partition leaves open, and the viewport.

#include "clip_keys.glsl"

#define OWN_BOX 0u
#define BEFORE_POP 1u

layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer ClipOperations { uint operations[]; };
layout(set = 0, binding = 1) readonly buffer ClipSources { int sources[]; };
layout(set = 0, binding = 2) readonly buffer ClipPairs { uint pairs[]; };
layout(set = 0, binding = 3) readonly buffer ClipProducts { int products[]; };
layout(set = 0, binding = 4) readonly buffer ClipAnchors { uint anchors[]; };
layout(set = 0, binding = 5) readonly buffer ClipNodes { int nodes[]; };
layout(set = 0, binding = 6) writeonly buffer ClipEffective { int effective[]; };
layout(set = 0, binding = 7) writeonly buffer ClipLinks { uint links[]; };

layout(push_constant) uniform Push {
    uint count;
    uint operationBase; // word of the first operation
    uint sourceBase;    // word of the first box
    uint effectiveBase; // word of the first result
    uint linkBase;      // word of the first link
    uint end;           // what the box of an END is
    int left;           // keys of the viewport
    int top;
    int right;
    int bottom;
};

uint linkOf(uint element) {
    uint link = pairs[2u * element];
    return link == NONE ? NONE : link >> 1;
}

ivec4 productOf(uint element) {
    uint at = element * 4u;
    return ivec4(products[at], products[at + 1u], products[at + 2u], products[at + 3u]);
}

void main() {
    uint element = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 128u + gl_LocalInvocationID.x;
    if (element >= count) {
        return;
    }
    uint link = linkOf(element);
    links[linkBase + element] = link;
    ivec4 box = ivec4(left, top, right, bottom);
    uint clip = element;
    if (operations[operationBase + element] == END) {
        clip = end == BEFORE_POP || link == NONE ? link : linkOf(link);
        if (end == OWN_BOX) {
            uint from = sourceBase + element * 4u;
            box = within(box, keysOf(ivec4(sources[from], sources[from + 1u], sources[from + 2u], sources[from + 3u])));
        }
    }
    if (clip != NONE) {
        box = within(box, productOf(clip));
        uint anchor = anchors[clip];
        if (anchor != NONE) {
            uint node = anchor / PARTITION * 5u;
            box = within(box, productOf(anchor));
            box = within(box, ivec4(nodes[node], nodes[node + 1u], nodes[node + 2u], nodes[node + 3u]));
        }
    }
    ivec4 bits = turned(box);
    uint to = effectiveBase + element * 4u;
    effective[to] = bits.x;
    effective[to + 1u] = bits.y;
    effective[to + 2u] = bits.z;
    effective[to + 3u] = bits.w;
}
