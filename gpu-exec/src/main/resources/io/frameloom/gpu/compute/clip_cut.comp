#version 450
#extension GL_KHR_memory_scope_semantics : require
#extension GL_GOOGLE_include_directive : require

// One partition of 512 elements per workgroup. Doubling takes each element past all clips around it in the partition,
// to its anchor: the nearest clip around it that begins before the partition. What the partition leaves open has one
// anchor, since all of it stands on the lowest stack of the partition.

#include "clip_keys.glsl"

#define THREADS 128u
#define EACH 4u

layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer ClipOperations { uint operations[]; };
layout(set = 0, binding = 1) readonly buffer ClipSources { int sources[]; };
layout(set = 0, binding = 2) readonly buffer ClipPairs { uint pairs[]; };
layout(set = 0, binding = 3) writeonly buffer ClipProducts { int products[]; };
layout(set = 0, binding = 4) writeonly buffer ClipAnchors { uint anchors[]; };
layout(set = 0, binding = 5) writeonly buffer ClipBottoms { uint bottoms[]; };

layout(push_constant) uniform Push {
    uint count;
    uint operationBase; // word of the first operation
    uint sourceBase;    // word of the first box
};

shared int boxes[4][PARTITION];
shared uint around[PARTITION];  // an element of the partition, or the anchor
shared uint closedClips[PARTITION];
shared uint lowestOpen;

void synchronise() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
}

ivec4 boxOf(uint local) {
    return ivec4(boxes[0][local], boxes[1][local], boxes[2][local], boxes[3][local]);
}

void setBox(uint local, ivec4 box) {
    boxes[0][local] = box.x;
    boxes[1][local] = box.y;
    boxes[2][local] = box.z;
    boxes[3][local] = box.w;
}

void main() {
    uint section = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint first = section * PARTITION;
    if (first >= count) {
        return;
    }
    uint thread = gl_LocalInvocationID.x;
    uint ops[EACH];
    for (uint k = 0u; k < EACH; k++) {
        closedClips[k * THREADS + thread] = 0u;
    }
    if (thread == 0u) {
        lowestOpen = NONE;
    }
    synchronise();
    for (uint k = 0u; k < EACH; k++) {
        uint local = k * THREADS + thread;
        uint element = first + local;
        ops[k] = NONE;
        around[local] = NONE;
        ivec4 box = everything;
        if (element < count) {
            ops[k] = operations[operationBase + element];
            uint link = pairs[2u * element];
            if (link != NONE) {
                link >>= 1;
            }
            if (ops[k] != END) {
                uint at = sourceBase + element * 4u;
                box = keysOf(ivec4(sources[at], sources[at + 1u], sources[at + 2u], sources[at + 3u]));
                around[local] = link;
            } else if (link != NONE && link >= first) {
                closedClips[link - first] = 1u;
            }
        }
        setBox(local, box);
    }
    synchronise();
    for (uint reach = 1u; reach < PARTITION; reach *= 2u) {
        ivec4 farther[EACH];
        uint next[EACH];
        for (uint k = 0u; k < EACH; k++) {
            uint local = k * THREADS + thread;
            farther[k] = boxOf(local);
            next[k] = around[local];
            if (next[k] != NONE && next[k] >= first) {
                uint other = next[k] - first;
                farther[k] = within(farther[k], boxOf(other));
                next[k] = around[other];
            }
        }
        synchronise();
        for (uint k = 0u; k < EACH; k++) {
            uint local = k * THREADS + thread;
            setBox(local, farther[k]);
            around[local] = next[k];
        }
        synchronise();
    }
    for (uint k = 0u; k < EACH; k++) {
        uint local = k * THREADS + thread;
        uint element = first + local;
        if (element < count) {
            ivec4 box = boxOf(local);
            uint at = element * 4u;
            products[at] = box.x;
            products[at + 1u] = box.y;
            products[at + 2u] = box.z;
            products[at + 3u] = box.w;
            anchors[element] = around[local];
            if (ops[k] == BEGIN && closedClips[local] == 0u) {
                atomicMin(lowestOpen, local);
            }
        }
    }
    synchronise();
    if (thread == 0u) {
        bottoms[section] = lowestOpen == NONE ? NONE : around[lowestOpen];
    }
}
