#version 450
#extension GL_KHR_memory_scope_semantics : require

// Seven levels of a tree of minima above one level: level by level in one array, level 0 the lowest depth of each
// partition, which is made here when the tree begins (FIRST).

layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer BracketDepths { int depths[]; };
layout(set = 0, binding = 1) readonly buffer BracketLows { int lows[]; };
layout(set = 0, binding = 2) buffer BracketTree { int tree[]; };

layout(push_constant) uniform Push {
    uint offset; // of the level below
    uint size;   // of the level below
    uint first;  // whether that is level 0, still to be made
};

shared int minima[128];

void synchronise() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
}

void main() {
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group * 128u >= size) {
        return;
    }
    uint thread = gl_LocalInvocationID.x;
    uint leaf = group * 128u + thread;
    int lowest = 0x7FFFFFFF;
    if (leaf < size) {
        if (first != 0u) {
            lowest = depths[leaf] + lows[leaf];
            tree[leaf] = lowest;
        } else {
            lowest = tree[offset + leaf];
        }
    }
    minima[thread] = lowest;
    uint above = offset;
    uint nodes = size;
    for (uint width = 64u; width > 0u; width /= 2u) {
        synchronise();
        if (thread < width) {
            lowest = min(minima[2u * thread], minima[2u * thread + 1u]);
        }
        synchronise();
        minima[thread] = lowest;
        above += nodes;
        if (nodes > 1u) {
            nodes = (nodes + 1u) / 2u;
            uint node = group * width + thread;
            if (thread < width && node < nodes) {
                tree[above + node] = lowest;
            }
        }
    }
}
