#version 450

// Moves each element that stays to its place, if that is within this dispatch's window of the output; the last element of
// all knows how many stay.

const uint THREADS = 128u;
const uint ITEMS = 4u;

layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer CompactKeep { uint keep[]; };
layout(set = 0, binding = 1) readonly buffer CompactPlaces { uint places[]; };
layout(set = 0, binding = 2) readonly buffer CompactInput { uint elements[]; };
layout(set = 0, binding = 3) writeonly buffer CompactOutput { uint kept[]; };
layout(set = 0, binding = 4) writeonly buffer CompactCount { uint keptCount[]; };

layout(push_constant) uniform Push {
    uint count;
    uint keepBase;   // word of the first flags
    uint inputBase;  // word of the first element
    uint outputBase; // word of the first place
    uint countBase;  // word of the number of elements that stay
    uint words;      // of an element
    uint firstPlace; // of the window of the output
    uint placeCount;
    uint last;       // whether the last element of all is in this dispatch
    uint placesBase; // word of the place that the first element has if it stays
};

void main() {
    uint first = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * THREADS * ITEMS + gl_LocalInvocationID.x;
    bool moves[ITEMS];
    uint local[ITEMS];
    for (uint i = 0u; i < ITEMS; i++) {
        uint element = first + i * THREADS;
        moves[i] = false;
        if (element < count) {
            uint flags = keep[keepBase + element / 32u];
            uint stays = flags >> (element & 31u) & 1u;
            uint place = places[placesBase + element / 32u] + bitCount(bitfieldExtract(flags, 0, int(element & 31u)));
            // Places before the window become very large.
            local[i] = place - firstPlace;
            moves[i] = stays != 0u && local[i] < placeCount;
            if (last != 0u && element == count - 1u) {
                keptCount[countBase] = place + stays;
            }
        }
    }
    for (uint w = 0u; w < words; w++) {
        // All loads before the stores, which they could not pass.
        uint value[ITEMS];
        for (uint i = 0u; i < ITEMS; i++) {
            if (moves[i]) {
                value[i] = elements[inputBase + (first + i * THREADS) * words + w];
            }
        }
        for (uint i = 0u; i < ITEMS; i++) {
            if (moves[i]) {
                kept[outputBase + local[i] * words + w] = value[i];
            }
        }
    }
}
