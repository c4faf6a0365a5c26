#version 450
// One direction of a blur that stops at depth edges.
#include "frame.glsl"
layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 1) uniform sampler2D depthTexture;
layout(set = 0, binding = 2) uniform sampler2D occlusionTexture;
layout(set = 0, binding = 3, r32f) writeonly uniform image2D blurred;

layout(push_constant) uniform Direction {
    ivec2 direction;
};

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(blurred);
    if (any(greaterThanEqual(pixel, size))) {
        return;
    }
    ivec2 limit = textureSize(depthTexture, 0) - 1;
    float center = viewDepth(texelFetch(depthTexture, min(pixel * 2, limit), 0).r);
    float sum = 0.0;
    float weights = 0.0;
    for (int i = -3; i <= 3; i++) {
        ivec2 at = clamp(pixel + direction * i, ivec2(0), size - 1);
        float depth = viewDepth(texelFetch(depthTexture, min(at * 2, limit), 0).r);
        float weight = exp(-0.16 * float(i * i)) * max(1e-4, 1.0 - abs(depth - center) / (0.03 * center + 0.1));
        sum += weight * texelFetch(occlusionTexture, at, 0).r;
        weights += weight;
    }
    imageStore(blurred, pixel, vec4(sum / weights));
}
