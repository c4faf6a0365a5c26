#version 460
#extension GL_EXT_ray_query : require
// A sample of each pixel by ray queries.
layout(local_size_x = 8, local_size_y = 8) in;

#include "pathtrace.glsl"

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
    uvec2 place = gl_GlobalInvocationID.xy;
    if (place.x < extent.x && place.y < extent.w) {
        addSample(place);
    }
}
