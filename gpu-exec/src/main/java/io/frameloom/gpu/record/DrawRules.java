package io.frameloom.gpu.record;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.GraphicsPipelineDescription;
import io.frameloom.gpu.IndexType;
import io.frameloom.gpu.QueueKind;
import io.frameloom.gpu.RenderingFormats;
import io.frameloom.gpu.RenderingInfo;
import io.frameloom.gpu.StencilState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The checks of draws and dispatches, and what of vertex and index buffers they depend on. */
public final class DrawRules {
    private static final int WORD = 4;
    private static final int DRAW_BYTES = 4 * WORD;
    private static final int INDEXED_BYTES = 5 * WORD;
    private static final int DISPATCH_BYTES = 3 * WORD;

    private final RecordingRules rules;
    /** Bit mask of the vertex bindings that have a buffer. */
    private long vertexBindings;

    private @Nullable Buffer indices;
    private long indexCount;
    /** The pipeline and the render pass that were last found to agree. */
    private @Nullable GraphicsPipelineDescription agreedPipeline;

    private int agreedRendering = -1;

    /** Checks for the list of {@code rules}. */
    public DrawRules(RecordingRules rules) {
        this.rules = rules;
    }

    /** Forgets what was bound, as the execution of secondary lists does. */
    public void forget() {
        vertexBindings = 0;
        indices = null;
        agreedPipeline = null;
        agreedRendering = -1;
    }

    /** Checks and notes a vertex buffer. */
    public void bindVertexBuffer(int binding, Buffer buffer, long offset) {
        String command = "bindVertexBuffer";
        rules.requireRecording(command);
        rules.requireQueue(command, QueueKind.GRAPHICS);
        int bindings = Math.min(
                PipelineLimits.MOST_VERTEX_BINDINGS,
                rules.capabilities().limits().drawing().maxVertexBindings());
        if (binding < 0 || binding >= bindings) {
            throw new IllegalArgumentException(
                    rules.where(command) + ": vertex bindings are 0 to " + (bindings - 1) + ", got " + binding);
        }
        Ranges.usage(rules, command, buffer, BufferUsage.VERTEX);
        Ranges.range(rules, command, buffer, offset, 1);
        vertexBindings |= 1L << binding;
    }

    /** Checks and notes an index buffer. */
    public void bindIndexBuffer(Buffer buffer, long offset, IndexType type) {
        String command = "bindIndexBuffer";
        rules.requireRecording(command);
        rules.requireQueue(command, QueueKind.GRAPHICS);
        int size = type == IndexType.UINT16 ? 2 : WORD;
        Ranges.usage(rules, command, buffer, BufferUsage.INDEX);
        Ranges.range(rules, command, buffer, offset, size);
        Ranges.aligned(rules, command, buffer, "offset", offset, size);
        indices = buffer;
        indexCount = (buffer.description().bytes() - offset) / size;
    }

    /** Checks a draw. */
    public void draw(String command, GraphicsPipelineDescription pipeline, int count, int instances, int first) {
        beforeDraw(command, pipeline);
        if (count < 0 || instances < 0 || first < 0) {
            throw new IllegalArgumentException(rules.where(command) + " needs counts that are not negative, got "
                    + count + " from " + first + " on, " + instances + " instances");
        }
    }

    /** Checks a draw by indices. */
    public void drawIndexed(GraphicsPipelineDescription pipeline, int count, int instances, int first) {
        draw("drawIndexed", pipeline, count, instances, first);
        Buffer bound = requireIndices("drawIndexed");
        if ((long) first + count > indexCount) {
            throw new IllegalArgumentException(rules.where("drawIndexed") + " reads indices " + first + " to "
                    + ((long) first + count) + ", but the index buffer '" + bound.name() + "' has " + indexCount
                    + " behind its offset");
        }
    }

    /** Checks draws with arguments from a buffer. */
    public void drawIndirect(
            String command,
            GraphicsPipelineDescription pipeline,
            boolean indexed,
            Buffer arguments,
            long offset,
            int draws,
            int stride) {
        beforeDraw(command, pipeline);
        if (indexed) {
            requireIndices(command);
        }
        DeviceLimits.Drawing limits = rules.capabilities().limits().drawing();
        if (draws > 1 && !limits.multiDrawIndirect()) {
            throw new UnsupportedOperationException(rules.where(command) + " has " + draws + " draws, but device '"
                    + rules.capabilities().name() + "' takes one at a time; record one command each");
        }
        indirect(command, indexed, arguments, offset, draws, stride, draws > 1);
    }

    /** Checks draws with arguments and their number from buffers. */
    public void drawIndirectCount(
            String command,
            GraphicsPipelineDescription pipeline,
            boolean indexed,
            Buffer arguments,
            long offset,
            Buffer count,
            long countOffset,
            int maxDraws,
            int stride) {
        beforeDraw(command, pipeline);
        if (indexed) {
            requireIndices(command);
        }
        if (!rules.capabilities().limits().drawing().drawIndirectCount()) {
            throw new UnsupportedOperationException(rules.where(command) + ": device '"
                    + rules.capabilities().name() + "' cannot read the number of draws from a buffer; draw the most"
                    + " there can be, with zero instances where there is nothing");
        }
        // The stride counts even for a single draw, whose number nobody knows before.
        indirect(command, indexed, arguments, offset, maxDraws, stride, true);
        Ranges.usage(rules, command, count, BufferUsage.INDIRECT);
        Ranges.range(rules, command, count, countOffset, WORD);
        Ranges.aligned(rules, command, count, "offset", countOffset, WORD);
    }

    private void indirect(
            String command,
            boolean indexed,
            Buffer arguments,
            long offset,
            int draws,
            int stride,
            boolean strideCounts) {
        Ranges.usage(rules, command, arguments, BufferUsage.INDIRECT);
        Ranges.aligned(rules, command, arguments, "offset", offset, WORD);
        long most = rules.capabilities().limits().drawing().maxIndirectDraws();
        if (draws < 0 || draws > Math.max(1, most)) {
            throw new IllegalArgumentException(
                    rules.where(command) + ": the device takes 0 to " + Math.max(1, most) + " draws, got " + draws);
        }
        int bytes = indexed ? INDEXED_BYTES : DRAW_BYTES;
        if (strideCounts && (stride < bytes || stride % WORD != 0)) {
            throw new IllegalArgumentException(rules.where(command) + ": the stride of draws is a multiple of 4 and at"
                    + " least " + bytes + ", got " + stride);
        }
        if (draws > 0) {
            Ranges.range(rules, command, arguments, offset, (long) (draws - 1) * stride + bytes);
        }
    }

    private Buffer requireIndices(String command) {
        Buffer bound = indices;
        if (bound == null) {
            throw new IllegalStateException(
                    rules.where(command) + " comes without an index buffer; call bindIndexBuffer first");
        }
        return bound;
    }

    @SuppressWarnings("ReferenceEquality") // the same object again is what makes the comparison cheap
    private void beforeDraw(String command, GraphicsPipelineDescription pipeline) {
        rules.requireDrawable(command);
        long needed = (1L << pipeline.vertexBuffers().size()) - 1;
        if ((vertexBindings & needed) != needed) {
            throw new IllegalStateException(rules.where(command) + ": pipeline '" + pipeline.name()
                    + "' reads vertex buffer " + Long.numberOfTrailingZeros(needed & ~vertexBindings)
                    + ", which is not bound; call bindVertexBuffer first");
        }
        if (agreedPipeline != pipeline || agreedRendering != rules.renderings()) {
            requireFormats(command, pipeline);
            requireWritable(command, pipeline);
            agreedPipeline = pipeline;
            agreedRendering = rules.renderings();
        }
    }

    private void requireFormats(String command, GraphicsPipelineDescription pipeline) {
        RenderingInfo open = rules.rendering();
        RenderingFormats inherited = rules.inherited();
        boolean equal = open != null
                ? agrees(pipeline, open)
                : inherited == null
                        || (pipeline.colorFormats().equals(inherited.colors())
                                && pipeline.depthFormat() == inherited.depth()
                                && pipeline.stencilFormat() == inherited.stencil()
                                && pipeline.multisample().samples() == inherited.samples());
        if (!equal) {
            throw new IllegalStateException(rules.where(command) + ": pipeline '" + pipeline.name()
                    + "' is made for colours " + pipeline.colorFormats() + ", depth " + pipeline.depthFormat()
                    + ", stencil " + pipeline.stencilFormat() + " and "
                    + pipeline.multisample().samples() + " samples, the render pass has "
                    + (open != null ? open.formats() : inherited)
                    + "; create the pipeline with these formats");
        }
    }

    /** Finds a pipeline that writes what the open render pass only reads. */
    private void requireWritable(String command, GraphicsPipelineDescription pipeline) {
        RenderingInfo open = rules.rendering();
        if (open == null) {
            return;
        }
        RenderingInfo.DepthAttachment depth = open.depth();
        GraphicsPipelineDescription.DepthState depthTest = pipeline.depth();
        if (depth != null && depth.readOnly() && depthTest != null && depthTest.write()) {
            throw readOnly(command, pipeline, "depth");
        }
        RenderingInfo.StencilAttachment stencil = open.stencil();
        StencilState stencilTest = pipeline.stencil();
        if (stencil != null
                && stencil.readOnly()
                && stencilTest != null
                && (writes(stencilTest.front()) || writes(stencilTest.back()))) {
            throw readOnly(command, pipeline, "stencil");
        }
    }

    private static boolean writes(StencilState.Face face) {
        return face.writeMask() != 0
                && (face.fail() != StencilState.Operation.KEEP
                        || face.depthFail() != StencilState.Operation.KEEP
                        || face.pass() != StencilState.Operation.KEEP);
    }

    private IllegalStateException readOnly(String command, GraphicsPipelineDescription pipeline, String what) {
        return new IllegalStateException(rules.where(command) + ": pipeline '" + pipeline.name() + "' writes " + what
                + ", but the " + what + " attachment of the render pass is read only; bind a pipeline that only tests"
                + " it, or attach it to be written");
    }

    /** Compares without making the formats of the render pass. */
    private static boolean agrees(GraphicsPipelineDescription pipeline, RenderingInfo open) {
        List<Format> colors = pipeline.colorFormats();
        RenderingInfo.DepthAttachment depth = open.depth();
        RenderingInfo.StencilAttachment stencil = open.stencil();
        if (pipeline.multisample().samples() != open.samples()
                || pipeline.stencilFormat()
                        != (stencil == null ? null : stencil.view().format())) {
            return false;
        }
        if (colors.size() != open.colors().size()
                || pipeline.depthFormat()
                        != (depth == null ? null : depth.view().format())) {
            return false;
        }
        for (int i = 0; i < colors.size(); i++) {
            if (colors.get(i) != open.colors().get(i).view().format()) {
                return false;
            }
        }
        return true;
    }

    /** Checks a dispatch. */
    public void dispatch(int groupsX, int groupsY, int groupsZ) {
        DeviceLimits.Groups most = rules.capabilities().limits().compute().maxGroups();
        if (groupsX < 0
                || groupsY < 0
                || groupsZ < 0
                || groupsX > most.x()
                || groupsY > most.y()
                || groupsZ > most.z()) {
            throw new IllegalArgumentException(rules.where("dispatch") + " of " + groupsX + "x" + groupsY + "x"
                    + groupsZ + " workgroups; the device takes 0 to " + most.x() + "x" + most.y() + "x" + most.z());
        }
    }

    /** Checks where dispatches may be recorded. */
    public void beforeDispatch(String command) {
        rules.requireOutside(command);
        rules.requireQueue(command, QueueKind.COMPUTE);
    }

    /** Checks a dispatch with arguments from a buffer. */
    public void dispatchIndirect(Buffer arguments, long offset) {
        String command = "dispatchIndirect";
        Ranges.usage(rules, command, arguments, BufferUsage.INDIRECT);
        Ranges.range(rules, command, arguments, offset, DISPATCH_BYTES);
        Ranges.aligned(rules, command, arguments, "offset", offset, WORD);
    }
}
