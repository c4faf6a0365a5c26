package io.frameloom.rdg;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.AccelerationStructureBuild;
import io.frameloom.gpu.command.AccelerationStructureBuild.Input;
import io.frameloom.gpu.command.AccelerationStructureDescription;
import io.frameloom.gpu.command.AccelerationStructureDescription.Flag;
import io.frameloom.gpu.command.AccelerationStructureDescription.Triangles;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureView;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Commands that do what a pass of a model declares: what is written follows from the pass and from all that it reads.
 *
 * <p>Writes of one overlap group go to a unit each, so that they have one result in any order.
 */
final class ModelCommands {
    /** Bytes of {@link Device#paint}. */
    static final int PAINT = 4096;

    private static final int PATCH = 2;
    private static final int INSTANCE = 16;
    private static final int TEXEL = 4;

    private final Device device;
    private final GraphModel model;
    private final boolean draws;

    /**
     * What commands need besides the memory of the model.
     *
     * @param pipelines pipelines
     * @param paint bytes to begin with
     */
    record Device(GpuDevice gpu, ModelPipelines pipelines, Buffer paint) {
        /** Returns a build of a structure, of some paint if there is no other input. */
        AccelerationStructureBuild build(
                GraphModel.Res res,
                AccelerationStructure structure,
                Buffer scratch,
                @Nullable Input vertices,
                List<AccelerationStructure> bottoms) {
            long at = ModelCommands.paint(res.name().hashCode()) / INSTANCE * INSTANCE;
            Input input = res.role() == GraphModel.Role.TOP_LEVEL
                    ? Input.instances(paint, at, bottoms)
                    : vertices == null ? Input.at(paint, at) : vertices;
            return new AccelerationStructureBuild(structure, description(res), input, scratch);
        }
    }

    /** The memory of one frame. */
    interface Memory {
        Texture texture(int resource);

        Buffer buffer(int resource);
    }

    /**
     * Commands of the passes of a model.
     *
     * @param draws whether raster passes draw; they clear rectangles otherwise, the results of which do not depend on how
     *     passes share render passes
     */
    ModelCommands(Device device, GraphModel model, boolean draws) {
        this.device = device;
        this.model = model;
        this.draws = draws;
    }

    /** Returns what a structure is built of. */
    static AccelerationStructureDescription description(GraphModel.Res res) {
        return res.role() == GraphModel.Role.TOP_LEVEL
                ? AccelerationStructureDescription.of(1, Flag.UPDATABLE)
                : AccelerationStructureDescription.of(
                        new Triangles(Format.R32G32B32_SFLOAT, 12, 3, null, 1, true), Flag.UPDATABLE);
    }

    /** Records the commands of a pass; the render pass of one with targets has begun. */
    void record(int pass, CommandList list, Memory memory) {
        GraphModel.Pass of = model.passes().get(pass);
        if (of.builtin()) {
            of.uses().forEach(use -> fresh(list, memory, use));
        } else if (of.hasTargets()) {
            raster(of, list, rendering(of, memory));
        } else {
            switch (of.kind()) {
                case RASTER -> {
                    RenderingInfo planes = planes(of, memory);
                    if (planes != null) {
                        list.beginRendering(planes);
                        raster(of, list, planes);
                        list.endRendering();
                    }
                }
                case COMPUTE -> compute(pass, list, memory);
                case COPY -> copies(of, list, memory);
                case HOST -> throw new IllegalArgumentException(of + " runs on the host and records nothing");
            }
        }
    }

    /** What a history begins with. */
    private void fresh(CommandList list, Memory memory, GraphModel.Use use) {
        if (model.resources().get(use.resource()).texture()) {
            list.clearTexture(memory.texture(use.resource()), use.range(), ClearColor.BLACK_TRANSPARENT);
        } else {
            list.fillBuffer(memory.buffer(use.resource()), 0, use.mips() * (long) GraphModel.UNIT_BYTES, 0);
        }
    }

    /** Returns the render pass of a pass with targets, as declared. */
    RenderingInfo rendering(GraphModel.Pass pass, Memory memory) {
        List<RenderingInfo.ColorAttachment> colors = new ArrayList<>();
        RenderingInfo.DepthAttachment depth = null;
        int extent = 0;
        for (GraphModel.Use use : pass.uses()) {
            LoadOp declared = use.attachment();
            if (declared == null) {
                continue;
            }
            LoadOp load = pass.condition() == null || declared == LoadOp.LOAD ? declared : LoadOp.DONT_CARE;
            Texture texture = memory.texture(use.resource());
            extent = texture.description().width(use.mip());
            TextureView view = texture.view(use.range());
            if (model.resources().get(use.resource()).depth()) {
                boolean reads = !use.access().writes();
                depth = new RenderingInfo.DepthAttachment(view, load, StoreOp.STORE, 1, reads);
            } else {
                colors.add(new RenderingInfo.ColorAttachment(view, load, StoreOp.STORE, ClearColor.BLACK_TRANSPARENT));
            }
        }
        int[] area = pass.area(extent);
        return new RenderingInfo(extent, extent, colors, depth).withRenderArea(area[0], area[1], area[2], area[3]);
    }

    /** Returns the render pass with what its colours are resolved to. */
    RenderingInfo resolved(GraphModel.Pass pass, RenderingInfo info, Memory memory) {
        List<RenderingInfo.ColorAttachment> colors = new ArrayList<>(info.colors());
        int slot = -1;
        for (GraphModel.Use use : pass.uses()) {
            if (use.isResolve()) {
                RenderingInfo.ColorAttachment color = colors.get(slot);
                TextureView target = memory.texture(use.resource()).view(use.range());
                colors.set(
                        slot,
                        new RenderingInfo.ColorAttachment(
                                color.view(), color.load(), color.store(), color.clear(), target));
            } else if (use.attachment() != null
                    && !model.resources().get(use.resource()).depth()) {
                slot++;
            }
        }
        return new RenderingInfo(info.width(), info.height(), colors, info.depth())
                .withRenderArea(info.x(), info.y(), info.width(), info.height())
                .withStencil(info.stencil());
    }

    /** Records what a pass that may be left out clears, which is not part of its render pass. */
    void clears(GraphModel.Pass pass, CommandList list, RenderingInfo info) {
        int slot = 0;
        for (GraphModel.Use use : pass.uses()) {
            if (use.attachment() == null) {
                continue;
            }
            boolean depth = model.resources().get(use.resource()).depth();
            if (use.attachment() == LoadOp.CLEAR && depth) {
                list.clearDepthStencilAttachment(true, 1, false, 0, info.x(), info.y(), info.width(), info.height());
            } else if (use.attachment() == LoadOp.CLEAR) {
                list.clearColorAttachment(
                        slot, ClearColor.BLACK_TRANSPARENT, info.x(), info.y(), info.width(), info.height());
            }
            slot += depth ? 0 : 1;
        }
    }

    private @Nullable RenderingInfo planes(GraphModel.Pass pass, Memory memory) {
        RenderingInfo info = null;
        for (GraphModel.Use use : pass.uses()) {
            if (use.access().layout() != TextureLayout.DEPTH && !isReadPlane(use)) {
                continue;
            }
            Texture texture = memory.texture(use.resource());
            int extent = texture.description().width(use.mip());
            LoadOp load = use.discard() ? LoadOp.CLEAR : LoadOp.LOAD;
            boolean reads = !use.access().writes();
            RenderingInfo before = info == null ? new RenderingInfo(extent, extent, List.of(), null) : info;
            info = use.plane() == 1
                    ? before.withStencil(new RenderingInfo.StencilAttachment(
                            texture.view(use.range()), load, StoreOp.STORE, 3, reads))
                    : new RenderingInfo(
                                    extent,
                                    extent,
                                    List.of(),
                                    new RenderingInfo.DepthAttachment(
                                            texture.view(use.range()), load, StoreOp.STORE, 0.5f, reads))
                            .withStencil(before.stencil());
        }
        return info;
    }

    private static boolean isReadPlane(GraphModel.Use use) {
        return use.access() == Access.DEPTH_READ || use.access() == Access.STENCIL_READ;
    }

    private void raster(GraphModel.Pass pass, CommandList list, RenderingInfo info) {
        if (draws) {
            list.bindPipeline(device.pipelines.graphics(info.formats()));
            list.draw(3, 1, 0, 0);
            return;
        }
        Random random = new Random(pass.name().hashCode());
        boolean all = pass.uses().stream().anyMatch(use -> use.attachment() == LoadOp.DONT_CARE);
        int width = all ? info.width() : 1 + random.nextInt(info.width());
        int height = all ? info.height() : 1 + random.nextInt(info.height());
        int x = info.x() + random.nextInt(info.width() - width + 1);
        int y = info.y() + random.nextInt(info.height() - height + 1);
        for (int slot = 0; slot < info.colors().size(); slot++) {
            ClearColor color = new ClearColor(random.nextDouble(), random.nextDouble(), random.nextDouble(), 1);
            list.clearColorAttachment(slot, color, x, y, width, height);
        }
        RenderingInfo.DepthAttachment depthOf = info.depth();
        RenderingInfo.StencilAttachment stencilOf = info.stencil();
        boolean depth = depthOf != null && !depthOf.readOnly();
        boolean stencil = stencilOf != null && !stencilOf.readOnly();
        if (depth || stencil) {
            list.clearDepthStencilAttachment(
                    depth, random.nextFloat(), stencil, random.nextInt(256), x, y, width, height);
        }
    }

    private void compute(int index, CommandList list, Memory memory) {
        GraphModel.Pass pass = model.passes().get(index);
        int number = 0;
        for (GraphModel.Use use : pass.uses()) {
            GraphModel.Res res = model.resources().get(use.resource());
            if (res.isStructure()) {
                build(pass, use, list, memory);
            }
            if (res.isStructure() || !use.access().writes() || use.access() == Access.ACCELERATION_STRUCTURE_SCRATCH) {
                continue;
            }
            int turn = turn(index, use.resource());
            for (int unit = 0; unit < res.units(); unit++) {
                if (!use.covers(res, unit) || (use.group() >= 0 && unit != turn)) {
                    continue;
                }
                bind(list, memory, pass, res.texture(), number++);
                if (res.texture()) {
                    SubresourceRange at = new SubresourceRange(unit % res.mips(), 1, unit / res.mips(), 1, 0, 1);
                    list.bindStorageTexture(
                            "result", memory.texture(use.resource()).view(at));
                } else {
                    long offset = unit * (long) GraphModel.UNIT_BYTES;
                    list.bindBuffer("Result", memory.buffer(use.resource()), offset, GraphModel.UNIT_BYTES);
                }
                list.dispatch(1, 1, 1);
            }
        }
    }

    /** Builds or updates a structure that a pass writes if the pass has memory for that. */
    private void build(GraphModel.Pass pass, GraphModel.Use of, CommandList list, Memory memory) {
        Buffer scratch = null;
        Input vertices = null;
        List<AccelerationStructure> bottoms = new ArrayList<>();
        for (GraphModel.Use use : pass.uses()) {
            switch (use.access()) {
                case ACCELERATION_STRUCTURE_SCRATCH -> scratch = memory.buffer(use.resource());
                case ACCELERATION_STRUCTURE_INPUT ->
                    vertices = Input.at(memory.buffer(use.resource()), use.mip() * (long) GraphModel.UNIT_BYTES);
                case ACCELERATION_STRUCTURE_BUILD_READ -> bottoms.add(structure(memory, use));
                default -> {}
            }
        }
        if (scratch == null || !of.access().writes()) {
            return;
        }
        AccelerationStructure structure = structure(memory, of);
        AccelerationStructureBuild build =
                device.build(model.resources().get(of.resource()), structure, scratch, vertices, bottoms);
        list.buildAccelerationStructure(of.access().reads() ? build.updating(structure) : build);
    }

    private static AccelerationStructure structure(Memory memory, GraphModel.Use use) {
        return (AccelerationStructure) memory.buffer(use.resource());
    }

    /** Returns the unit of a resource that a pass writes in a group: as many passes come before it by name. */
    private int turn(int pass, int resource) {
        int turn = 0;
        for (GraphModel.Pass other : model.passes()) {
            boolean earlier = other.name().compareTo(model.passes().get(pass).name()) < 0;
            turn += earlier && other.uses().stream().anyMatch(use -> use.resource() == resource && use.group() >= 0)
                    ? 1
                    : 0;
        }
        return turn;
    }

    private void bind(CommandList list, Memory memory, GraphModel.Pass pass, boolean toImage, int number) {
        List<GraphModel.Use> buffers = new ArrayList<>();
        List<TextureView> textures = new ArrayList<>();
        List<TextureView> stencils = new ArrayList<>();
        List<TextureView> images = new ArrayList<>();
        AccelerationStructure scene = null;
        for (GraphModel.Use use : pass.uses()) {
            if (use.access() == Access.ACCELERATION_STRUCTURE_TRACE_COMPUTE
                    && model.resources().get(use.resource()).role() == GraphModel.Role.TOP_LEVEL) {
                scene = structure(memory, use);
            }
            if (use.access().writes()
                    || use.access() == Access.ACCELERATION_STRUCTURE_INPUT
                    || model.resources().get(use.resource()).isStructure()) {
                continue;
            }
            if (!model.resources().get(use.resource()).texture()) {
                buffers.add(use);
                continue;
            }
            Texture texture = memory.texture(use.resource());
            for (int layer = use.layer(); layer < use.layer() + use.layers(); layer++) {
                if (use.access() == Access.STORAGE_READ_COMPUTE) {
                    for (int mip = use.mip(); mip < use.mip() + use.mips(); mip++) {
                        images.add(texture.view(new SubresourceRange(mip, 1, layer, 1, use.plane(), 1)));
                    }
                } else {
                    (use.plane() == 1 ? stencils : textures)
                            .add(texture.view(new SubresourceRange(use.mip(), use.mips(), layer, 1, use.plane(), 1)));
                }
            }
        }
        list.bindPipeline(device.pipelines.compute(new ModelPipelines.Signature(
                !buffers.isEmpty(),
                !textures.isEmpty(),
                !stencils.isEmpty(),
                !images.isEmpty(),
                scene != null,
                toImage)));
        if (scene != null) {
            list.bindAccelerationStructure("scene", scene);
        }
        for (int i = 0; i < ModelPipelines.READS; i++) {
            if (!buffers.isEmpty()) {
                GraphModel.Use use = buffers.get(i % buffers.size());
                list.bindBuffer(
                        "Data",
                        i,
                        memory.buffer(use.resource()),
                        use.mip() * (long) GraphModel.UNIT_BYTES,
                        use.mips() * (long) GraphModel.UNIT_BYTES);
            }
            if (!textures.isEmpty()) {
                list.bindTexture(
                        "textures",
                        i,
                        textures.get(i % textures.size()),
                        device.gpu.sampler(SamplerDescription.NEAREST_CLAMP));
            }
            if (!stencils.isEmpty()) {
                list.bindTexture(
                        "stencils",
                        i,
                        stencils.get(i % stencils.size()),
                        device.gpu.sampler(SamplerDescription.NEAREST_CLAMP));
            }
            if (!images.isEmpty()) {
                list.bindStorageTexture("images", i, images.get(i % images.size()));
            }
        }
        ByteBuffer push = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder());
        push.putInt(0, number);
        list.pushConstants(push);
    }

    /** What is discarded is painted first; then a patch of each unit is taken from what the pass reads. */
    private void copies(GraphModel.Pass pass, CommandList list, Memory memory) {
        int number = pass.name().hashCode();
        for (GraphModel.Use use : pass.uses()) {
            if (!use.access().writes()) {
                continue;
            }
            if (use.access() == Access.HOST_WRITE) {
                ByteBuffer bytes = memory.buffer(use.resource()).mapped();
                for (int i = 0; i < bytes.remaining(); i++) {
                    bytes.put(bytes.position() + i, (byte) (number + i));
                }
                continue;
            }
            for (int mip = use.mip(); mip < use.mip() + use.mips(); mip++) {
                for (int layer = use.layer(); layer < use.layer() + use.layers(); layer++) {
                    for (int plane = use.plane(); plane < use.plane() + use.planes(); plane++) {
                        number = number * 31 + 7;
                        if (model.resources().get(use.resource()).texture()) {
                            toTexture(pass, use, new int[] {mip, layer, plane}, list, memory, number);
                        } else {
                            toBuffer(pass, use, mip, list, memory, number);
                        }
                    }
                }
            }
        }
    }

    private void toTexture(
            GraphModel.Pass pass, GraphModel.Use use, int[] at, CommandList list, Memory memory, int number) {
        Texture target = memory.texture(use.resource());
        TextureRegion whole = region(target, at[0], at[1], at[2]);
        if (use.discard()) {
            list.copyBufferToTexture(device.paint, TexelLayout.tight(paint(number)), target, whole);
        }
        TextureRegion patch = whole.withRectangle(0, 0, PATCH, PATCH);
        boolean any = false;
        for (GraphModel.Use read : pass.uses()) {
            if (read.access() != Access.COPY_SRC) {
                continue;
            }
            if (!model.resources().get(read.resource()).texture()) {
                long offset = read.mip() * (long) GraphModel.UNIT_BYTES;
                list.copyBufferToTexture(memory.buffer(read.resource()), TexelLayout.tight(offset), target, patch);
                any = true;
            } else if (memory.texture(read.resource()).description().format()
                            == target.description().format()
                    && read.plane() <= at[2]
                    && at[2] < read.plane() + read.planes()) {
                Texture source = memory.texture(read.resource());
                TextureRegion from = region(source, read.mip(), read.layer(), at[2]);
                list.copyTexture(source, from.withRectangle(0, 0, PATCH, PATCH), target, patch);
                any = true;
            }
        }
        if (!any && !use.discard()) {
            list.copyBufferToTexture(device.paint, TexelLayout.tight(paint(number)), target, patch);
        }
    }

    private void toBuffer(
            GraphModel.Pass pass, GraphModel.Use use, int unit, CommandList list, Memory memory, int number) {
        Buffer target = memory.buffer(use.resource());
        long offset = unit * (long) GraphModel.UNIT_BYTES;
        if (use.discard()) {
            list.copyBuffer(device.paint, paint(number), target, offset, GraphModel.UNIT_BYTES);
        } else {
            list.copyBuffer(device.paint, paint(number), target, offset, 16);
        }
        int slot = 1;
        for (GraphModel.Use read : pass.uses()) {
            if (read.access() != Access.COPY_SRC) {
                continue;
            }
            long to = offset + 16L * slot++;
            if (!model.resources().get(read.resource()).texture()) {
                list.copyBuffer(
                        memory.buffer(read.resource()), read.mip() * (long) GraphModel.UNIT_BYTES, target, to, 16);
            } else {
                Texture source = memory.texture(read.resource());
                TextureRegion from = region(source, read.mip(), read.layer(), read.plane());
                list.copyTextureToBuffer(source, from.withRectangle(0, 0, PATCH, PATCH), target, TexelLayout.tight(to));
            }
        }
    }

    /** Returns a mip of a layer and plane. */
    static TextureRegion region(Texture texture, int mip, int layer, int plane) {
        return TextureRegion.mip(texture.description(), mip)
                .withLayers(layer, 1)
                .withPlane(plane);
    }

    /** Returns where to begin in the paint, so that what is painted differs. */
    static long paint(int number) {
        return Math.floorMod(number, PAINT / 2 / TEXEL) * (long) TEXEL;
    }
}
