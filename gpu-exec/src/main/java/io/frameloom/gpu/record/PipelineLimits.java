package io.frameloom.gpu.record;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.RasterState.PolygonMode;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.shader.PipelineShaders;
import java.util.List;
import java.util.function.Function;

/**
 * The limits of a device for a pipeline. A pipeline that exceeds one is refused by name before a driver is called, in
 * the same way by all devices. Immutable; any thread.
 */
public final class PipelineLimits {
    /** Most binding sets of a pipeline that Frameloom takes, and the largest number of a set plus one. */
    public static final int MOST_SETS = Integer.SIZE;

    /** Most vertex buffers of a pipeline that Frameloom takes: a mask of them is one long. */
    static final int MOST_VERTEX_BINDINGS = Long.SIZE - 1;

    private final DeviceLimits.Drawing drawing;
    private final DeviceLimits.Pipelines pipelines;
    private final Function<Format, FormatSupport> formats;
    private final ShaderLimits shaderLimits;

    /**
     * The limits of a device.
     *
     * @param device its capabilities
     * @param formats its support of formats
     */
    public PipelineLimits(DeviceCapabilities device, Function<Format, FormatSupport> formats) {
        this.drawing = device.limits().drawing();
        this.pipelines = device.limits().pipelines();
        this.formats = formats;
        this.shaderLimits = new ShaderLimits(device.limits());
    }

    public void check(ComputePipelineDescription description, PipelineShaders shaders) {
        shaderLimits.check(description, shaders);
    }

    public void check(GraphicsPipelineDescription description, PipelineShaders shaders) {
        shaderLimits.check(description, shaders);
    }

    /** Checks all of a graphics pipeline but its shaders, which so need not be compiled. */
    public void check(GraphicsPipelineDescription description) {
        String where = "graphics pipeline '" + description.name() + "'";
        attachments(where, description);
        require(
                description.multisample().minSampleShading() == 0 || pipelines.sampleShading(),
                where + " runs its fragment shader for samples, which the device cannot");
        require(
                description.raster().polygonMode() == PolygonMode.FILL || pipelines.polygonModes(),
                where + " draws polygons as " + description.raster().polygonMode() + ", which the device cannot");
        require(
                !description.raster().depthClamp() || pipelines.depthClamp(),
                where + " clamps depth, which the device cannot");
        DepthState depth = description.depth();
        require(
                depth == null || depth.biasClamp() == 0 || pipelines.depthBiasClamp(),
                where + " clamps its depth bias, which the device cannot");
        vertices(where, description.vertexBuffers());
    }

    private void attachments(String where, GraphicsPipelineDescription description) {
        List<Format> colors = description.colorFormats();
        require(
                colors.size() <= drawing.maxColorAttachments(),
                where + " has " + colors.size() + " colour attachments, the device allows "
                        + drawing.maxColorAttachments());
        boolean alike = description.blends().stream().distinct().count() <= 1;
        require(
                alike || pipelines.independentBlend(),
                where + " blends its attachments differently, which the device cannot");
        int allowed = -1;
        for (int i = 0; i < colors.size(); i++) {
            Format format = colors.get(i);
            FormatSupport support = formats.apply(format);
            require(
                    support.colorAttachment(),
                    where + " has colour attachment " + i + " of format " + format
                            + ", which the device cannot draw to");
            require(
                    !description.blends().get(i).enabled() || support.blend(),
                    where + " blends colour attachment " + i + " of format " + format + ", which the device cannot");
            allowed &= support.sampleCounts();
        }
        Format depth = description.depthFormat() != null ? description.depthFormat() : description.stencilFormat();
        if (depth != null) {
            FormatSupport support = formats.apply(depth);
            require(
                    support.depthAttachment(),
                    where + " has a depth or stencil attachment of format " + depth
                            + ", which the device cannot draw to");
            allowed &= support.sampleCounts();
        }
        int samples = description.multisample().samples();
        require(
                samples == 1 || allowed != -1,
                where + " has " + samples + " samples but no attachments; a render pass without attachments has 1");
        require(
                (samples & allowed) != 0,
                where + " has " + samples + " samples, the device allows those of the mask 0x"
                        + Integer.toHexString(allowed));
    }

    private void vertices(String where, List<VertexBuffer> buffers) {
        int most = Math.min(drawing.maxVertexBindings(), MOST_VERTEX_BINDINGS);
        require(
                buffers.size() <= most,
                where + " has " + buffers.size() + " vertex buffers, the device allows " + most
                        + "; put more attributes into one");
        for (VertexBuffer buffer : buffers) {
            require(
                    buffer.stride() >= 0 && buffer.stride() <= pipelines.maxVertexStride(),
                    where + " has vertices " + buffer.stride() + " bytes apart, the device allows 0 to "
                            + pipelines.maxVertexStride());
            for (VertexAttribute attribute : buffer.attributes()) {
                attribute(where, attribute);
                int alignment = VertexAlignment.of(attribute.format());
                require(
                        buffer.stride() % alignment == 0,
                        where + " has vertices " + buffer.stride() + " bytes apart, of which attribute "
                                + attribute.location() + " of format " + attribute.format()
                                + " needs a multiple of " + alignment);
                require(
                        attribute.offset() % alignment == 0,
                        where + " has vertex attribute " + attribute.location() + " of format " + attribute.format()
                                + " at byte " + attribute.offset() + ", it needs a multiple of " + alignment);
            }
        }
    }

    private void attribute(String where, VertexAttribute attribute) {
        require(
                attribute.location() >= 0 && attribute.location() < pipelines.maxVertexAttributes(),
                where + " has a vertex attribute at location " + attribute.location() + ", the device allows 0 to "
                        + (pipelines.maxVertexAttributes() - 1));
        require(
                formats.apply(attribute.format()).vertices(),
                where + " has a vertex attribute of format " + attribute.format() + " at location "
                        + attribute.location() + ", which the device cannot read from vertices");
        require(
                attribute.offset() >= 0 && attribute.offset() <= pipelines.maxVertexOffset(),
                where + " has a vertex attribute at byte " + attribute.offset() + ", the device allows 0 to "
                        + pipelines.maxVertexOffset());
    }

    static void require(boolean allowed, String words) {
        if (!allowed) {
            throw new IllegalArgumentException(words);
        }
    }
}
