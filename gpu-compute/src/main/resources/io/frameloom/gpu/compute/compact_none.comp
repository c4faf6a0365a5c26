#version 450

// Says that of no elements none stays.

layout(local_size_x = 1) in;

layout(set = 0, binding = 0) writeonly buffer CompactCount { uint keptCount[]; };

layout(push_constant) uniform Push {
    uint countBase; // word of the number of elements that stay
};

void main() {
    keptCount[countBase] = 0u;
}
