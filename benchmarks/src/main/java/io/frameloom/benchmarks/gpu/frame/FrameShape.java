package io.frameloom.benchmarks.gpu.frame;

/**
 * What every frame does: a chain of passes, each with a target of its own. One pass in four computes, the others draw.
 * A pass reads the target before its own and the one three before, as deferred renderers do. Its commands are push
 * constants and a draw or dispatch that touches next to nothing, so that what is measured is the processor's work.
 *
 * @param passes passes, 2 or more
 * @param commands draws or dispatches of each pass
 */
record FrameShape(int passes, int commands) {
    /** Width and height of all targets. */
    static final int EXTENT = 64;

    /** Bytes of push constants. */
    static final int PUSH_BYTES = 16;

    private static final int COMPUTE_EVERY = 4;
    private static final int FAR = 3;

    static final String VERTEX = """
            #version 450
            layout(push_constant) uniform Push { vec4 amount; };
            void main() { gl_Position = amount; }
            """;

    /** Of the first pass, which reads nothing. */
    static final String FIRST_FRAGMENT = """
            #version 450
            layout(location = 0) out vec4 color;
            void main() { color = vec4(1); }
            """;

    static final String FRAGMENT = """
            #version 450
            layout(set = 0, binding = 0) uniform sampler2D near;
            layout(set = 0, binding = 1) uniform sampler2D far;
            layout(location = 0) out vec4 color;
            void main() { color = texelFetch(near, ivec2(0), 0) + texelFetch(far, ivec2(0), 0); }
            """;

    static final String COMPUTE = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) uniform sampler2D near;
            layout(set = 0, binding = 1) uniform sampler2D far;
            layout(set = 0, binding = 2, rgba8) uniform writeonly image2D result;
            layout(push_constant) uniform Push { vec4 amount; };
            void main() { imageStore(result, ivec2(0), texelFetch(near, ivec2(0), 0) + texelFetch(far, ivec2(0), 0) + amount); }
            """;

    /** Whether a pass dispatches; the others draw. */
    boolean computes(int pass) {
        return pass % COMPUTE_EVERY == COMPUTE_EVERY - 1;
    }

    /** Returns the pass whose target a pass reads first; of passes other than the first. */
    int near(int pass) {
        return pass - 1;
    }

    /** Returns the pass whose target a pass reads second, which may be {@link #near}. */
    int far(int pass) {
        return Math.max(pass - FAR, 0);
    }

    /** Returns the commands of a frame. */
    int total() {
        return passes * commands;
    }
}
