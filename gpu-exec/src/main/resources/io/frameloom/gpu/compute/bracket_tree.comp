#version 450
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_control_flow_attributes : require

// Three levels of a tree of minima, 32 nodes below each: level by level in one array, the lowest the lowest depth of each
// section.

layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer BracketDepths { int depths[]; };
layout(set = 0, binding = 1) readonly buffer BracketLows { int lows[]; };
layout(set = 0, binding = 2) writeonly buffer BracketTree { int tree[]; };

layout(push_constant) uniform Push {
    uint size; // of the lowest level
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
    [[unroll]] for (uint i = 0u; i < EACH; i++) {
        uint leaf = group * GROUP + thread * EACH + i;
        if (leaf < size) {
            int value = depths[leaf] + lows[leaf];
            tree[leaf] = value;
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
            tree[size + node] = lowest;
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
        tree[size + above + group] = lowest;
    }
}
