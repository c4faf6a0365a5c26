// Textures of io.frameloom.streaming.TextureStreamer, by their numbers. Two bindings, which StreamedFrame.bind binds.
#ifndef STREAMED_SET
#define STREAMED_SET 0
#endif
#ifndef STREAMED_BINDING
#define STREAMED_BINDING 0
#endif
layout(std430, set = STREAMED_SET, binding = STREAMED_BINDING) readonly buffer StreamedResidency {
    uvec2 streamedResidency[];
};
layout(std430, set = STREAMED_SET, binding = STREAMED_BINDING + 1) buffer StreamedFeedback {
    uint streamedFeedback[];
};

// The slot in the bindless table.
uint streamedSlot(uint number) { return streamedResidency[number].x; }

// The finest level in memory, which is level 0 of the view.
float streamedFinest(uint number) { return float(streamedResidency[number].y); }

// Asks for a level of the whole texture, as textureQueryLod(sampler, uv).y + streamedFinest(number).
void streamedWish(uint number, float level) {
    uint wish = uint(max(level, 0.0));
    if (wish < streamedFeedback[number]) {
        atomicMin(streamedFeedback[number], wish);
    }
}
