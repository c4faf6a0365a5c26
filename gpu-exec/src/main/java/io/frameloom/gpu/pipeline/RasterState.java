package io.frameloom.gpu.pipeline;

/**
 * How vertices become fragments.
 *
 * @param topology how vertices are combined
 * @param primitiveRestart whether the largest index ends a strip and begins another one; for strips only
 * @param polygonMode which part of a triangle is drawn
 * @param frontFace which triangles face the viewer
 * @param depthClamp whether fragments before the near or beyond the far plane are kept, with their depth clamped
 */
public record RasterState(
        Topology topology, boolean primitiveRestart, PolygonMode polygonMode, FrontFace frontFace, boolean depthClamp) {
    /** Filled triangle lists with counter-clockwise front faces. */
    public static final RasterState TRIANGLES =
            new RasterState(Topology.TRIANGLE_LIST, false, PolygonMode.FILL, FrontFace.COUNTER_CLOCKWISE, false);

    public RasterState {
        if (primitiveRestart && !topology.isStrip()) {
            throw new IllegalArgumentException(
                    "primitive restart ends strips and fans, but the topology is " + topology);
        }
    }

    /** How vertices are combined. */
    public enum Topology {
        /** One point each. */
        POINT_LIST,
        /** One line for every two. */
        LINE_LIST,
        /** One line with each but the first. */
        LINE_STRIP,
        /** One triangle for every three. */
        TRIANGLE_LIST,
        /** One triangle with each but the first two. */
        TRIANGLE_STRIP,
        /** One triangle with each but the first two, all around the first. */
        TRIANGLE_FAN;

        /** Returns whether the device may change from this topology to another one without another pipeline. */
        public boolean isLike(Topology other) {
            return shape() == other.shape();
        }

        private int shape() {
            return switch (this) {
                case POINT_LIST -> 1;
                case LINE_LIST, LINE_STRIP -> 2;
                case TRIANGLE_LIST, TRIANGLE_STRIP, TRIANGLE_FAN -> 3;
            };
        }

        /** Returns whether each vertex is shared with the primitive before, so that a strip can be restarted. */
        public boolean isStrip() {
            return this == TRIANGLE_STRIP || this == LINE_STRIP || this == TRIANGLE_FAN;
        }
    }

    /** Which part of a triangle is drawn. */
    public enum PolygonMode {
        /** All of it. */
        FILL,
        /** Its edges; not on every device. */
        LINE,
        /** Its corners; not on every device. */
        POINT
    }

    /** Which triangles face the viewer. */
    public enum FrontFace {
        /** Those whose vertices go around counter-clockwise. */
        COUNTER_CLOCKWISE,
        /** Those whose vertices go around clockwise. */
        CLOCKWISE
    }

    /** As this, with another topology. */
    public RasterState with(Topology other) {
        return new RasterState(other, primitiveRestart, polygonMode, frontFace, depthClamp);
    }

    /** As this, with another polygon mode. */
    public RasterState with(PolygonMode other) {
        return new RasterState(topology, primitiveRestart, other, frontFace, depthClamp);
    }

    /** As this, with other front faces. */
    public RasterState with(FrontFace other) {
        return new RasterState(topology, primitiveRestart, polygonMode, other, depthClamp);
    }
}
