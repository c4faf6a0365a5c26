#version 450
// Ambient occlusion at half resolution (McGuire et al., The Alchemy Screen-Space Ambient Obscurance Algorithm).
#include "frame.glsl"
layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 1) uniform sampler2D depthTexture;
layout(set = 0, binding = 2) uniform sampler2D normalTexture;
layout(set = 0, binding = 3, r32f) writeonly uniform image2D occlusion;

const int SAMPLES = 11;
const float TURNS = 7.0;

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(occlusion);
    if (any(greaterThanEqual(pixel, size))) {
        return;
    }
    ivec2 limit = textureSize(depthTexture, 0) - 1;
    ivec2 full = min(pixel * 2, limit);
    float depth = texelFetch(depthTexture, full, 0).r;
    if (depth <= 0.0) {
        imageStore(occlusion, pixel, vec4(1.0));
        return;
    }
    vec2 uv = (vec2(full) + 0.5) * extent.zw;
    vec3 origin = viewPosition(uv, depth);
    vec3 normal = mat3(view) * normalize(texelFetch(normalTexture, full, 0).xyz);
    float radius = skyGround.w;
    vec2 reach = min(radius / (-origin.z * 2.0 * lens.xy), vec2(0.2));
    float phase = gradientNoise(vec2(pixel)) * 6.2831853;
    float sum = 0.0;
    for (int i = 0; i < SAMPLES; i++) {
        float along = (float(i) + 0.5) / float(SAMPLES);
        float angle = along * TURNS * 6.2831853 + phase;
        vec2 at = uv + reach * along * vec2(cos(angle), sin(angle));
        ivec2 texel = clamp(ivec2(at * extent.xy), ivec2(0), limit);
        vec3 other = viewPosition((vec2(texel) + 0.5) * extent.zw, texelFetch(depthTexture, texel, 0).r);
        vec3 offset = other - origin;
        float square = dot(offset, offset);
        float falloff = max(radius * radius - square, 0.0) / (radius * radius);
        sum += falloff * max(dot(offset, normal) - 0.002 * -origin.z, 0.0) / (square + 0.02 * radius);
    }
    float visible = clamp(1.0 - 2.2 * radius * sum / float(SAMPLES), 0.0, 1.0);
    imageStore(occlusion, pixel, vec4(visible));
}
