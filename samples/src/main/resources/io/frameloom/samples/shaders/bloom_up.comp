#version 450
// Adds the blurred coarser level to a level of the bloom chain.
layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) uniform sampler2D fineTexture;
layout(set = 0, binding = 1) uniform sampler2D coarseTexture;
layout(set = 0, binding = 2, rgba16f) writeonly uniform image2D sum;

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(sum);
    if (any(greaterThanEqual(pixel, size))) {
        return;
    }
    vec2 uv = (vec2(pixel) + 0.5) / vec2(size);
    vec2 texel = 1.0 / vec2(textureSize(coarseTexture, 0));
    vec3 blurred = vec3(0.0);
    for (int i = 0; i < 9; i++) {
        ivec2 at = ivec2(i % 3 - 1, i / 3 - 1);
        float weight = float((2 - abs(at.x)) * (2 - abs(at.y))) / 16.0;
        blurred += weight * textureLod(coarseTexture, uv + texel * vec2(at), 0.0).rgb;
    }
    vec3 fine = texelFetch(fineTexture, pixel, 0).rgb;
    imageStore(sum, pixel, vec4(fine + 0.85 * blurred, 1.0));
}
