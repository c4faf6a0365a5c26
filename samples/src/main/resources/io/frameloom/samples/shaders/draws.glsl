struct Draw {
    mat4 model;
    vec4 tint;     // base colour factor, w: factor of what is emitted
    vec4 mapping;  // metres per repeat of box projection or 0, offset in u and v, the element with the model of the frame before
};

layout(set = 0, binding = 1, std430) readonly buffer Draws {
    Draw draws[];
};

// Box projection lays the texture over the unit box in metres, so that windows keep their size on every building.
vec2 mapTexture(Draw draw, vec3 position, vec3 normal, vec2 uv) {
    if (draw.mapping.x <= 0.0) {
        return uv + draw.mapping.yz;
    }
    vec3 size = vec3(length(draw.model[0].xyz), length(draw.model[1].xyz), length(draw.model[2].xyz));
    vec3 metres = (position + vec3(0.5, 0.0, 0.5)) * size;
    vec2 plane = abs(normal.y) > 0.5 ? metres.xz : vec2(abs(normal.x) > 0.5 ? metres.z : metres.x, -metres.y);
    return plane / draw.mapping.x + draw.mapping.yz;
}
