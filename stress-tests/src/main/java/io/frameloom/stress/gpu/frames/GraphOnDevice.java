package io.frameloom.stress.gpu.frames;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.stress.gpu.frames.GraphShape.Box;
import io.frameloom.stress.gpu.frames.GraphShape.Chunks;
import io.frameloom.stress.gpu.frames.GraphShape.Place;
import io.frameloom.stress.gpu.frames.GraphShape.Step;
import io.frameloom.stress.gpu.frames.GraphShape.Texels;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Declares one frame of a shape as a render graph. One thread. */
final class GraphOnDevice {
    private static final int BYTE = 0xff;
    private static final int SHORT = 0xffff;
    private static final long INT = 0xffff_ffffL;

    private final RenderGraph graph;
    private final GraphShape shape;
    private final int frame;
    private final FrameKernels kernels;
    private final GraphHandles handles;
    private final List<RdgReadback> readbacks = new ArrayList<>();
    /** One for all passes: those that have grown old are freed by full collections alone, many look like a leak. */
    private final ByteBuffer pushes;

    GraphOnDevice(
            RenderGraph graph,
            GraphShape shape,
            int frame,
            KeptResources kept,
            FrameKernels kernels,
            boolean texturesApart) {
        this.graph = graph;
        this.shape = shape;
        this.frame = frame;
        this.kernels = kernels;
        this.handles = new GraphHandles(graph, shape, kept, texturesApart);
        this.pushes = ByteBuffer.allocateDirect(
                FrameKernels.PUSH * Math.max(1, shape.steps().size()));
    }

    /** Declares all passes. */
    void declare() {
        handles.declareHistory();
        for (int i = 0; i < shape.steps().size(); i++) {
            declare(i, shape.steps().get(i));
        }
    }

    /** Returns what each {@link GraphShape.ReadBack} gives, in order. */
    List<RdgReadback> readbacks() {
        return readbacks;
    }

    /** Takes notice of the layouts in which the compiled graph leaves what frames share. */
    void compiled(FramePlan plan) {
        handles.compiled(plan);
    }

    private void declare(int index, Step step) {
        GraphShape.Work work = step.work();
        if (work instanceof GraphShape.Fill fill) {
            fill(pass(index, "fill", step), fill);
        } else if (work instanceof GraphShape.CopyChunks copy) {
            copy(pass(index, "copy", step), copy);
        } else if (work instanceof GraphShape.Mix mix) {
            mix(pass(index, mix.adds() ? "add" : "mix", step), mix, push(index, mix.word(), 0));
        } else if (work instanceof GraphShape.Paint paint) {
            paint(
                    pass(index, "paint", step),
                    paint,
                    push(index, paint.word(), paint.target().width()));
        } else if (work instanceof GraphShape.Gather gather) {
            gather(
                    pass(index, "gather", step),
                    gather,
                    push(index, gather.word(), gather.source().width()));
        } else if (work instanceof GraphShape.Upload upload) {
            upload(pass(index, "upload", step), upload);
        } else if (work instanceof GraphShape.Download download) {
            download(pass(index, "download", step), download);
        } else if (work instanceof GraphShape.CopyTexels copy) {
            copy(pass(index, "copy texels", step), copy);
        } else if (work instanceof GraphShape.Clear clear) {
            clear(pass(index, "clear", step), clear);
        } else if (work instanceof GraphShape.Render render) {
            RdgTexture target = texture(render.target().resource());
            LoadOp load = render.clears() ? LoadOp.CLEAR : LoadOp.LOAD;
            PassBuilder pass = pass(index, "render", step)
                    .color(target, render.target().mip(), render.target().layer(), load, color(target, render.word()));
            rectangle(pass, target, render.rectangle(), render.second());
        } else if (work instanceof GraphShape.Resolve resolve) {
            RdgTexture target = texture(resolve.target().resource());
            RdgTexture samples = graph.createTexture(
                    index + " samples",
                    TextureDescription.of(
                                    resolve.target().width(),
                                    resolve.target().height(),
                                    target.description().format(),
                                    TextureUsage.COLOR_ATTACHMENT)
                            .withSamples(resolve.samples()));
            handles.apart(samples);
            PassBuilder pass = pass(index, "resolve", step)
                    .color(samples, LoadOp.CLEAR, color(target, resolve.word()))
                    .resolve(target);
            rectangle(pass, target, resolve.rectangle(), resolve.second());
        } else if (work instanceof GraphShape.ReadBack back) {
            readBack(pass(index, "read back", step), back.resource());
        }
    }

    private PassBuilder pass(int index, String name, Step step) {
        PassBuilder pass = graph.addPass(index + " " + name, step.work().kind());
        Place place = step.place();
        if (place.queue() >= 0) {
            pass.onQueue(place.queue());
        }
        if (place.asyncCompute()) {
            pass.flag(PassFlag.ASYNC_COMPUTE);
        }
        if (place.asyncCopy()) {
            pass.flag(PassFlag.ASYNC_COPY);
        }
        return pass;
    }

    private ByteBuffer push(int index, int word, int width) {
        ByteBuffer push =
                pushes.slice(FrameKernels.PUSH * index, FrameKernels.PUSH).order(ByteOrder.nativeOrder());
        return push.putInt(0, GraphShape.number(word, frame)).putInt(4, width);
    }

    private void fill(PassBuilder pass, GraphShape.Fill fill) {
        Chunks target = fill.target();
        RdgBuffer buffer = buffer(target.resource());
        int word = GraphShape.number(fill.word(), frame);
        pass.overwrites(buffer, target.offset(), target.bytes(), Access.COPY_DST)
                .record(context ->
                        context.commands().fillBuffer(context.buffer(buffer), target.offset(), target.bytes(), word));
    }

    private void copy(PassBuilder pass, GraphShape.CopyChunks copy) {
        Chunks from = copy.source();
        Chunks to = copy.target();
        RdgBuffer source = buffer(from.resource());
        RdgBuffer target = buffer(to.resource());
        pass.reads(source, from.offset(), from.bytes(), Access.COPY_SRC)
                .overwrites(target, to.offset(), to.bytes(), Access.COPY_DST)
                .record(context -> context.commands()
                        .copyBuffer(
                                context.buffer(source),
                                from.offset(),
                                context.buffer(target),
                                to.offset(),
                                to.bytes()));
    }

    private void mix(PassBuilder pass, GraphShape.Mix mix, ByteBuffer push) {
        RdgBuffer first = buffer(mix.first().resource());
        RdgBuffer second = buffer(mix.second().resource());
        RdgBuffer target = buffer(mix.target().resource());
        long offset = mix.target().offset();
        long bytes = mix.target().bytes();
        pass.reads(first, mix.first().offset(), mix.first().bytes(), Access.STORAGE_READ_COMPUTE);
        if (!mix.first().equals(mix.second())) {
            pass.reads(second, mix.second().offset(), mix.second().bytes(), Access.STORAGE_READ_COMPUTE);
        }
        if (mix.adds()) {
            pass.writes(target, offset, bytes, Access.STORAGE_READ_WRITE_COMPUTE);
        } else {
            pass.overwrites(target, offset, bytes, Access.STORAGE_WRITE_COMPUTE);
        }
        pass.record(context -> kernels.mix(
                context.commands(),
                mix.adds(),
                context.buffer(first),
                mix.first(),
                context.buffer(second),
                mix.second(),
                context.buffer(target),
                mix.target(),
                push));
    }

    private void paint(PassBuilder pass, GraphShape.Paint paint, ByteBuffer push) {
        Chunks from = paint.source();
        RdgBuffer source = buffer(from.resource());
        RdgTexture target = texture(paint.target().resource());
        SubresourceRange range = range(paint.target());
        pass.reads(source, from.offset(), from.bytes(), Access.STORAGE_READ_COMPUTE)
                .overwrites(target, range, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> kernels.paint(
                        context.commands(),
                        context.buffer(source),
                        from,
                        context.view(target, range),
                        paint.target(),
                        push));
    }

    private void gather(PassBuilder pass, GraphShape.Gather gather, ByteBuffer push) {
        Chunks to = gather.target();
        RdgTexture source = texture(gather.source().resource());
        RdgBuffer target = buffer(to.resource());
        SubresourceRange range = range(gather.source());
        pass.reads(source, range, Access.STORAGE_READ_COMPUTE)
                .overwrites(target, to.offset(), 4L * gather.source().texels(), Access.STORAGE_WRITE_COMPUTE)
                .record(context -> kernels.gather(
                        context.commands(),
                        context.view(source, range),
                        gather.source(),
                        context.buffer(target),
                        to,
                        push));
    }

    private void upload(PassBuilder pass, GraphShape.Upload upload) {
        RdgBuffer source = buffer(upload.source().resource());
        RdgTexture target = texture(upload.target().resource());
        TextureRegion region = region(upload.target());
        TexelLayout layout = TexelLayout.tight(upload.source().offset());
        long bytes = layout.totalBytes(target.description().format(), region);
        pass.reads(source, upload.source().offset(), bytes, Access.COPY_SRC);
        write(pass, target, upload.target());
        pass.record(context -> context.commands()
                .copyBufferToTexture(context.buffer(source), layout, context.texture(target), region));
    }

    private void download(PassBuilder pass, GraphShape.Download download) {
        RdgTexture source = texture(download.source().resource());
        RdgBuffer target = buffer(download.target().resource());
        TextureRegion region = region(download.source());
        TexelLayout layout = TexelLayout.tight(download.target().offset());
        long bytes = layout.totalBytes(source.description().format(), region);
        pass.reads(source, range(download.source()), Access.COPY_SRC)
                .overwrites(target, download.target().offset(), bytes, Access.COPY_DST)
                .record(context -> context.commands()
                        .copyTextureToBuffer(context.texture(source), region, context.buffer(target), layout));
    }

    private void copy(PassBuilder pass, GraphShape.CopyTexels copy) {
        RdgTexture source = texture(copy.source().resource());
        RdgTexture target = texture(copy.target().resource());
        TextureRegion from = region(copy.source());
        TextureRegion to = region(copy.target());
        pass.reads(source, range(copy.source()), Access.COPY_SRC);
        write(pass, target, copy.target());
        pass.record(
                context -> context.commands().copyTexture(context.texture(source), from, context.texture(target), to));
    }

    private void clear(PassBuilder pass, GraphShape.Clear clear) {
        RdgTexture target = texture(clear.resource());
        SubresourceRange range = new SubresourceRange(
                clear.mip(), clear.mips(), 0, target.description().layers(), 0, 1);
        ClearColor color = color(target, GraphShape.number(clear.word(), frame));
        pass.overwrites(target, range, Access.COPY_DST)
                .record(context -> context.commands().clearTexture(context.texture(target), range, color));
    }

    private void rectangle(PassBuilder pass, RdgTexture target, Box box, int word) {
        ClearColor color = color(target, GraphShape.number(word, frame));
        pass.record(context ->
                context.commands().clearColorAttachment(0, color, box.x(), box.y(), box.width(), box.height()));
    }

    private void readBack(PassBuilder pass, int resource) {
        pass.flag(PassFlag.READBACK);
        if (shape.resources().get(resource) instanceof Texels texels) {
            RdgTexture source = texture(resource);
            TextureDescription description = source.description();
            List<TextureRegion> regions = new ArrayList<>();
            List<TexelLayout> layouts = new ArrayList<>();
            long bytes = 0;
            for (int mip = 0; mip < texels.mips(); mip++) {
                TextureRegion region = TextureRegion.mip(description, mip);
                regions.add(region);
                layouts.add(TexelLayout.tight(bytes));
                bytes += TexelLayout.tight(0).totalBytes(description.format(), region);
            }
            RdgBuffer staging = staging(texels.name(), bytes);
            pass.reads(source, Access.COPY_SRC)
                    .overwrites(staging, Access.COPY_DST)
                    .record(context -> {
                        for (int mip = 0; mip < regions.size(); mip++) {
                            context.commands()
                                    .copyTextureToBuffer(
                                            context.texture(source),
                                            regions.get(mip),
                                            context.buffer(staging),
                                            layouts.get(mip));
                        }
                    });
        } else {
            RdgBuffer source = buffer(resource);
            long bytes = source.description().bytes();
            RdgBuffer staging = staging(source.name(), bytes);
            pass.reads(source, Access.COPY_SRC)
                    .overwrites(staging, Access.COPY_DST)
                    .record(context -> context.commands()
                            .copyBuffer(context.buffer(source), 0, context.buffer(staging), 0, bytes));
        }
    }

    private RdgBuffer staging(String of, long bytes) {
        RdgBuffer staging = graph.createBuffer("staging of " + of, BufferDescription.readback(bytes));
        readbacks.add(graph.readBack(staging));
        return staging;
    }

    private void write(PassBuilder pass, RdgTexture target, Box box) {
        if (box.isWhole((Texels) shape.resources().get(box.resource()))) {
            pass.overwrites(target, range(box), Access.COPY_DST);
        } else {
            pass.writes(target, range(box), Access.COPY_DST);
        }
    }

    private static SubresourceRange range(Box box) {
        return new SubresourceRange(box.mip(), 1, box.layer(), box.layers(), 0, 1);
    }

    private static TextureRegion region(Box box) {
        return new TextureRegion(
                box.mip(), box.layer(), box.layers(), 0, box.x(), box.y(), 0, box.width(), box.height(), 1);
    }

    /** Returns the colour that leaves the bytes of {@link HostModel#texel}. */
    private static ClearColor color(RdgTexture texture, int word) {
        Format format = texture.description().format();
        return switch (format) {
            case R16_UINT -> new ClearColor(word & SHORT, 0, 0, 0);
            case R32G32_UINT -> new ClearColor(word & INT, ~word & INT, 0, 0);
            case R8G8B8A8_UNORM -> new ClearColor(word & 1, word >> 1 & 1, word >> 2 & 1, word >> 3 & 1);
            case R8G8B8A8_UINT -> new ClearColor(word & BYTE, word >> 8 & BYTE, word >> 16 & BYTE, word >> 24 & BYTE);
            default -> new ClearColor(word & INT, 0, 0, 0);
        };
    }

    private RdgBuffer buffer(int index) {
        return handles.buffer(index);
    }

    private RdgTexture texture(int index) {
        return handles.texture(index);
    }
}
