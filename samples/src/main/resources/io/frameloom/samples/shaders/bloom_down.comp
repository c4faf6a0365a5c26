#version 450
// Halves the picture (Jimenez, Next Generation Post Processing in Call of Duty); with THRESHOLD keeps what is bright.
layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) uniform sampler2D sourceTexture;
layout(set = 0, binding = 1, rgba16f) writeonly uniform image2D halved;

vec3 fetch(vec2 uv) {
    vec3 c = textureLod(sourceTexture, uv, 0.0).rgb;
#ifdef THRESHOLD
    float brightest = max(c.r, max(c.g, c.b));
    float soft = clamp(brightest - 0.6, 0.0, 0.9);
    float keep = max(brightest - 1.05, soft * soft / 1.8) / max(brightest, 1e-4);
    c = min(c * keep, vec3(24.0));
#endif
    return c;
}

vec3 box(vec3 a, vec3 b, vec3 c, vec3 d) {
#ifdef THRESHOLD
    vec4 weight = 1.0 / (1.0 + vec4(dot(a, vec3(0.33)), dot(b, vec3(0.33)), dot(c, vec3(0.33)), dot(d, vec3(0.33))));
    return (a * weight.x + b * weight.y + c * weight.z + d * weight.w) / (weight.x + weight.y + weight.z + weight.w);
#else
    return (a + b + c + d) * 0.25;
#endif
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(halved);
    if (any(greaterThanEqual(pixel, size))) {
        return;
    }
    vec2 uv = (vec2(pixel) + 0.5) / vec2(size);
    vec2 texel = 1.0 / vec2(textureSize(sourceTexture, 0));
    vec3 grid[9];
    for (int i = 0; i < 9; i++) {
        grid[i] = fetch(uv + texel * 2.0 * vec2(i % 3 - 1, i / 3 - 1));
    }
    vec3 inner = box(
        fetch(uv + texel * vec2(-1.0, -1.0)), fetch(uv + texel * vec2(1.0, -1.0)),
        fetch(uv + texel * vec2(-1.0, 1.0)), fetch(uv + texel * vec2(1.0, 1.0)));
    vec3 outer = box(grid[0], grid[1], grid[3], grid[4]) + box(grid[1], grid[2], grid[4], grid[5])
        + box(grid[3], grid[4], grid[6], grid[7]) + box(grid[4], grid[5], grid[7], grid[8]);
    imageStore(halved, pixel, vec4(inner * 0.5 + outer * 0.125, 1.0));
}
