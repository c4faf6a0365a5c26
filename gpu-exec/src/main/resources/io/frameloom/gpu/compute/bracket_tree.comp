#version 450
#extension GL_KHR_memory_scope_semantics : require

// Two levels of a tree of minima above one level, 32 nodes below each: level by level in one array, level 0 the lowest
// depth of each section, which is made here when the tree begins (FIRST).

layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer BracketDepths { int depths[]; };
layout(set = 0, binding = 1) readonly buffer BracketLows { int lows[]; };
layout(set = 0, binding = 2) buffer BracketTree { int tree[]; };

layout(push_constant) uniform Push {
    uint offset; // of the level below
    uint size;   // of the level below
    uint first;  // whether that is level 0, still to be made
};

#define EACH 8u
#define GROUP 1024u

shared int minima[128];

void synchronise() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
}

void main() {
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group * GROUP >= size) {
        return;
    }
    uint thread = gl_LocalInvocationID.x;
    int lowest = 0x7FFFFFFF;
    for (uint i = 0u; i < EACH; i++) {
        uint leaf = group * GROUP + thread * EACH + i;
        if (leaf < size) {
            int value;
            if (first != 0u) {
                value = depths[leaf] + lows[leaf];
                tree[leaf] = value;
            } else {
                value = tree[offset + leaf];
            }
            lowest = min(lowest, value);
        }
    }
    minima[thread] = lowest;
    synchronise();
    uint above = (size + 31u) / 32u;
    if (thread < 32u) {
        for (uint i = 0u; i < 4u; i++) {
            lowest = min(i == 0u ? 0x7FFFFFFF : lowest, minima[4u * thread + i]);
        }
        uint node = group * 32u + thread;
        if (size > 1u && node < above) {
            tree[offset + size + node] = lowest;
        }
    }
    synchronise();
    if (thread < 32u) {
        minima[thread] = lowest;
    }
    synchronise();
    if (thread == 0u && above > 1u) {
        for (uint i = 0u; i < 32u; i++) {
            lowest = min(lowest, minima[i]);
        }
        tree[offset + size + above + group] = lowest;
    }
}
