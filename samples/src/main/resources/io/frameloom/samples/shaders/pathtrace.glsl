// A path tracer of diffuse surfaces. What includes this says what closestHit and isShadowed are.
// PathScene writes the buffers in this order.
struct Instance {
    vec4 rows[3];   // to the world
    vec4 tint;      // base colour, w: factor of what is emitted
    vec4 mapping;   // metres per repeat of box projection or 0, offset in u and v
    ivec4 mesh;     // first index, first vertex, material
};

struct Image {
    ivec4 texels;   // the first one, width, height, 1 for the second coordinates of the mesh
    vec4 u;         // factors of the coordinates of the mesh, offset, how it goes on: 0 repeats, 1 stops, 2 mirrors
    vec4 v;
};

struct Material {
    vec4 color;     // w: 1 if the colours of vertices count
    vec4 emission;  // w: 1 if the tint colours what is emitted
    Image base;
    Image glow;
};

layout(set = 0, binding = 0, std140) uniform View {
    vec4 cameraPosition;
    vec4 cameraRight;    // as long as half of the picture at a distance of 1 is wide
    vec4 cameraUp;
    vec4 cameraForward;
    vec4 toSun;          // w: radius of the sun at a distance of 1
    vec4 sunColor;
    vec4 skyZenith;
    vec4 skyHorizon;
    vec4 skyGlow;
    vec4 skyGround;
    uvec4 extent;        // width and height of the whole picture, bounces, rows that are traced
    uvec4 random;        // seed, number of the sample
    uvec4 rows;          // rows of a stripe, stripes from one that is traced to the next, the first one
};
layout(set = 0, binding = 1, std430) readonly buffer Vertices { float vertices[]; };
layout(set = 0, binding = 2, std430) readonly buffer Indices { int indices[]; };
layout(set = 0, binding = 3, std430) readonly buffer Instances { Instance instances[]; };
layout(set = 0, binding = 4, std430) readonly buffer Materials { Material materials[]; };
layout(set = 0, binding = 5, std430) readonly buffer Texels { uint texels[]; };
layout(set = 0, binding = 6) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 7, rgba32f) uniform readonly image2D lightBefore;
layout(set = 0, binding = 8, rgba32f) uniform writeonly image2D lightNow;
layout(set = 0, binding = 9, rg32ui) uniform readonly uimage2D raysBefore;
layout(set = 0, binding = 10, rg32ui) uniform writeonly uimage2D raysNow;

#include "hit.glsl"
#include "sky.glsl"
#include "sampling.glsl"

const int FLOATS_PER_VERTEX = 14;
const float FAR = 1e5;

struct Surface {
    vec3 position;
    vec3 face;      // normal of the triangle, towards the ray
    vec3 normal;    // that of the vertices, on the same side
    vec3 color;
    vec3 emission;
};

Hit closestHit(vec3 origin, vec3 direction);
bool isShadowed(vec3 origin, vec3 direction);

// The nearest texel, from sRGB to linear light by a polynomial.
vec3 texel(Image image, vec2 first, vec2 second) {
    vec3 at = vec3(image.texels.w == 0 ? first : second, 1.0);
    float u = wrapped(dot(image.u.xyz, at), image.u.w);
    float v = wrapped(dot(image.v.xyz, at), image.v.w);
    ivec2 place = min(ivec2(vec2(u, v) * vec2(image.texels.yz)), image.texels.yz - 1);
    uint rgba = texels[image.texels.x + place.y * image.texels.y + place.x];
    vec3 c = vec3(rgba & 255u, rgba >> 8u & 255u, rgba >> 16u & 255u) * (1.0 / 255.0);
    return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878);
}

vec3 attribute3(int vertex, int offset) {
    int at = vertex * FLOATS_PER_VERTEX + offset;
    return vec3(vertices[at], vertices[at + 1], vertices[at + 2]);
}

vec4 attribute4(int vertex, int offset) {
    return vec4(attribute3(vertex, offset), vertices[vertex * FLOATS_PER_VERTEX + offset + 3]);
}

Surface surfaceOf(Hit hit, vec3 direction) {
    Instance instance = instances[hit.instance];
    Material material = materials[instance.mesh.z];
    int index = instance.mesh.x + 3 * hit.triangle;
    int a = instance.mesh.y + indices[index];
    int b = instance.mesh.y + indices[index + 1];
    int c = instance.mesh.y + indices[index + 2];
    vec3 share = vec3(1.0 - hit.at.x - hit.at.y, hit.at);
    vec3 corner = attribute3(a, 0);
    vec3 toB = attribute3(b, 0) - corner;
    vec3 toC = attribute3(c, 0) - corner;
    vec3 position = corner + hit.at.x * toB + hit.at.y * toC;
    vec3 normal = share.x * attribute3(a, 3) + share.y * attribute3(b, 3) + share.z * attribute3(c, 3);
    vec4 coordinates = share.x * attribute4(a, 6) + share.y * attribute4(b, 6) + share.z * attribute4(c, 6);
    vec3 color = share.x * attribute3(a, 10) + share.y * attribute3(b, 10) + share.z * attribute3(c, 10);

    mat3 linear = transpose(mat3(instance.rows[0].xyz, instance.rows[1].xyz, instance.rows[2].xyz));
    vec2 uv = coordinates.xy;
    if (instance.mapping.x > 0.0) {
        vec3 metres = (position + vec3(0.5, 0.0, 0.5)) * vec3(length(linear[0]), length(linear[1]), length(linear[2]));
        bool wall = abs(normal.x) > 0.5;
        uv = abs(normal.y) > 0.5 ? metres.xz : vec2(wall ? metres.z : metres.x, -metres.y);
        uv /= instance.mapping.x;
    }
    uv += instance.mapping.yz;

    Surface surface;
    vec4 point = vec4(position, 1.0);
    surface.position = vec3(dot(instance.rows[0], point), dot(instance.rows[1], point), dot(instance.rows[2], point));
    // A mirror turns either normal round, and so does what faces the ray.
    mat3 cofactor = mat3(cross(linear[1], linear[2]), cross(linear[2], linear[0]), cross(linear[0], linear[1]));
    surface.face = normalize(cofactor * cross(toB, toC));
    surface.face *= dot(surface.face, direction) > 0.0 ? -1.0 : 1.0;
    surface.normal = normalize(cofactor * normal);
    surface.normal *= dot(surface.normal, surface.face) < 0.0 ? -1.0 : 1.0;
    vec3 tint = instance.tint.rgb;
    surface.color = material.color.rgb * texel(material.base, uv, coordinates.zw)
        * mix(tint, vec3(1.0), material.emission.w) * mix(vec3(1.0), color, material.color.w);
    surface.emission = material.emission.rgb * texel(material.glow, uv, coordinates.zw) * instance.tint.w
        * mix(vec3(1.0), tint, material.emission.w);
    return surface;
}

// The light that comes to a pixel on one path, and the rays of the path and of its shadows.
vec3 lightOf(uvec2 pixel, out uvec2 rays) {
    uint number = pixel.y * extent.x + pixel.x;
    vec2 at = 2.0 * (vec2(pixel) + randomNumbers(number, random.y, 0u, random.x).xy) / vec2(extent.xy) - 1.0;
    vec3 origin = cameraPosition.xyz;
    vec3 direction = normalize(cameraForward.xyz + at.x * cameraRight.xyz - at.y * cameraUp.xyz);
    vec3 light = vec3(0.0);
    vec3 weight = vec3(1.0);
    rays = uvec2(0u);
    for (uint bounce = 0u; bounce <= extent.z; bounce++) {
        rays.x++;
        Hit hit = closestHit(origin, direction);
        if (hit.instance < 0) {
            light += weight * clearSky(direction);
            // The camera sees the sun itself; surfaces have its light from their shadow rays.
            if (bounce == 0u && dot(direction, toSun.xyz) > inversesqrt(1.0 + toSun.w * toSun.w)) {
                light += sunColor.rgb / (PI * toSun.w * toSun.w);
            }
            break;
        }
        Surface surface = surfaceOf(hit, direction);
        light += weight * surface.emission;
        weight *= surface.color;
        float far = max(max(abs(surface.position.x), abs(surface.position.y)), abs(surface.position.z));
        origin = surface.position + surface.face * (3e-4 + 1e-5 * far);
        vec4 chance = randomNumbers(number, random.y, bounce + 1u, random.x);
        vec3 sun = around(toSun.xyz, vec3(toSun.w * disc(chance.xy), 1.0));
        float cosine = dot(surface.normal, sun);
        if (cosine > 0.0 && dot(surface.face, sun) > 0.0) {
            rays.y++;
            if (!isShadowed(origin, sun)) {
                light += weight * sunColor.rgb * (cosine / PI);
            }
        }
        direction = diffuseDirection(surface.normal, chance.zw);
        if (dot(surface.face, direction) <= 0.0) {
            break;
        }
    }
    return light;
}

// Adds a sample of a pixel to those before; its place is one of the rows that are traced.
void addSample(uvec2 place) {
    uvec2 rays;
    uint row = (place.y / rows.x * rows.y + rows.z) * rows.x + place.y % rows.x;
    vec3 light = lightOf(uvec2(place.x, row), rays);
    ivec2 at = ivec2(place);
    imageStore(lightNow, at, imageLoad(lightBefore, at) + vec4(light, 1.0));
    imageStore(raysNow, at, imageLoad(raysBefore, at) + uvec4(rays, 0u, 0u));
}
