#version 450
#extension GL_KHR_memory_scope_semantics : require
#extension GL_GOOGLE_include_directive : require

// The effective boxes of one partition of 512 elements per workgroup. Doubling takes each clip past all clips around it in
// the partition, to its anchor: the nearest clip around it that begins before the partition, and which its own partition
// therefore leaves open. What is around an element is then cut in the partition, in the anchor's partition, by what cuts all
// that that one leaves open, and by the viewport. WINDOWED leaves out the anchor, which may lie beyond a binding, and writes
// which it is.

#include "clip_keys.glsl"

#define OWN_BOX 0u
#define BEFORE_POP 1u

layout(local_size_x = THREADS) in;

layout(set = 0, binding = 0) readonly buffer ClipOperations { uint operations[]; };
layout(set = 0, binding = 1) readonly buffer ClipSources { SOURCE sources[]; };
layout(set = 0, binding = 2) readonly buffer ClipLinks { uint links[]; };
#ifdef WINDOWED
layout(set = 0, binding = 3) writeonly buffer ClipAnchors { uint anchors[]; };
#else
layout(set = 0, binding = 3) readonly buffer ClipProducts { ivec4 products[]; };
layout(set = 0, binding = 4) readonly buffer ClipNodes { ivec4 nodes[]; };
#endif
layout(set = 0, binding = 5) writeonly buffer ClipEffective { SOURCE effective[]; };

layout(push_constant) uniform Push {
    uint count;         // elements of this dispatch
    uint operationBase; // word of the first operation
    uint sourceBase;    // word of the first box
    uint effectiveBase; // word of the first result
    uint linkBase;      // word of the first link
    uint end;           // what the box of an END is
    int left;           // keys of the viewport
    int top;
    int right;
    int bottom;
    uint origin;        // number of the first element
};

#define EACH (PARTITION / uint(THREADS))

shared ivec4 boxes[PARTITION];
shared uint around[PARTITION]; // an element of the partition, or the anchor
shared uint going[10];         // whether a clip goes further, by how often all have

void synchronise() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, BARRIER_SEMANTICS);
}

ivec4 sourceOf(uint element) {
#ifdef ALIGNED
    return keysOf(sources[sourceBase / 4u + element]);
#else
    uint at = sourceBase + element * 4u;
    return keysOf(ivec4(sources[at], sources[at + 1u], sources[at + 2u], sources[at + 3u]));
#endif
}

void put(uint element, ivec4 bits) {
#ifdef ALIGNED
    effective[effectiveBase / 4u + element] = bits;
#else
    uint to = effectiveBase + element * 4u;
    effective[to] = bits.x;
    effective[to + 1u] = bits.y;
    effective[to + 2u] = bits.z;
    effective[to + 3u] = bits.w;
#endif
}

// Links lead backwards, so one that is not in the partition is before it, or none.
bool inside(uint link, uint first) {
    return link - first < PARTITION;
}

void main() {
    uint begin = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * PARTITION;
    if (begin >= count) {
        return;
    }
    uint first = origin + begin;
    uint thread = gl_LocalInvocationID.x;
    if (thread < 10u) {
        going[thread] = 0u;
    }
    uint ops[EACH];
    uint next[EACH];
    ivec4 own[EACH];
    for (uint k = 0u; k < EACH; k++) {
        uint local = k * uint(THREADS) + thread;
        uint element = begin + local;
        ops[k] = END;
        next[k] = NONE;
        own[k] = everything;
        if (element < count) {
            ops[k] = operations[operationBase + element];
            next[k] = links[linkBase + element];
            if (ops[k] != END || end == OWN_BOX) {
                own[k] = sourceOf(element);
            }
        }
        // An END keeps its link here, for those that look for what is around its BEGIN.
        around[local] = next[k];
        if (ops[k] == BEGIN) {
            boxes[local] = own[k];
        }
    }
    synchronise();
    // Of each the clip that is on top of the stack, or around its BEGIN.
    uint clip[EACH];
    for (uint k = 0u; k < EACH; k++) {
        clip[k] = next[k];
        if (ops[k] == END && end != BEFORE_POP && next[k] != NONE) {
            if (inside(next[k], first)) {
                clip[k] = around[next[k] - first];
            } else {
#ifdef WINDOWED
                clip[k] = AROUND | next[k];
#else
                clip[k] = links[linkBase + next[k]];
#endif
            }
        }
    }
    synchronise();
    for (uint round = 0u; round < 10u; round++) {
        bool goes = false;
        for (uint k = 0u; k < EACH; k++) {
            if (ops[k] == BEGIN && inside(next[k], first)) {
                own[k] = within(own[k], boxes[next[k] - first]);
                next[k] = around[next[k] - first];
                goes = goes || inside(next[k], first);
            }
        }
        if (goes) {
            // Many threads say so at a time, which plain stores must not.
            atomicOr(going[round], 1u, gl_ScopeWorkgroup, 0, 0);
        }
        synchronise();
        for (uint k = 0u; k < EACH; k++) {
            if (ops[k] == BEGIN) {
                boxes[k * uint(THREADS) + thread] = own[k];
                around[k * uint(THREADS) + thread] = next[k];
            }
        }
        bool further = going[round] != 0u;
        synchronise();
        if (!further) {
            break;
        }
    }
    for (uint k = 0u; k < EACH; k++) {
        uint element = begin + k * uint(THREADS) + thread;
        if (element < count) {
            ivec4 box = within(own[k], ivec4(left, top, right, bottom));
            uint anchor = next[k];
            if (ops[k] != BEGIN) {
                anchor = clip[k];
                if (inside(anchor, first)) {
                    box = within(box, boxes[anchor - first]);
                    anchor = around[anchor - first];
                }
            }
#ifdef WINDOWED
            anchors[element] = anchor;
#else
            if (anchor != NONE) {
                box = within(box, products[anchor]);
                box = within(box, nodes[anchor / PARTITION * 2u]);
            }
#endif
            put(element, turned(box));
        }
    }
}
