package io.frameloom.gpu.pipeline;

import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthCompare;

/**
 * Stencil test.
 *
 * @param front for front faces, points and lines
 * @param back for back faces
 */
public record StencilState(Face front, Face back) {
    /** One test for both faces. */
    public StencilState(Face both) {
        this(both, both);
    }

    /** The new value of the stored stencil. */
    public enum Operation {
        /** It stays. */
        KEEP,
        /** It becomes 0. */
        ZERO,
        /** It becomes the reference. */
        REPLACE,
        /** One more, at most 255. */
        INCREMENT_AND_CLAMP,
        /** One less, at least 0. */
        DECREMENT_AND_CLAMP,
        /** All bits change. */
        INVERT,
        /** One more, 0 after 255. */
        INCREMENT_AND_WRAP,
        /** One less, 255 after 0. */
        DECREMENT_AND_WRAP
    }

    /**
     * The test of one face.
     *
     * @param compare comparison of the reference with the stored value, in this order, both under the mask
     * @param fail when the test fails
     * @param depthFail when it passes and the depth test fails
     * @param pass when both pass
     * @param compareMask bits that are compared, 0 to 255
     * @param writeMask bits that are changed, 0 to 255
     * @param reference the reference, 0 to 255; unused with {@link DynamicState#STENCIL_REFERENCE}
     */
    public record Face(
            DepthCompare compare,
            Operation fail,
            Operation depthFail,
            Operation pass,
            int compareMask,
            int writeMask,
            int reference) {
        public Face {
            require("compareMask", compareMask);
            require("writeMask", writeMask);
            require("reference", reference);
        }

        private static void require(String name, int value) {
            if (value < 0 || value > 255) {
                throw new IllegalArgumentException("stencil " + name + " is from 0 to 255, got " + value);
            }
        }
    }
}
