package io.frameloom.gpu;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A graphics pipeline for dynamic rendering; triangle lists, counter-clockwise front faces, dynamic viewport and
 * scissor.
 *
 * @param name debug name
 * @param vertexShader vertex shader
 * @param fragmentShader fragment shader, or null for depth only
 * @param vertexBuffers vertex buffers by binding number; empty when the vertex shader makes its vertices
 * @param cull which faces are dropped
 * @param depth depth test, or null for none
 * @param blend how colour outputs are combined with the attachments
 * @param colorFormats formats of the colour attachments in order
 * @param depthFormat format of the depth attachment, or null for none
 */
public record GraphicsPipelineDescription(
        String name,
        ShaderSource vertexShader,
        @Nullable ShaderSource fragmentShader,
        List<VertexBuffer> vertexBuffers,
        CullMode cull,
        @Nullable DepthState depth,
        Blend blend,
        List<Format> colorFormats,
        @Nullable Format depthFormat) {

    /** Copies the lists and checks the combination. */
    public GraphicsPipelineDescription {
        vertexBuffers = List.copyOf(vertexBuffers);
        colorFormats = List.copyOf(colorFormats);
        if (depth != null && depthFormat == null) {
            throw new IllegalArgumentException(
                    "graphics pipeline '" + name + "' tests depth but names no depth format; give depthFormat");
        }
    }

    /** Which faces are dropped. */
    public enum CullMode {
        /** None. */
        NONE,
        /** Back faces. */
        BACK,
        /** Front faces. */
        FRONT
    }

    /** How colour outputs are combined with the attachments. */
    public enum Blend {
        /** Replace. */
        NONE,
        /** Source plus destination. */
        ADD,
        /** Source over destination by source alpha. */
        ALPHA
    }

    /** Comparison of the depth test; passes when the new depth compares so to the stored one. */
    public enum DepthCompare {
        /** Less. */
        LESS,
        /** Less or equal. */
        LESS_OR_EQUAL,
        /** Equal. */
        EQUAL,
        /** Greater or equal. */
        GREATER_OR_EQUAL,
        /** Always passes. */
        ALWAYS
    }

    /**
     * Depth test.
     *
     * @param compare comparison
     * @param write whether passing fragments write their depth
     * @param biasConstant constant depth bias, 0 for none
     * @param biasSlope slope-scaled depth bias, 0 for none
     */
    public record DepthState(DepthCompare compare, boolean write, float biasConstant, float biasSlope) {}

    /**
     * A vertex buffer.
     *
     * @param stride bytes from one element to the next
     * @param perInstance advances per instance instead of per vertex
     * @param attributes its attributes
     */
    public record VertexBuffer(int stride, boolean perInstance, List<VertexAttribute> attributes) {
        /** Copies the attributes. */
        public VertexBuffer {
            attributes = List.copyOf(attributes);
        }
    }

    /**
     * A vertex attribute.
     *
     * @param location shader location
     * @param format format
     * @param offset bytes from the start of the element
     */
    public record VertexAttribute(int location, Format format, int offset) {}
}
