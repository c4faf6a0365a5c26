// What the g-buffer takes from a vertex of a draw.
struct Surface {
    vec3 world;   // from the camera
    vec3 normal;
    vec2 uv;
    vec4 tint;
    vec3 was;     // clip x, y and w in the frame before, of where this was
    vec3 stays;   // and of where it is now
};

Surface surfaceOf(uint number, vec4 world, vec3 position, vec3 formerPosition, vec3 normal, vec2 uv) {
    Surface result;
    result.was = (formerViewProjection * (draws[int(draws[number].mapping.w)].model * vec4(formerPosition, 1.0))).xyw;
    result.stays = (formerViewProjection * world).xyw;
    mat3 linear = mat3(draws[number].model);
    // The cofactor matrix turns normals right under any scale; it inverts them where the determinant is negative.
    mat3 cofactor = mat3(cross(linear[1], linear[2]), cross(linear[2], linear[0]), cross(linear[0], linear[1]));
    result.world = world.xyz - cameraPosition.xyz;
    result.normal = cofactor * normal * (dot(linear[0], cofactor[0]) < 0.0 ? -1.0 : 1.0);
    result.uv = mapTexture(draws[number], position, normal, uv);
    result.tint = draws[number].tint;
    return result;
}
