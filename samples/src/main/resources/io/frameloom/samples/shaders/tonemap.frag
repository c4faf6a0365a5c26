#version 450
// Adds bloom, maps to display range (fit of the ACES curve by Hill), encodes as sRGB and dithers.
layout(set = 0, binding = 0) uniform sampler2D radianceTexture;
layout(set = 0, binding = 1) uniform sampler2D bloomTexture;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

vec3 aces(vec3 c) {
    const mat3 toAces = mat3(0.59719, 0.07600, 0.02840, 0.35458, 0.90834, 0.13383, 0.04823, 0.01566, 0.83777);
    const mat3 fromAces = mat3(1.60475, -0.10208, -0.00327, -0.53108, 1.10813, -0.07276, -0.07367, -0.00605, 1.07602);
    vec3 v = toAces * c;
    vec3 a = v * (v + 0.0245786) - 0.000090537;
    vec3 b = v * (0.983729 * v + 0.4329510) + 0.238081;
    return clamp(fromAces * (a / b), 0.0, 1.0);
}

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    ivec2 limit = textureSize(radianceTexture, 0) - 1;
    vec3 center = texelFetch(radianceTexture, pixel, 0).rgb;
    vec3 around = texelFetch(radianceTexture, clamp(pixel + ivec2(1, 0), ivec2(0), limit), 0).rgb
        + texelFetch(radianceTexture, clamp(pixel - ivec2(1, 0), ivec2(0), limit), 0).rgb
        + texelFetch(radianceTexture, clamp(pixel + ivec2(0, 1), ivec2(0), limit), 0).rgb
        + texelFetch(radianceTexture, clamp(pixel - ivec2(0, 1), ivec2(0), limit), 0).rgb;
    vec3 sharpened = clamp(center + 0.12 * (4.0 * center - around), center * 0.7, center * 1.3);
    vec3 light = sharpened + 0.11 * textureLod(bloomTexture, uv, 0.0).rgb;
    vec2 fromCenter = uv - 0.5;
    light *= 1.0 - 0.55 * dot(fromCenter, fromCenter);
    vec3 shown = aces(light * 1.25);
    vec3 encoded = mix(shown * 12.92, 1.055 * pow(max(shown, vec3(1e-6)), vec3(1.0 / 2.4)) - 0.055,
        greaterThan(shown, vec3(0.0031308)));
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    color = vec4(encoded + (noise - 0.5) / 255.0, 1.0);
}
