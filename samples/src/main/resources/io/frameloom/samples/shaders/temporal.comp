#version 450
// Temporal antialiasing: the history is reprojected and clipped to the colours around the pixel (Salvi, An Excursion in
// Temporal Supersampling; Karis, High Quality Temporal Supersampling).
#include "frame.glsl"
layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 1) uniform sampler2D radianceTexture;
layout(set = 0, binding = 2) uniform sampler2D depthTexture;
layout(set = 0, binding = 3) uniform sampler2D historyTexture;
layout(set = 0, binding = 5) uniform sampler2D motionTexture;
layout(set = 0, binding = 4, rgba16f) writeonly uniform image2D resolved;

float luma(vec3 c) {
    return dot(c, vec3(0.25, 0.5, 0.25));
}

// Weighs bright texels down, so that a single one does not flicker.
vec3 compress(vec3 c) {
    return c / (1.0 + luma(c));
}

vec3 expand(vec3 c) {
    return c / max(1.0 - luma(c), 1e-4);
}

vec3 toYCoCg(vec3 c) {
    return vec3(luma(c), 0.5 * (c.r - c.b), dot(c, vec3(-0.25, 0.5, -0.25)));
}

vec3 fromYCoCg(vec3 c) {
    float t = c.x - c.z;
    return vec3(t + c.y, c.x + c.z, t - c.y);
}

// Catmull-Rom filter from five bilinear samples (Jimenez, Filmic SMAA).
vec3 sampleHistory(vec2 uv) {
    vec2 at = uv * extent.xy;
    vec2 center = floor(at - 0.5) + 0.5;
    vec2 f = at - center;
    vec2 w0 = f * (-0.5 + f * (1.0 - 0.5 * f));
    vec2 w1 = 1.0 + f * f * (-2.5 + 1.5 * f);
    vec2 w2 = f * (0.5 + f * (2.0 - 1.5 * f));
    vec2 w3 = f * f * (-0.5 + 0.5 * f);
    vec2 w12 = w1 + w2;
    vec2 p0 = (center - 1.0) * extent.zw;
    vec2 p12 = (center + w2 / w12) * extent.zw;
    vec2 p3 = (center + 2.0) * extent.zw;
    vec4 sum = vec4(textureLod(historyTexture, vec2(p12.x, p0.y), 0.0).rgb, 1.0) * (w12.x * w0.y);
    sum += vec4(textureLod(historyTexture, vec2(p0.x, p12.y), 0.0).rgb, 1.0) * (w0.x * w12.y);
    sum += vec4(textureLod(historyTexture, p12, 0.0).rgb, 1.0) * (w12.x * w12.y);
    sum += vec4(textureLod(historyTexture, vec2(p3.x, p12.y), 0.0).rgb, 1.0) * (w3.x * w12.y);
    sum += vec4(textureLod(historyTexture, vec2(p12.x, p3.y), 0.0).rgb, 1.0) * (w12.x * w3.y);
    return max(sum.rgb / sum.a, vec3(0.0));
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(resolved);
    if (any(greaterThanEqual(pixel, size))) {
        return;
    }
    vec3 current = compress(texelFetch(radianceTexture, pixel, 0).rgb);
    vec3 mean = vec3(0.0);
    vec3 square = vec3(0.0);
    float nearest = 0.0;
    ivec2 front = pixel;
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            ivec2 at = clamp(pixel + ivec2(x, y), ivec2(0), size - 1);
            vec3 c = toYCoCg(compress(texelFetch(radianceTexture, at, 0).rgb));
            mean += c;
            square += c * c;
            float depth = texelFetch(depthTexture, at, 0).r;
            if (depth > nearest) {
                nearest = depth;
                front = at;
            }
        }
    }
    mean /= 9.0;
    vec3 deviation = sqrt(max(square / 9.0 - mean * mean, vec3(0.0)));
    vec2 uv = (vec2(pixel) + 0.5) * extent.zw;
    vec4 before = reprojection * vec4(uv * 2.0 - 1.0, nearest, 1.0);
    // What moves is in front of what stands, so the nearest texel takes its edge along.
    vec2 beforeUv = before.xy / before.w * 0.5 + 0.5 + texelFetch(motionTexture, front, 0).xy;
    bool known = counts.z > 0.5 && before.w > 0.0 && all(greaterThan(beforeUv, vec2(0.0)))
        && all(lessThan(beforeUv, vec2(1.0)));
    vec3 color = current;
    if (known) {
        vec3 history = toYCoCg(compress(sampleHistory(beforeUv)));
        vec3 offset = (history - mean) / max(deviation * 1.25, vec3(1e-4));
        float outside = max(max(abs(offset.x), abs(offset.y)), abs(offset.z));
        history = outside > 1.0 ? mean + (history - mean) / outside : history;
        color = mix(fromYCoCg(history), current, 0.1);
    }
    imageStore(resolved, pixel, vec4(expand(clamp(color, vec3(0.0), vec3(0.999))), 1.0));
}
