// What a ray of the path tracer meets.
struct Hit {
    int instance;  // -1 if the ray leaves the scene
    int triangle;
    vec2 at;       // weights of its second and third corner
};
