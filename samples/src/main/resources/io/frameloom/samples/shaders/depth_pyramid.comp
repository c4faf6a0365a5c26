#version 450
// Halves a picture of reversed depths: each texel is the farthest of the four under it. The sides of the levels are
// powers of two, so texel p of the picture lies under texel p >> level of each; what no picture covers decides nothing.
layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) uniform sampler2D sourceTexture;
layout(set = 0, binding = 1, r32f) writeonly uniform image2D halved;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(halved)))) {
        return;
    }
    ivec2 size = textureSize(sourceTexture, 0);
    float farthest = 1.0;
    for (int i = 0; i < 4; i++) {
        ivec2 from = 2 * at + ivec2(i & 1, i >> 1);
        if (all(lessThan(from, size))) {
            farthest = min(farthest, texelFetch(sourceTexture, from, 0).r);
        }
    }
    imageStore(halved, at, vec4(farthest));
}
