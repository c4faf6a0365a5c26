#version 450

// Forgets the tickets and the statuses of an earlier scan.

layout(local_size_x = 128) in;

layout(set = 0, binding = 0) writeonly buffer ScanStatus { uint scanStatus[]; };

layout(push_constant) uniform ScanPush {
    uint scanWords;
};

void main() {
    uint word = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 128u + gl_LocalInvocationID.x;
    if (word < scanWords) {
        scanStatus[word] = 0u;
    }
}
