package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthCompare;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.StencilState;
import io.frameloom.gpu.pipeline.TargetBlend;
import org.lwjgl.vulkan.VK13;

/** The choices of a graphics pipeline in Vulkan's numbers. Stateless. */
public final class PipelineEnums {
    private PipelineEnums() {}

    public static int of(RasterState.Topology topology) {
        return switch (topology) {
            case POINT_LIST -> VK13.VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
            case LINE_LIST -> VK13.VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
            case LINE_STRIP -> VK13.VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
            case TRIANGLE_LIST -> VK13.VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
            case TRIANGLE_STRIP -> VK13.VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
            case TRIANGLE_FAN -> VK13.VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN;
        };
    }

    static int of(RasterState.PolygonMode mode) {
        return switch (mode) {
            case FILL -> VK13.VK_POLYGON_MODE_FILL;
            case LINE -> VK13.VK_POLYGON_MODE_LINE;
            case POINT -> VK13.VK_POLYGON_MODE_POINT;
        };
    }

    public static int of(RasterState.FrontFace face) {
        return switch (face) {
            case COUNTER_CLOCKWISE -> VK13.VK_FRONT_FACE_COUNTER_CLOCKWISE;
            case CLOCKWISE -> VK13.VK_FRONT_FACE_CLOCKWISE;
        };
    }

    public static int of(CullMode mode) {
        return switch (mode) {
            case NONE -> VK13.VK_CULL_MODE_NONE;
            case BACK -> VK13.VK_CULL_MODE_BACK_BIT;
            case FRONT -> VK13.VK_CULL_MODE_FRONT_BIT;
        };
    }

    public static int of(DepthCompare compare) {
        return switch (compare) {
            case NEVER -> VK13.VK_COMPARE_OP_NEVER;
            case LESS -> VK13.VK_COMPARE_OP_LESS;
            case EQUAL -> VK13.VK_COMPARE_OP_EQUAL;
            case LESS_OR_EQUAL -> VK13.VK_COMPARE_OP_LESS_OR_EQUAL;
            case GREATER -> VK13.VK_COMPARE_OP_GREATER;
            case NOT_EQUAL -> VK13.VK_COMPARE_OP_NOT_EQUAL;
            case GREATER_OR_EQUAL -> VK13.VK_COMPARE_OP_GREATER_OR_EQUAL;
            case ALWAYS -> VK13.VK_COMPARE_OP_ALWAYS;
        };
    }

    public static int of(StencilState.Operation operation) {
        return switch (operation) {
            case KEEP -> VK13.VK_STENCIL_OP_KEEP;
            case ZERO -> VK13.VK_STENCIL_OP_ZERO;
            case REPLACE -> VK13.VK_STENCIL_OP_REPLACE;
            case INCREMENT_AND_CLAMP -> VK13.VK_STENCIL_OP_INCREMENT_AND_CLAMP;
            case DECREMENT_AND_CLAMP -> VK13.VK_STENCIL_OP_DECREMENT_AND_CLAMP;
            case INVERT -> VK13.VK_STENCIL_OP_INVERT;
            case INCREMENT_AND_WRAP -> VK13.VK_STENCIL_OP_INCREMENT_AND_WRAP;
            case DECREMENT_AND_WRAP -> VK13.VK_STENCIL_OP_DECREMENT_AND_WRAP;
        };
    }

    static int of(TargetBlend.Factor factor) {
        return switch (factor) {
            case ZERO -> VK13.VK_BLEND_FACTOR_ZERO;
            case ONE -> VK13.VK_BLEND_FACTOR_ONE;
            case SOURCE_COLOR -> VK13.VK_BLEND_FACTOR_SRC_COLOR;
            case ONE_MINUS_SOURCE_COLOR -> VK13.VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR;
            case DESTINATION_COLOR -> VK13.VK_BLEND_FACTOR_DST_COLOR;
            case ONE_MINUS_DESTINATION_COLOR -> VK13.VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR;
            case SOURCE_ALPHA -> VK13.VK_BLEND_FACTOR_SRC_ALPHA;
            case ONE_MINUS_SOURCE_ALPHA -> VK13.VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
            case DESTINATION_ALPHA -> VK13.VK_BLEND_FACTOR_DST_ALPHA;
            case ONE_MINUS_DESTINATION_ALPHA -> VK13.VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA;
            case CONSTANT_COLOR -> VK13.VK_BLEND_FACTOR_CONSTANT_COLOR;
            case ONE_MINUS_CONSTANT_COLOR -> VK13.VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR;
            case SOURCE_ALPHA_SATURATE -> VK13.VK_BLEND_FACTOR_SRC_ALPHA_SATURATE;
        };
    }

    static int of(TargetBlend.Operation operation) {
        return switch (operation) {
            case ADD -> VK13.VK_BLEND_OP_ADD;
            case SUBTRACT -> VK13.VK_BLEND_OP_SUBTRACT;
            case REVERSE_SUBTRACT -> VK13.VK_BLEND_OP_REVERSE_SUBTRACT;
            case MIN -> VK13.VK_BLEND_OP_MIN;
            case MAX -> VK13.VK_BLEND_OP_MAX;
        };
    }
}
