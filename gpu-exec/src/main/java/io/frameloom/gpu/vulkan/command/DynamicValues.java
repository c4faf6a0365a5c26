package io.frameloom.gpu.vulkan.command;

import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.RasterState.FrontFace;
import io.frameloom.gpu.pipeline.RasterState.Topology;
import io.frameloom.gpu.pipeline.StencilState;
import io.frameloom.gpu.vulkan.driver.CommandScratch;
import io.frameloom.gpu.vulkan.driver.Vulkan13;
import io.frameloom.gpu.vulkan.pipeline.PipelineEnums;
import io.frameloom.gpu.vulkan.pipeline.VulkanPipeline;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;

/**
 * The values that pipelines leave to the command list. They are written before the next draw: a pipeline with a value
 * of its own must not be bound when they are written, and leaves them undefined for the next one. Masks have a bit for
 * each {@link DynamicState}.
 */
final class DynamicValues {
    private static final int STENCIL_REFERENCE = bit(DynamicState.STENCIL_REFERENCE);
    private static final int BLEND_CONSTANTS = bit(DynamicState.BLEND_CONSTANTS);
    private static final int DEPTH_BIAS = bit(DynamicState.DEPTH_BIAS);
    private static final int LINE_WIDTH = bit(DynamicState.LINE_WIDTH);
    private static final int CULL_MODE = bit(DynamicState.CULL_MODE);
    private static final int FRONT_FACE = bit(DynamicState.FRONT_FACE);
    private static final int TOPOLOGY = bit(DynamicState.TOPOLOGY);
    private static final int DEPTH_TEST = bit(DynamicState.DEPTH_TEST);
    private static final int STENCIL_TEST = bit(DynamicState.STENCIL_TEST);
    private static final int VERTEX_INPUT = bit(DynamicState.VERTEX_INPUT);
    /** Those that have the value of the bound pipeline until they are set. */
    private static final int OF_PIPELINE = CULL_MODE | FRONT_FACE | TOPOLOGY | DEPTH_TEST | STENCIL_TEST | VERTEX_INPUT;

    private int stencilReference;
    private float red;
    private float green;
    private float blue;
    private float alpha;
    private float biasConstant;
    private float biasSlope;
    private float biasClamp;
    /** A secondary list begins without a render pass of its own. */
    private float lineWidth = 1;

    private CullMode cull = CullMode.NONE;
    private FrontFace front = FrontFace.COUNTER_CLOCKWISE;
    private Topology topology = Topology.TRIANGLE_LIST;
    private @Nullable DepthState depth;
    private @Nullable StencilState stencil;
    private List<VertexBuffer> vertexInput = List.of();

    /** Whether values may differ from those of a render pass that begins. */
    private boolean changed;
    /** Of {@link #OF_PIPELINE}, what the list has set in this render pass. */
    private int set;
    /** What was written as it is now. */
    private int current;
    /** Whether the references that were written last are the list's, not those of a test. */
    private boolean listReferences;

    private static int bit(DynamicState state) {
        return 1 << state.ordinal();
    }

    /** Begins a render pass: lines are 1 wide, and everything else is zero or the pipeline's. */
    void begin() {
        if (changed) {
            stencilReference(0);
            blendConstants(0, 0, 0, 0);
            depthBias(0, 0, 0);
            lineWidth(1);
            current &= ~set;
            set = 0;
            changed = false;
        }
    }

    private void change(int state, boolean same) {
        changed = true;
        if (!same) {
            current &= ~state;
        }
    }

    void stencilReference(int reference) {
        change(STENCIL_REFERENCE, reference == stencilReference);
        stencilReference = reference;
    }

    void blendConstants(float newRed, float newGreen, float newBlue, float newAlpha) {
        change(BLEND_CONSTANTS, newRed == red && newGreen == green && newBlue == blue && newAlpha == alpha);
        red = newRed;
        green = newGreen;
        blue = newBlue;
        alpha = newAlpha;
    }

    void depthBias(float constant, float slope, float clamp) {
        change(DEPTH_BIAS, constant == biasConstant && slope == biasSlope && clamp == biasClamp);
        biasConstant = constant;
        biasSlope = slope;
        biasClamp = clamp;
    }

    void lineWidth(float width) {
        change(LINE_WIDTH, width == lineWidth);
        lineWidth = width;
    }

    private void set(int state, boolean same) {
        change(state, same && (set & state) != 0);
        set |= state;
    }

    void cullMode(CullMode newCull) {
        set(CULL_MODE, newCull == cull);
        cull = newCull;
    }

    void frontFace(FrontFace newFront) {
        set(FRONT_FACE, newFront == front);
        front = newFront;
    }

    void topology(Topology newTopology) {
        set(TOPOLOGY, newTopology == topology);
        topology = newTopology;
    }

    @SuppressWarnings("ReferenceEquality") // an equal test is only written once more
    void depthTest(@Nullable DepthState test) {
        set(DEPTH_TEST, test == depth);
        depth = test;
    }

    @SuppressWarnings("ReferenceEquality") // an equal test is only written once more
    void stencilTest(@Nullable StencilState test) {
        set(STENCIL_TEST, test == stencil);
        stencil = test;
    }

    @SuppressWarnings("ReferenceEquality") // equal ones are only written once more
    void vertexInput(List<VertexBuffer> buffers) {
        set(VERTEX_INPUT, buffers == vertexInput);
        vertexInput = buffers;
    }

    /** Forgets what has been written: secondary lists leave it undefined. */
    void forget() {
        current = 0;
    }

    /** Forgets what binding a pipeline with a value of its own leaves undefined, and what was another pipeline's. */
    void bound(VulkanPipeline.Graphics pipeline) {
        int left = current & pipeline.dynamicStates() & (set | ~OF_PIPELINE);
        // The references of a test are not written for a pipeline that has the list's.
        boolean otherReferences = listReferences && (pipeline.dynamicStates() & STENCIL_REFERENCE) == 0;
        current = otherReferences ? left & ~STENCIL_TEST : left;
    }

    /** Writes the values that the drawing pipeline leaves to the list, if changed since they were last written. */
    void flush(VkCommandBuffer commands, CommandScratch scratch, VulkanPipeline.Graphics pipeline) {
        int due = pipeline.dynamicStates() & ~current;
        if (due != 0) {
            write(due, commands, scratch, pipeline);
        }
        current = pipeline.dynamicStates();
    }

    private void write(int due, VkCommandBuffer commands, CommandScratch scratch, VulkanPipeline.Graphics pipeline) {
        if ((due & STENCIL_REFERENCE) != 0) {
            VK13.vkCmdSetStencilReference(commands, VK13.VK_STENCIL_FACE_FRONT_AND_BACK, stencilReference);
            listReferences = true;
        }
        if ((due & BLEND_CONSTANTS) != 0) {
            RenderingEncoder.blendConstants(commands, scratch, red, green, blue, alpha);
        }
        if ((due & DEPTH_BIAS) != 0) {
            VK13.vkCmdSetDepthBias(commands, biasConstant, biasClamp, biasSlope);
        }
        if ((due & LINE_WIDTH) != 0) {
            VK13.vkCmdSetLineWidth(commands, lineWidth);
        }
        if ((due & OF_PIPELINE) != 0) {
            writeTests(due, commands, pipeline.description());
        }
        if ((due & VERTEX_INPUT) != 0) {
            VertexInputEncoder.set(
                    commands,
                    scratch,
                    (set & VERTEX_INPUT) != 0
                            ? vertexInput
                            : pipeline.description().vertexBuffers());
        }
    }

    private void writeTests(int due, VkCommandBuffer commands, GraphicsPipelineDescription own) {
        if ((due & CULL_MODE) != 0) {
            Vulkan13.setCullMode(commands, PipelineEnums.of((set & CULL_MODE) != 0 ? cull : own.cull()));
        }
        if ((due & FRONT_FACE) != 0) {
            FrontFace facing = (set & FRONT_FACE) != 0 ? front : own.raster().frontFace();
            Vulkan13.setFrontFace(commands, PipelineEnums.of(facing));
        }
        if ((due & TOPOLOGY) != 0) {
            Topology combined = (set & TOPOLOGY) != 0 ? topology : own.raster().topology();
            Vulkan13.setTopology(commands, PipelineEnums.of(combined));
        }
        if ((due & DEPTH_TEST) != 0) {
            DepthState test = (set & DEPTH_TEST) != 0 ? depth : own.depth();
            Vulkan13.setDepthTest(
                    commands,
                    test != null,
                    test != null && test.write(),
                    test == null ? VK13.VK_COMPARE_OP_ALWAYS : PipelineEnums.of(test.compare()));
        }
        if ((due & STENCIL_TEST) != 0) {
            StencilState test = (set & STENCIL_TEST) != 0 ? stencil : own.stencil();
            Vulkan13.enableStencilTest(commands, test != null);
            if (test != null) {
                boolean reference = !own.dynamicStates().contains(DynamicState.STENCIL_REFERENCE);
                face(commands, VK13.VK_STENCIL_FACE_FRONT_BIT, test.front(), reference);
                face(commands, VK13.VK_STENCIL_FACE_BACK_BIT, test.back(), reference);
                listReferences &= !reference;
            }
        }
    }

    private static void face(VkCommandBuffer commands, int faces, StencilState.Face face, boolean reference) {
        Vulkan13.setStencilOperations(
                commands,
                faces,
                PipelineEnums.of(face.fail()),
                PipelineEnums.of(face.pass()),
                PipelineEnums.of(face.depthFail()),
                PipelineEnums.of(face.compare()));
        VK13.vkCmdSetStencilCompareMask(commands, faces, face.compareMask());
        VK13.vkCmdSetStencilWriteMask(commands, faces, face.writeMask());
        if (reference) {
            VK13.vkCmdSetStencilReference(commands, faces, face.reference());
        }
    }
}
