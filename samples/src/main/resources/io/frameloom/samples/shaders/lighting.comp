#version 450
// Deferred lighting: sun with soft shadow, other lights by tile (Andersson, Parallel Graphics in Frostbite), sky as
// ambient light, fog.
#include "frame.glsl"
#include "sky.glsl"
layout(local_size_x = 16, local_size_y = 16) in;

layout(set = 0, binding = 1) uniform sampler2D albedoTexture;
layout(set = 0, binding = 2) uniform sampler2D normalTexture;
layout(set = 0, binding = 3) uniform sampler2D emissiveTexture;
layout(set = 0, binding = 4) uniform sampler2D depthTexture;
layout(set = 0, binding = 5) uniform sampler2D occlusionTexture;
layout(set = 0, binding = 6) uniform sampler2DShadow shadowTexture;
layout(set = 0, binding = 8, rgba16f) writeonly uniform image2D radiance;

struct Light {
    vec4 place;  // position, radius; direction towards a directional light, 0
    vec4 color;  // times intensity, w: square of its size in metres
    vec4 cone;   // direction times scale, offset; all 0 for a point light
};

layout(set = 0, binding = 7, std430) readonly buffer Lights {
    Light lights[];
};

const uint MAX_TILE_LIGHTS = 160u;
const int SHADOW_TAPS = 8;
const float PI = 3.14159265;

shared uint tileNear;
shared uint tileFar;
shared uint tileCount;
shared uint tileLights[MAX_TILE_LIGHTS];

struct Surface {
    vec3 position;
    vec3 normal;
    vec3 toEye;
    vec3 diffuse;
    vec3 specular;
    float roughness;
};

// Radiance towards the eye per radiance from a direction, times its cosine: Lambert and GGX with height-correlated
// Smith masking (Heitz, Understanding the Masking-Shadowing Function).
vec3 reflectance(Surface s, vec3 toLight) {
    float nl = dot(s.normal, toLight);
    if (nl <= 0.0) {
        return vec3(0.0);
    }
    float nv = max(dot(s.normal, s.toEye), 1e-3);
    vec3 halfway = normalize(toLight + s.toEye);
    float nh = max(dot(s.normal, halfway), 0.0);
    float vh = max(dot(s.toEye, halfway), 0.0);
    float a = s.roughness * s.roughness;
    float a2 = a * a;
    float d = nh * nh * (a2 - 1.0) + 1.0;
    float distribution = a2 / max(PI * d * d, 1e-6);
    float masking = 0.5 / max(nl * sqrt(nv * nv * (1.0 - a2) + a2) + nv * sqrt(nl * nl * (1.0 - a2) + a2), 1e-4);
    vec3 fresnel = s.specular + (1.0 - s.specular) * pow(1.0 - vh, 5.0);
    return (s.diffuse / PI + fresnel * (distribution * masking)) * nl;
}

float sunVisibility(vec3 position, vec3 normal, vec2 pixel) {
    vec3 moved = position + normal * (1.8 * toSun.w) + toSun.xyz * toSun.w;
    vec4 clip = shadowMatrix * vec4(moved, 1.0);
    vec2 uv = clip.xy * 0.5 + 0.5;
    float edge = max(max(abs(clip.x), abs(clip.y)), 0.0);
    if (edge >= 1.0 || clip.z >= 1.0) {
        return 1.0;
    }
    float phase = gradientNoise(pixel) * 2.0 * PI;
    vec2 texel = 1.0 / vec2(textureSize(shadowTexture, 0));
    float sum = 0.0;
    for (int i = 0; i < SHADOW_TAPS; i++) {
        float distance = sqrt((float(i) + 0.5) / float(SHADOW_TAPS)) * 1.9;
        float angle = float(i) * 2.39996323 + phase;
        sum += texture(shadowTexture, vec3(uv + texel * distance * vec2(cos(angle), sin(angle)), clip.z));
    }
    return mix(sum / float(SHADOW_TAPS), 1.0, smoothstep(0.92, 1.0, edge));
}

// Fit of the environment part of the split-sum approximation (Karis, Physically Based Shading on Mobile).
vec3 environmentReflectance(vec3 specular, float roughness, float nv) {
    vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a = min(r.x * r.x, exp2(-9.28 * nv)) * r.x + r.y;
    vec2 ab = vec2(-1.04, 1.04) * a + r.zw;
    return specular * ab.x + ab.y;
}

vec3 ambient(Surface s, float occlusion) {
    vec3 above = mix(skyZenith.rgb, skyHorizon.rgb, 0.3);
    vec3 irradiance = mix(skyGround.rgb, above, s.normal.y * 0.5 + 0.5);
    irradiance += skyGlow.rgb * 0.05 * (dot(s.normal, toSun.xyz) * 0.5 + 0.5);
    vec3 mirrored = reflect(-s.toEye, s.normal);
    vec3 sharp = clearSky(normalize(mix(mirrored, s.normal, s.roughness * s.roughness * 0.5)));
    vec3 seen = mix(sharp, irradiance, s.roughness);
    float nv = max(dot(s.normal, s.toEye), 0.0);
    float specularOcclusion = clamp(pow(nv + occlusion, 2.0) - 1.0 + occlusion, 0.0, 1.0);
    return s.diffuse * irradiance * occlusion
        + environmentReflectance(s.specular, s.roughness, nv) * seen * specularOcclusion;
}

vec3 lightFrom(Surface s, Light light) {
    if (light.place.w == 0.0) {
        return light.color.rgb * reflectance(s, light.place.xyz);
    }
    vec3 offset = light.place.xyz - s.position;
    float square = dot(offset, offset);
    float relative = square / (light.place.w * light.place.w);
    float window = clamp(1.0 - relative * relative, 0.0, 1.0);
    float attenuation = window * window / (square + light.color.w);
    vec3 toLight = offset * inversesqrt(max(square, 1e-6));
    float within = clamp(light.cone.w + 1.0 - dot(light.cone.xyz, toLight), 0.0, 1.0);
    return light.color.rgb * (attenuation * within * within) * reflectance(s, toLight);
}

// Depth-aware upsampling of the half-resolution occlusion.
float ambientOcclusion(ivec2 pixel, float depth) {
    ivec2 size = textureSize(occlusionTexture, 0);
    ivec2 limit = textureSize(depthTexture, 0) - 1;
    float center = viewDepth(depth);
    float sum = 0.0;
    float weights = 1e-5;
    for (int i = 0; i < 4; i++) {
        ivec2 at = clamp(pixel / 2 + ivec2(i & 1, i >> 1) * (pixel & 1), ivec2(0), size - 1);
        float other = viewDepth(texelFetch(depthTexture, min(at * 2, limit), 0).r);
        float weight = max(1e-3, 1.0 - abs(other - center) / (0.03 * center));
        sum += weight * texelFetch(occlusionTexture, at, 0).r;
        weights += weight;
    }
    return min(sum / weights, 1.0);
}

void cullLights(float depth, uvec2 tile) {
    uint local = gl_LocalInvocationIndex;
    if (local == 0u) {
        tileNear = 0x7F7FFFFFu;
        tileFar = 0u;
        tileCount = 0u;
    }
    barrier();
    if (depth > 0.0) {
        uint bits = floatBitsToUint(viewDepth(depth));
        atomicMin(tileNear, bits);
        atomicMax(tileFar, bits);
    }
    barrier();
    float nearest = uintBitsToFloat(tileNear);
    float farthest = uintBitsToFloat(tileFar);
    vec2 low = (vec2(tile * 16u) * extent.zw * 2.0 - 1.0) * lens.xy;
    vec2 high = (vec2(tile * 16u + 16u) * extent.zw * 2.0 - 1.0) * lens.xy;
    vec3 left = normalize(vec3(1.0, 0.0, low.x));
    vec3 right = normalize(vec3(-1.0, 0.0, -high.x));
    vec3 top = normalize(vec3(0.0, -1.0, low.y));
    vec3 bottom = normalize(vec3(0.0, 1.0, -high.y));
    for (uint i = local; i < uint(counts.x); i += 256u) {
        vec4 place = lights[i].place;
        vec3 center = (view * vec4(place.xyz, 1.0)).xyz;
        bool inside = -center.z + place.w > nearest && -center.z - place.w < farthest
            && dot(left, center) > -place.w && dot(right, center) > -place.w
            && dot(top, center) > -place.w && dot(bottom, center) > -place.w;
        if (inside || place.w == 0.0) {
            uint slot = atomicAdd(tileCount, 1u);
            if (slot < MAX_TILE_LIGHTS) {
                tileLights[slot] = i;
            }
        }
    }
    barrier();
}

vec3 withFog(vec3 color, vec3 direction, float distance) {
    float slope = skyGlow.w * direction.y;
    float start = skyHorizon.w * exp(-skyGlow.w * max(cameraPosition.y, 0.0));
    float integral = abs(slope) > 1e-5 ? (1.0 - exp(-slope * distance)) / slope : distance;
    float through = exp(-start * max(integral, 0.0));
    float towards = max(dot(direction, toSun.xyz), 0.0);
    vec3 air = mix(skyHorizon.rgb, skyZenith.rgb, 0.35) * 0.62 + skyGlow.rgb * 0.4 * pow(towards, 5.0);
    return mix(air, color, through);
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(radiance);
    ivec2 inside = min(pixel, size - 1);
    float depth = texelFetch(depthTexture, inside, 0).r;
    cullLights(depth, gl_WorkGroupID.xy);
    if (any(greaterThanEqual(pixel, size))) {
        return;
    }
    vec3 viewSpace = viewPosition((vec2(pixel) + 0.5) * extent.zw, depth);
    float exposure = sunColor.w;
    if (depth <= 0.0) {
        vec3 direction = normalize(mat3(inverseView) * viewSpace);
        imageStore(radiance, pixel, vec4(min(background(direction) * exposure, vec3(2000.0)), 1.0));
        return;
    }
    vec4 albedo = texelFetch(albedoTexture, pixel, 0);
    vec4 normal = texelFetch(normalTexture, pixel, 0);
    Surface s;
    s.position = (inverseView * vec4(viewSpace, 1.0)).xyz;
    s.normal = normalize(normal.xyz);
    vec3 toEye = cameraPosition.xyz - s.position;
    float distance = length(toEye);
    s.toEye = toEye / max(distance, 1e-5);
    s.diffuse = albedo.rgb * (1.0 - albedo.a);
    s.specular = mix(vec3(0.04), albedo.rgb, albedo.a);
    s.roughness = normal.a;
    float open = clamp(2.0 * length(normal.xyz) - 1.0, 0.0, 1.0);
    float occlusion = ambientOcclusion(pixel, depth) * open;
    vec3 color = texelFetch(emissiveTexture, pixel, 0).rgb;
    color += ambient(s, occlusion);
    vec3 sun = reflectance(s, toSun.xyz);
    if (dot(sun, vec3(1.0)) > 0.0) {
        color += sunColor.rgb * sun * sunVisibility(s.position, s.normal, vec2(pixel));
    }
    uint count = min(tileCount, MAX_TILE_LIGHTS);
    for (uint i = 0u; i < count; i++) {
        color += lightFrom(s, lights[tileLights[i]]);
    }
    color = withFog(color, -s.toEye, distance);
    imageStore(radiance, pixel, vec4(min(color * exposure, vec3(2000.0)), 1.0));
}
