#version 450
#include "material.glsl"
layout(set = 1, binding = 0) uniform sampler2D baseColorTexture;
layout(set = 1, binding = 1) uniform sampler2D surfaceTexture;
layout(set = 1, binding = 2) uniform sampler2D normalTexture;
layout(set = 1, binding = 3) uniform sampler2D emissiveTexture;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) flat in vec4 tint;
layout(location = 6) in vec3 was;
layout(location = 7) in vec3 stays;
#ifdef SPECIAL
layout(location = 4) in vec2 uv1;
layout(location = 5) in vec4 color;
layout(set = 1, binding = 5) uniform sampler2D occlusionTexture;
#define COORDINATES(number) coordinates(number, uv, uv1)
#else
#define COORDINATES(number) uv
#endif

layout(location = 0) out vec4 outAlbedo;    // base colour, metallic
layout(location = 1) out vec4 outNormal;    // normal in world space, roughness; length 1 in the open, 0.5 if occluded
layout(location = 2) out vec4 outEmissive;
layout(location = 3) out vec2 outMotion;    // from where this would have been, had it stood still, to where it was

// Tangent frame from screen derivatives (Schueler, Normal Mapping Without Precomputed Tangents).
vec3 perturb(vec3 n) {
    vec2 at = COORDINATES(NORMAL);
    vec3 dx = dFdx(world);
    vec3 dy = dFdy(world);
    vec2 du = dFdx(at);
    vec2 dv = dFdy(at);
    vec3 tangent = dx * dv.y - dy * du.y;
    float determinant = du.x * dv.y - dv.x * du.y;
    tangent *= determinant < 0.0 ? -1.0 : 1.0;
    tangent -= n * dot(n, tangent);
    float size = dot(tangent, tangent);
    if (surfaceFactor.z == 0.0 || size < 1e-20) {
        return n;
    }
    tangent *= inversesqrt(size);
    vec3 bitangent = cross(n, tangent);
    // Green points up in the texture, against v, also where the texture is mirrored.
    bitangent *= dot(bitangent, dy * du.x - dx * dv.x) * determinant > 0.0 ? -1.0 : 1.0;
    vec3 map = texture(normalTexture, at).xyz * 2.0 - 1.0;
    map.xy *= surfaceFactor.z;
    return normalize(tangent * map.x + bitangent * map.y + n * max(map.z, 0.05));
}

void main() {
    vec4 base = texture(baseColorTexture, COORDINATES(BASE_COLOR)) * baseColorFactor;
#ifdef SPECIAL
    base *= color;
    if (base.a < surfaceFactor.w || (!gl_FrontFacing && detailFactor.y == 0.0)) {
        discard;
    }
#endif
    vec4 surface = texture(surfaceTexture, COORDINATES(SURFACE));
    float roughness = clamp(surface.g * surfaceFactor.y, 0.045, 1.0);
    float metallic = clamp(surface.b * surfaceFactor.x, 0.0, 1.0);
    vec3 mapped = perturb(normalize(normal));
    float open = 1.0;
#ifdef SPECIAL
    mapped = gl_FrontFacing ? mapped : -mapped;
    open += detailFactor.x * (texture(occlusionTexture, COORDINATES(OCCLUSION)).r - 1.0);
#endif
    // Normals that vary within a pixel make highlights wider (Tokuyoshi and Kaplanyan, Improved Geometric Specular
    // Antialiasing).
    vec3 change = max(abs(dFdx(mapped)), abs(dFdy(mapped)));
    roughness = sqrt(min(1.0, roughness * roughness + min(0.25 * dot(change, change), 0.12)));
    vec3 emission = texture(emissiveTexture, COORDINATES(EMISSIVE)).rgb * emissiveFactor.rgb * tint.w;
    emission *= mix(vec3(1.0), tint.rgb, emissiveFactor.w);
    outAlbedo = vec4(base.rgb * mix(tint.rgb, vec3(1.0), emissiveFactor.w), metallic);
    outNormal = vec4(mapped * (0.5 + 0.5 * open), roughness);
    outEmissive = vec4(emission, 1.0);
    outMotion = min(was.z, stays.z) > 0.0 ? 0.5 * (was.xy / was.z - stays.xy / stays.z) : vec2(0.0);
}
