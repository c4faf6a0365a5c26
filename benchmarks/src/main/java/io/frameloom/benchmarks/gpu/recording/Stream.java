package io.frameloom.benchmarks.gpu.recording;

import java.util.List;

/** A kind of commands that is recorded in a row. */
enum Stream {
    /** Push constants, a bound storage buffer and a draw. */
    DRAW,
    /** Push constants, a bound storage buffer and a dispatch. */
    DISPATCH,
    /** A copy between buffers. */
    COPY,
    /** Push constants with the number of a storage buffer in a bindless table, and a draw. */
    BINDLESS;

    /** What is recorded by hand as well; the others are compared with bound draws of Frameloom. */
    static final List<Stream> PLAIN = List.of(DRAW, DISPATCH, COPY);

    /** Commands of one list. */
    static final int LENGTH = 2_000;

    /** Bytes of a bound or copied range: every second command takes another. */
    static final int RANGE = 256;

    /** Size of the target of draws. */
    static final int EXTENT = 64;

    static final String COMPUTE = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Data { vec4 data; };
            layout(push_constant) uniform Push { vec4 amount; };
            void main() { data = amount; }
            """;

    static final String VERTEX = """
            #version 450
            layout(set = 0, binding = 0) readonly buffer Data { vec4 data; };
            layout(push_constant) uniform Push { vec4 amount; };
            void main() { gl_Position = data + amount; }
            """;

    static final String BINDLESS_VERTEX = """
            #version 450
            #extension GL_EXT_nonuniform_qualifier : require
            layout(set = 0, binding = 3) readonly buffer Data { vec4 data; } buffers[];
            layout(push_constant) uniform Push { uint number; uint rest[3]; };
            void main() { gl_Position = buffers[number].data + vec4(rest[0]); }
            """;

    static final String FRAGMENT = """
            #version 450
            layout(location = 0) out vec4 color;
            void main() { color = vec4(1); }
            """;
}
