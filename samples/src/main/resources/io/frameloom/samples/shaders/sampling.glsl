// Random numbers, directions and coordinates of the path tracer.
const float PI = 3.14159265;

// PCG4D (Jarzynski and Olano, Hash Functions for GPU Rendering).
uvec4 hash(uvec4 v) {
    v = v * 1664525u + 1013904223u;
    v.x += v.y * v.w;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v.w += v.y * v.z;
    v ^= v >> 16u;
    v.x += v.y * v.w;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v.w += v.y * v.z;
    return v;
}

// Four numbers from 0 to below 1 for one event of a path: 0 is its begin, n the n-th surface that it meets.
vec4 randomNumbers(uint pixel, uint number, uint event, uint seed) {
    return vec4(hash(uvec4(pixel, number, event, seed)) >> 8u) * (1.0 / 16777216.0);
}

// Concentric map of the square to the disc (Shirley and Chiu), by polynomials, since drivers differ in sines.
vec2 disc(vec2 square) {
    vec2 s = 2.0 * square - 1.0;
    bool wide = abs(s.x) > abs(s.y);
    float radius = wide ? s.x : s.y;
    if (radius == 0.0) {
        return vec2(0.0);
    }
    float a = (0.25 * PI) * (wide ? s.y : s.x) / radius;
    float a2 = a * a;
    float cosine = 1.0 + a2 * (-0.5 + a2 * (1.0 / 24.0 - a2 * (1.0 / 720.0)));
    float sine = a * (1.0 + a2 * (-1.0 / 6.0 + a2 * (1.0 / 120.0 - a2 * (1.0 / 5040.0))));
    return radius * (wide ? vec2(cosine, sine) : vec2(sine, cosine));
}

// A direction around an axis (Duff et al., Building an Orthonormal Basis, Revisited).
vec3 around(vec3 axis, vec3 local) {
    float side = axis.z < 0.0 ? -1.0 : 1.0;
    float a = -1.0 / (side + axis.z);
    float b = axis.x * axis.y * a;
    vec3 first = vec3(1.0 + side * axis.x * axis.x * a, side * b, -side * axis.x);
    vec3 second = vec3(b, side + axis.y * axis.y * a, -axis.y);
    return normalize(first * local.x + second * local.y + axis * local.z);
}

// Likelier by the cosine to the normal.
vec3 diffuseDirection(vec3 normal, vec2 square) {
    vec2 on = disc(square);
    return around(normal, vec3(on, sqrt(max(0.0, 1.0 - dot(on, on)))));
}

float wrapped(float x, float how) {
    if (how == 0.0) {
        return x - floor(x);
    }
    float twice = x - 2.0 * floor(0.5 * x);
    return how == 1.0 ? clamp(x, 0.0, 1.0) : min(twice, 2.0 - twice);
}
