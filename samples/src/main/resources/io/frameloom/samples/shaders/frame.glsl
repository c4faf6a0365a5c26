// What every pass knows of the frame. Written by FrameConstants in this order.
layout(set = 0, binding = 0, std140) uniform Frame {
    mat4 view;
    mat4 inverseView;
    mat4 jitteredViewProjection;
    mat4 shadowMatrix;
    mat4 reprojection;
    mat4 formerViewProjection;
    vec4 cameraPosition;  // w: seconds
    vec4 lens;            // tangents of half of the field of view in x and y, near plane, far plane
    vec4 extent;          // width, height, 1 / width, 1 / height
    vec4 toSun;           // w: side of a shadow texel in metres
    vec4 sunColor;        // w: exposure
    vec4 skyZenith;       // w: clouds
    vec4 skyHorizon;      // w: fog density at height 0
    vec4 skyGlow;         // w: decrease of the fog with height
    vec4 skyGround;       // w: radius of ambient occlusion
    vec4 counts;          // lights, frame number modulo 64, whether the history is valid, metres of shadow
};

// Distance along the view direction of a reversed depth.
float viewDepth(float depth) {
    return lens.z * lens.w / (lens.z + depth * (lens.w - lens.z));
}

// Position in view space of a point of the picture, uv from the upper left corner.
vec3 viewPosition(vec2 uv, float depth) {
    float distance = viewDepth(depth);
    vec2 ndc = uv * 2.0 - 1.0;
    return vec3(ndc.x * lens.x * distance, -ndc.y * lens.y * distance, -distance);
}

// "Interleaved gradient noise" (Jimenez, Next Generation Post Processing in Call of Duty), shifted every frame.
float gradientNoise(vec2 pixel) {
    vec2 shifted = pixel + 5.588238 * counts.y;
    return fract(52.9829189 * fract(dot(shifted, vec2(0.06711056, 0.00583715))));
}
