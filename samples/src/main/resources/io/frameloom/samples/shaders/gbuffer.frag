#version 450
#include "material.glsl"

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) flat in vec4 tint;

layout(location = 0) out vec4 outAlbedo;    // base colour, metallic
layout(location = 1) out vec4 outNormal;    // normal in world space, roughness
layout(location = 2) out vec4 outEmissive;

// Tangent frame from screen derivatives (Schueler, Normal Mapping Without Precomputed Tangents).
vec3 perturb(vec3 n) {
    vec3 dx = dFdx(world);
    vec3 dy = dFdy(world);
    vec2 du = dFdx(uv);
    vec2 dv = dFdy(uv);
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
    vec3 map = texture(normalTexture, uv).xyz * 2.0 - 1.0;
    map.xy *= surfaceFactor.z;
    return normalize(tangent * map.x + bitangent * map.y + n * max(map.z, 0.05));
}

void main() {
    vec4 base = texture(baseColorTexture, uv) * baseColorFactor;
#ifdef MASKED
    if (base.a < surfaceFactor.w) {
        discard;
    }
#endif
    vec3 n = normalize(normal);
#ifdef MASKED
    n = gl_FrontFacing ? n : -n;
#endif
    vec4 surface = texture(surfaceTexture, uv);
    float roughness = clamp(surface.g * surfaceFactor.y, 0.045, 1.0);
    float metallic = clamp(surface.b * surfaceFactor.x, 0.0, 1.0);
    vec3 mapped = perturb(n);
    // Normals that vary within a pixel make highlights wider (Tokuyoshi and Kaplanyan, Improved Geometric Specular
    // Antialiasing).
    vec3 change = max(abs(dFdx(mapped)), abs(dFdy(mapped)));
    roughness = sqrt(min(1.0, roughness * roughness + min(0.25 * dot(change, change), 0.12)));
    vec3 emission = texture(emissiveTexture, uv).rgb * emissiveFactor.rgb * tint.w;
    emission *= mix(vec3(1.0), tint.rgb, emissiveFactor.w);
    outAlbedo = vec4(base.rgb * mix(tint.rgb, vec3(1.0), emissiveFactor.w), metallic);
    outNormal = vec4(mapped, roughness);
    outEmissive = vec4(emission, 1.0);
}
