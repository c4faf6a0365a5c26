#version 450
// Two-phase culling of meshlets (Haar and Aaltonen, GPU-Driven Rendering Pipelines). The first phase draws what the frame
// before has seen. With LATE, the second asks the depths that this has left about all, and draws what is new.
//
// Which meshlets are seen is the same on every device, to the bit: sums and products are not contracted, quotients are
// corrected by products, and there are no roots. The margins are wider than what rasterisers round.
#include "frame.glsl"
#include "draws.glsl"
#include "meshlets.glsl"
layout(local_size_x = 64) in;

layout(set = 0, binding = 3, std430) readonly buffer Instances {
    uvec2 instances[];  // draw, meshlet
};

// A bit for each instance. The first phase reads what was visible, the second what the first has drawn.
layout(set = 0, binding = 4, std430) readonly buffer Before {
    uint before[];
};

layout(set = 0, binding = 5, std430) writeonly buffer Drawn {
    uint drawn[];
};

#ifdef LATE
layout(set = 0, binding = 6, std430) writeonly buffer Fresh {
    uint fresh[];
};

layout(set = 0, binding = 7, std430) writeonly buffer Visible {
    uint visible[];
};

// Outside of the frustum, facing away, occluded, drawn, triangles drawn.
layout(set = 0, binding = 8, std430) buffer Tally {
    uint tally[5];
};

layout(set = 0, binding = 9) uniform sampler2D pyramid;

shared uint freshBits[2];
shared uint visibleBits[2];
shared uint sums[5];
#endif
shared uint drawnBits[2];

vec3 crossed(vec3 a, vec3 b) {
    precise vec3 result = a.yzx * b.zxy - a.zxy * b.yzx;
    return result;
}

float dotted(vec3 a, vec3 b) {
    precise float result = (a.x * b.x + a.y * b.y) + a.z * b.z;
    return result;
}

// In the space of the mesh times the determinant, where no length is divided.
bool facesAway(mat4 model, Meshlet meshlet) {
    vec3 yz = crossed(model[1].xyz, model[2].xyz);
    vec3 zx = crossed(model[2].xyz, model[0].xyz);
    vec3 xy = crossed(model[0].xyz, model[1].xyz);
    float determinant = dotted(model[0].xyz, yz);
    precise vec3 to = cameraPosition.xyz - model[3].xyz;
    vec3 eye = vec3(dotted(yz, to), dotted(zx, to), dotted(xy, to));
    precise vec3 away = meshlet.sphere.xyz * determinant - eye;
    precise float along = dotted(away, meshlet.cone.xyz) - meshlet.sphere.w * determinant;
    precise float square = along * along;
    precise float limit = (meshlet.cone.w * meshlet.cone.w + 0.001) * dotted(away, away);
    return determinant > 0.0 && along > 0.0 && square > limit;
}

vec4 cornerInClip(mat4 model, Meshlet meshlet, int corner) {
    vec3 at = vec3(
        (corner & 1) == 0 ? meshlet.lower.x : meshlet.upper.x,
        (corner & 2) == 0 ? meshlet.lower.y : meshlet.upper.y,
        (corner & 4) == 0 ? meshlet.lower.z : meshlet.upper.z);
    precise vec3 world = (model[0].xyz * at.x + model[1].xyz * at.y) + (model[2].xyz * at.z + model[3].xyz);
    precise vec4 clip = (jitteredViewProjection[0] * world.x + jitteredViewProjection[1] * world.y)
        + (jitteredViewProjection[2] * world.z + jitteredViewProjection[3]);
    return clip;
}

// A bit for each plane that a point lies outside of: left, right, top, bottom, near, far.
int planes(vec4 clip) {
    precise float margin = abs(clip.w) * -0.0001;
    precise vec3 low = vec3(clip.x + clip.w, clip.y + clip.w, clip.z);
    precise vec3 high = vec3(clip.w - clip.x, clip.w - clip.y, clip.w - clip.z);
    return (low.x < margin ? 1 : 0) | (high.x < margin ? 2 : 0) | (low.y < margin ? 4 : 0) | (high.y < margin ? 8 : 0)
        | (high.z < margin ? 16 : 0) | (low.z < margin ? 32 : 0);
}

int outside(mat4 model, Meshlet meshlet) {
    int all = 63;
    for (int i = 0; i < 8; i++) {
        all &= planes(cornerInClip(model, meshlet, i));
    }
    return all;
}

#ifdef LATE
// The texel of a clip coordinate, in 0 to size - 1: the largest q with q * w <= (x + w) * size / 2.
int texel(float x, float w, float size) {
    precise float scaled = (x + w) * (0.5 * size);
    precise float last = (size - 1.0) * w;
    if (!(scaled > 0.0)) {
        return 0;
    }
    if (scaled >= last) {
        return int(size) - 1;
    }
    float q = floor(scaled / w);
    precise float product = q * w;
    for (int i = 0; i < 4 && product > scaled; i++) {
        q -= 1.0;
        product = q * w;
    }
    product = (q + 1.0) * w;
    for (int i = 0; i < 4 && product <= scaled; i++) {
        q += 1.0;
        product = (q + 1.0) * w;
    }
    return int(q);
}

bool occluded(mat4 model, Meshlet meshlet) {
    ivec2 last = ivec2(extent.xy) - 1;
    ivec2 low = last;
    ivec2 high = ivec2(0);
    for (int i = 0; i < 8; i++) {
        vec4 clip = cornerInClip(model, meshlet, i);
        if (!(clip.w > clip.z && clip.w > 0.0)) {
            return false;
        }
        ivec2 at = ivec2(texel(clip.x, clip.w, extent.x), texel(clip.y, clip.w, extent.y));
        low = min(low, at);
        high = max(high, at);
    }
    low = max(low - 1, ivec2(0));
    high = min(high + 1, last);
    int level = 1;
    while (any(greaterThan((high >> level) - (low >> level), ivec2(1)))) {
        level++;
    }
    ivec2 a = low >> level;
    ivec2 b = high >> level;
    float farthest = min(
        min(texelFetch(pyramid, a, level - 1).r, texelFetch(pyramid, ivec2(b.x, a.y), level - 1).r),
        min(texelFetch(pyramid, ivec2(a.x, b.y), level - 1).r, texelFetch(pyramid, b, level - 1).r));
    for (int i = 0; i < 8; i++) {
        vec4 clip = cornerInClip(model, meshlet, i);
        precise float near = clip.z * 1.001 + clip.w * 0.000001;
        precise float limit = farthest * clip.w;
        if (!(near < limit)) {
            return false;
        }
    }
    return true;
}
#endif

void main() {
    uint number = gl_GlobalInvocationID.x;
    uint thread = gl_LocalInvocationID.x;
    if (thread < 2u) {
        drawnBits[thread] = 0u;
#ifdef LATE
        freshBits[thread] = 0u;
        visibleBits[thread] = 0u;
#endif
    }
#ifdef LATE
    if (thread < 5u) {
        sums[thread] = 0u;
    }
#endif
    barrier();
    uint count = uint(instances.length());
    uint word = thread >> 5;
    uint bit = 1u << (thread & 31u);
    bool was = number < count && (before[number >> 5] & bit) != 0u;
#ifdef LATE
    if (number < count) {
        mat4 model = draws[instances[number].x].model;
        Meshlet meshlet = meshlets[instances[number].y];
        bool inside = outside(model, meshlet) == 0;
        bool away = facesAway(model, meshlet);
        bool seen = inside && !away && !occluded(model, meshlet);
        if (seen) {
            atomicOr(visibleBits[word], bit);
        }
        if (seen && !was) {
            atomicOr(freshBits[word], bit);
        }
        if (seen || was) {
            atomicOr(drawnBits[word], bit);
            atomicAdd(sums[4], meshlet.run.x / 3u);
        }
        atomicAdd(sums[seen || was ? 3 : !inside ? 0 : away ? 1 : 2], 1u);
    }
#else
    if (was) {
        mat4 model = draws[instances[number].x].model;
        Meshlet meshlet = meshlets[instances[number].y];
        if (outside(model, meshlet) == 0 && !facesAway(model, meshlet)) {
            atomicOr(drawnBits[word], bit);
        }
    }
#endif
    barrier();
    uint first = gl_WorkGroupID.x * 2u;
    if (thread < 2u && (first + thread) * 32u < count) {
        drawn[first + thread] = drawnBits[thread];
#ifdef LATE
        fresh[first + thread] = freshBits[thread];
        visible[first + thread] = visibleBits[thread];
#endif
    }
#ifdef LATE
    if (thread < 5u) {
        atomicAdd(tally[thread], sums[thread]);
    }
#endif
}
