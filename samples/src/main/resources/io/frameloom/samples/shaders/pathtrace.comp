#version 460
#extension GL_EXT_ray_query : require
// One sample of each pixel, by ray queries, added to those before.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 6) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 7, rgba32f) uniform readonly image2D lightBefore;
layout(set = 0, binding = 8, rgba32f) uniform writeonly image2D lightNow;
layout(set = 0, binding = 9, rg32ui) uniform readonly uimage2D raysBefore;
layout(set = 0, binding = 10, rg32ui) uniform writeonly uimage2D raysNow;

#include "pathtrace.glsl"

const float FAR = 1e5;

Hit closestHit(vec3 origin, vec3 direction) {
    rayQueryEXT query;
    rayQueryInitializeEXT(query, scene, gl_RayFlagsOpaqueEXT, 0xFF, origin, 0.0, direction, FAR);
    while (rayQueryProceedEXT(query)) {}
    if (rayQueryGetIntersectionTypeEXT(query, true) == gl_RayQueryCommittedIntersectionNoneEXT) {
        return Hit(-1, 0, vec2(0.0));
    }
    return Hit(
        rayQueryGetIntersectionInstanceCustomIndexEXT(query, true),
        rayQueryGetIntersectionPrimitiveIndexEXT(query, true),
        rayQueryGetIntersectionBarycentricsEXT(query, true));
}

bool isShadowed(vec3 origin, vec3 direction) {
    rayQueryEXT query;
    uint flags = gl_RayFlagsOpaqueEXT | gl_RayFlagsTerminateOnFirstHitEXT;
    rayQueryInitializeEXT(query, scene, flags, 0xFF, origin, 0.0, direction, FAR);
    while (rayQueryProceedEXT(query)) {}
    return rayQueryGetIntersectionTypeEXT(query, true) != gl_RayQueryCommittedIntersectionNoneEXT;
}

void main() {
    uvec2 pixel = gl_GlobalInvocationID.xy;
    if (pixel.x >= extent.x || pixel.y >= extent.y) {
        return;
    }
    uvec2 rays;
    vec3 light = lightOf(pixel, rays);
    ivec2 at = ivec2(pixel);
    imageStore(lightNow, at, imageLoad(lightBefore, at) + vec4(light, 1.0));
    imageStore(raysNow, at, imageLoad(raysBefore, at) + uvec4(rays, 0u, 0u));
}
