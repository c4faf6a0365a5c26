package io.frameloom.gpu.record;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingFormats;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.RasterState.Topology;
import io.frameloom.gpu.pipeline.StencilState;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The checks of draws and dispatches, and the vertex and index buffers that they depend on. */
public final class DrawRules {
    private static final int WORD = 4;
    private static final int DISPATCH_BYTES = 3 * WORD;

    /** What draws make primitives of. */
    public enum Source {
        /** Vertices in their order. */
        VERTICES(4 * WORD),
        /** Vertices by indices. */
        INDICES(5 * WORD),
        /** Workgroups of task or mesh shaders. */
        MESHES(3 * WORD);

        /** The bytes of a draw's arguments in a buffer. */
        private final int bytes;

        Source(int bytes) {
            this.bytes = bytes;
        }
    }

    private final RecordingRules rules;
    /** Bit mask of the vertex bindings that have a buffer. */
    private long vertexBindings;

    /** Of these, those whose offset is no multiple of two, and of four. */
    private long oddOffsets;

    private long unevenOffsets;
    /** The vertex bindings of draws by the checked pipeline. */
    private long needed;
    /** Of these, those that need such an offset. */
    private long needTwo;

    private long needFour;

    private final VertexRanges vertices = new VertexRanges();
    private @Nullable Buffer indices;
    private long indexOffset;
    private int indexSize;
    private long indexCount;
    /** The pipeline that was last found to be drawable, and the state of the list in which it was. */
    private @Nullable GraphicsPipelineDescription agreed;

    private int agreedChanges;
    /** Whether the vertex buffers were found to be those that it needs. */
    private boolean buffersAgree;

    private final DeviceLimits.Groups most;
    private final DeviceLimits.MeshShaders meshes;

    public DrawRules(RecordingRules rules) {
        this.rules = rules;
        this.most = rules.capabilities().limits().compute().maxGroups();
        this.meshes = rules.capabilities().limits().meshShaders();
    }

    /** Forgets what was bound, as the execution of secondary lists does. */
    public void forget() {
        vertexBindings = 0;
        vertices.forget();
        indices = null;
        agreed = null;
    }

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
        long bit = 1L << binding;
        vertexBindings |= bit;
        buffersAgree = false;
        vertices.bind(binding, buffer, offset);
        oddOffsets = offset % 2 == 0 ? oddOffsets & ~bit : oddOffsets | bit;
        unevenOffsets = offset % 4 == 0 ? unevenOffsets & ~bit : unevenOffsets | bit;
    }

    public void bindIndexBuffer(Buffer buffer, long offset, IndexType type) {
        String command = "bindIndexBuffer";
        rules.requireRecording(command);
        rules.requireQueue(command, QueueKind.GRAPHICS);
        int size = type == IndexType.UINT16 ? 2 : WORD;
        Ranges.usage(rules, command, buffer, BufferUsage.INDEX);
        Ranges.range(rules, command, buffer, offset, size);
        Ranges.aligned(rules, command, buffer, "offset", offset, size);
        indices = buffer;
        indexOffset = offset;
        indexSize = size;
        indexCount = (buffer.description().bytes() - offset) / size;
    }

    /** Checks a draw, after {@link #beforeDraw}. */
    public void draw(int count, int instances, int first, int firstInstance) {
        String command = "draw";
        counts(command, count, instances, first, firstInstance);
        if (count > 0 && instances > 0) {
            vertices.check(rules, command, (long) first + count, (long) firstInstance + instances);
            vertices.report(rules, first, (long) first + count, firstInstance, (long) firstInstance + instances);
        }
    }

    private void counts(String command, int count, int instances, int first, int firstInstance) {
        if ((count | instances | first | firstInstance) < 0) {
            throw new IllegalArgumentException(rules.where(command) + " needs counts that are not negative, got "
                    + count + " from " + first + " on, " + instances + " instances from " + firstInstance + " on");
        }
    }

    /** Checks a draw by indices, after {@link #beforeDraw}. */
    public void drawIndexed(int count, int instances, int first, int firstInstance) {
        counts("drawIndexed", count, instances, first, firstInstance);
        Buffer bound = requireIndices("drawIndexed");
        if ((long) first + count > indexCount) {
            throw new IllegalArgumentException(rules.where("drawIndexed") + " reads indices " + first + " to "
                    + ((long) first + count) + ", but the index buffer '" + bound.name() + "' has " + indexCount
                    + " after its offset");
        }
        if (count > 0 && instances > 0) {
            vertices.check(rules, "drawIndexed", 0, (long) firstInstance + instances);
            vertices.report(rules, 0, 0, firstInstance, (long) firstInstance + instances);
            long start = indexOffset + (long) first * indexSize;
            rules.reports().uses(bound, start, (long) count * indexSize, Access.INDEX);
        }
    }

    /** Checks draws with arguments from a buffer, after {@link #beforeDraw}. */
    public void drawIndirect(String command, Source source, Buffer arguments, long offset, int draws, int stride) {
        DeviceLimits.Drawing limits = rules.capabilities().limits().drawing();
        if (draws > 1 && !limits.multiDrawIndirect()) {
            throw new UnsupportedOperationException(rules.where(command) + " has " + draws + " draws, but device '"
                    + rules.capabilities().name() + "' takes one at a time; record one command each");
        }
        indirect(command, source, arguments, offset, draws, stride, draws > 1);
    }

    /** Checks draws with arguments and their number from buffers, after {@link #beforeDraw}. */
    public void drawIndirectCount(
            String command,
            Source source,
            Buffer arguments,
            long offset,
            Buffer count,
            long countOffset,
            int maxDraws,
            int stride) {
        if (!rules.capabilities().limits().drawing().drawIndirectCount()) {
            throw new UnsupportedOperationException(rules.where(command) + ": device '"
                    + rules.capabilities().name() + "' cannot read the number of draws from a buffer; draw the most"
                    + " there can be, with zero instances where there is nothing");
        }
        // The stride counts even for a single draw, since their number is unknown before.
        indirect(command, source, arguments, offset, maxDraws, stride, true);
        Ranges.usage(rules, command, count, BufferUsage.INDIRECT);
        Ranges.range(rules, command, count, countOffset, WORD);
        Ranges.aligned(rules, command, count, "offset", countOffset, WORD);
        rules.reports().uses(count, countOffset, WORD, Access.INDIRECT);
    }

    private void indirect(
            String command, Source source, Buffer arguments, long offset, int draws, int stride, boolean strideCounts) {
        Buffer bound = source == Source.INDICES ? requireIndices(command) : null;
        Ranges.usage(rules, command, arguments, BufferUsage.INDIRECT);
        Ranges.aligned(rules, command, arguments, "offset", offset, WORD);
        long most = rules.capabilities().limits().drawing().maxIndirectDraws();
        if (draws < 0 || draws > Math.max(1, most)) {
            throw new IllegalArgumentException(
                    rules.where(command) + ": the device takes 0 to " + Math.max(1, most) + " draws, got " + draws);
        }
        int bytes = source.bytes;
        if (strideCounts && (stride < bytes || stride % WORD != 0)) {
            throw new IllegalArgumentException(rules.where(command) + ": the stride of draws is a multiple of 4 and at"
                    + " least " + bytes + ", got " + stride);
        }
        if (draws > 0) {
            long used = (long) (draws - 1) * stride + bytes;
            Ranges.range(rules, command, arguments, offset, used);
            rules.reports().uses(arguments, offset, used, Access.INDIRECT);
        }
        vertices.report(rules, 0, 0, 0, 0);
        if (bound != null) {
            rules.reports().uses(bound, 0, 0, Access.INDEX);
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

    /** Checks where draws may be recorded and what is bound, as far as it may have changed since the last draw. */
    @SuppressWarnings("ReferenceEquality") // the same object again is what makes the comparison cheap
    public void beforeDraw(String command, Source source, GraphicsPipelineDescription pipeline) {
        if (pipeline.drawsMeshes() != (source == Source.MESHES)) {
            throw new IllegalStateException(rules.where(command) + ": pipeline '" + pipeline.name() + "' has a "
                    + (pipeline.drawsMeshes() ? "mesh shader; call drawMeshTasks" : "vertex shader; call draw")
                    + ", or bind another pipeline");
        }
        if (agreed != pipeline || agreedChanges != rules.changes()) {
            agree(command, pipeline);
        }
        if (!buffersAgree) {
            requireBuffers(command, pipeline);
            buffersAgree = true;
        }
    }

    private void agree(String command, GraphicsPipelineDescription pipeline) {
        agreed = null;
        buffersAgree = false;
        rules.requireDrawable(command, pipeline.viewports());
        requireTests(command, pipeline);
        rules.fill();
        requireFormats(command, pipeline);
        List<VertexBuffer> layout = rules.tests().vertexInput(pipeline);
        vertices.use(pipeline.name(), layout);
        needed = (1L << layout.size()) - 1;
        needTwo = VertexAlignment.buffers(layout, 2);
        needFour = VertexAlignment.buffers(layout, 4);
        requireWritable(command, pipeline);
        agreed = pipeline;
        agreedChanges = rules.changes();
    }

    private void requireBuffers(String command, GraphicsPipelineDescription pipeline) {
        if ((vertexBindings & needed) != needed) {
            throw new IllegalStateException(rules.where(command) + ": pipeline '" + pipeline.name()
                    + "' reads vertex buffer " + Long.numberOfTrailingZeros(needed & ~vertexBindings)
                    + ", which is not bound; call bindVertexBuffer first");
        }
        long misplaced = (needTwo & oddOffsets) | (needFour & unevenOffsets);
        if (misplaced != 0) {
            int binding = Long.numberOfTrailingZeros(misplaced);
            throw new IllegalStateException(rules.where(command) + ": pipeline '" + pipeline.name()
                    + "' reads vertex buffer " + binding + " at an offset that must be a multiple of "
                    + ((needFour >> binding & 1) != 0 ? 4 : 2) + " for its attributes; bind it at one");
        }
    }

    private void requireFormats(String command, GraphicsPipelineDescription pipeline) {
        RenderingInfo open = rules.rendering();
        RenderingFormats inherited = rules.inherited();
        boolean equal = open != null
                ? agrees(pipeline, open)
                : inherited == null
                        || (sameFormats(pipeline.colorFormats(), inherited.colors())
                                && pipeline.depthFormat() == inherited.depth()
                                && pipeline.stencilFormat() == inherited.stencil()
                                && pipeline.multisample().samples() == inherited.samples()
                                && pipeline.views() == inherited.views());
        if (!equal) {
            throw new IllegalStateException(rules.where(command) + ": pipeline '" + pipeline.name()
                    + "' is made for colours " + pipeline.colorFormats() + ", depth " + pipeline.depthFormat()
                    + ", stencil " + pipeline.stencilFormat() + ", "
                    + pipeline.multisample().samples() + " samples and " + pipeline.views()
                    + " views, the render pass has "
                    + (open != null ? open.formats() : inherited)
                    + "; create the pipeline for these");
        }
    }

    /** Finds what the list has set that does not fit the pipeline. */
    private void requireTests(String command, GraphicsPipelineDescription pipeline) {
        Topology topology = rules.topology(pipeline);
        RasterState own = pipeline.raster();
        if (!topology.isLike(own.topology())) {
            throw new IllegalStateException(rules.where(command) + ": pipeline '" + pipeline.name() + "' is made for "
                    + own.topology() + ", the list has set " + topology
                    + "; a topology changes among points, among lines and among triangles");
        }
        if (own.primitiveRestart() && !topology.isStrip()) {
            throw new IllegalStateException(rules.where(command) + ": pipeline '" + pipeline.name()
                    + "' restarts strips, the list has set " + topology + "; set a strip or a fan");
        }
        VertexAttribute missing =
                VertexInputs.missing(pipeline.vertexBuffers(), rules.tests().vertexInput(pipeline));
        if (missing != null) {
            throw new IllegalStateException(rules.where(command) + ": pipeline '" + pipeline.name()
                    + "' reads vertex attribute " + missing.location() + " as " + missing.format()
                    + ", the vertex input that the list has set does not give it as such a number; set one that does");
        }
        if (rules.tests().depth(pipeline) != null && pipeline.depthFormat() == null) {
            throw untested(command, pipeline, "depth");
        }
        if (rules.tests().stencil(pipeline) != null && pipeline.stencilFormat() == null) {
            throw untested(command, pipeline, "stencil");
        }
    }

    private IllegalStateException untested(String command, GraphicsPipelineDescription pipeline, String what) {
        return new IllegalStateException(rules.where(command) + ": pipeline '" + pipeline.name() + "' names no " + what
                + " format, the list has set a " + what + " test; give the pipeline the format of the attachment");
    }

    /**
     * Finds a pipeline that writes what the open render pass only reads, or notes it for a render pass that is not
     * known yet.
     */
    private void requireWritable(String command, GraphicsPipelineDescription pipeline) {
        GraphicsPipelineDescription.DepthState depthTest = rules.tests().depth(pipeline);
        StencilState stencilTest = rules.tests().stencil(pipeline);
        boolean writesDepth = depthTest != null && depthTest.write();
        boolean writesStencil = stencilTest != null && (writes(stencilTest.front()) || writes(stencilTest.back()));
        RenderingInfo open = rules.rendering();
        if (open == null) {
            rules.needs().colorsWritten(pipeline.name(), writtenColors(pipeline));
            if (writesDepth) {
                rules.needs().depthWritten(pipeline.name());
            }
            if (writesStencil) {
                rules.needs().stencilWritten(pipeline.name());
            }
            return;
        }
        for (int i = 0; i < open.colors().size(); i++) {
            if ((open.colors().get(i).readOnly() || rules.isKept(i))
                    && pipeline.blends().get(i).writeMask() != 0) {
                throw readOnly(command, pipeline, "colour " + i);
            }
        }
        RenderingInfo.DepthAttachment depth = open.depth();
        if (writesDepth
                && depth != null
                && (depth.readOnly() || rules.isKept(open.colors().size()))) {
            throw readOnly(command, pipeline, "depth");
        }
        RenderingInfo.StencilAttachment stencil = open.stencil();
        if (writesStencil && stencil != null && stencil.readOnly()) {
            throw readOnly(command, pipeline, "stencil");
        }
    }

    private static int writtenColors(GraphicsPipelineDescription pipeline) {
        int written = 0;
        for (int i = 0; i < pipeline.blends().size(); i++) {
            written |= pipeline.blends().get(i).writeMask() == 0 ? 0 : 1 << i;
        }
        return written;
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

    /** Compares without the iterators that {@link List#equals} makes. */
    private static boolean sameFormats(List<Format> first, List<Format> second) {
        if (first.size() != second.size()) {
            return false;
        }
        for (int i = 0; i < first.size(); i++) {
            if (first.get(i) != second.get(i)) {
                return false;
            }
        }
        return true;
    }

    /** Compares without making the formats of the render pass. */
    private static boolean agrees(GraphicsPipelineDescription pipeline, RenderingInfo open) {
        List<Format> colors = pipeline.colorFormats();
        RenderingInfo.DepthAttachment depth = open.depth();
        RenderingInfo.StencilAttachment stencil = open.stencil();
        if (pipeline.multisample().samples() != open.samples()
                || pipeline.views() != open.views()
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

    /** Checks a draw of mesh tasks, after {@link #beforeDraw}. */
    public void drawMeshTasks(GraphicsPipelineDescription pipeline, int groupsX, int groupsY, int groupsZ) {
        DeviceLimits.MeshStage stage = pipeline.taskShader() == null ? meshes.mesh() : meshes.task();
        requireGroups("drawMeshTasks", stage.maxGroups(), groupsX, groupsY, groupsZ);
        // Two of them fit a long, all three may not.
        long plane = (long) groupsX * groupsY;
        if (plane > 0 && groupsZ > stage.maxTotalGroups() / plane) {
            throw new IllegalArgumentException(rules.where("drawMeshTasks") + " of " + groupsX + "x" + groupsY + "x"
                    + groupsZ + " workgroups; the device takes " + stage.maxTotalGroups() + " of a draw");
        }
    }

    public void dispatch(int groupsX, int groupsY, int groupsZ) {
        requireGroups("dispatch", most, groupsX, groupsY, groupsZ);
    }

    private void requireGroups(String command, DeviceLimits.Groups allowed, int groupsX, int groupsY, int groupsZ) {
        if (groupsX < 0
                || groupsY < 0
                || groupsZ < 0
                || groupsX > allowed.x()
                || groupsY > allowed.y()
                || groupsZ > allowed.z()) {
            throw new IllegalArgumentException(rules.where(command) + " of " + groupsX + "x" + groupsY + "x" + groupsZ
                    + " workgroups; the device takes 0 to " + allowed.x() + "x" + allowed.y() + "x" + allowed.z());
        }
    }

    public void beforeDispatch(String command) {
        rules.requireOutside(command);
        rules.requireQueue(command, QueueKind.COMPUTE);
    }

    public void dispatchIndirect(Buffer arguments, long offset) {
        String command = "dispatchIndirect";
        Ranges.usage(rules, command, arguments, BufferUsage.INDIRECT);
        Ranges.range(rules, command, arguments, offset, DISPATCH_BYTES);
        Ranges.aligned(rules, command, arguments, "offset", offset, WORD);
        rules.reports().uses(arguments, offset, DISPATCH_BYTES, Access.INDIRECT);
    }
}
