package io.frameloom.stress.gpu;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.SubresourceRange;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Random passes, each recorded and done to the words that resources should have. One thread. */
final class SoakWork {
    private final GpuDevice device;
    private final SoakStock stock;
    private final SplittableRandom random;
    /** One for all: those that have grown old are freed by full collections alone, so many would look like a leak. */
    private final ByteBuffer push = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());

    private long readbacks;

    /**
     * Words that a readback should give.
     *
     * @param source what was read
     * @param buffer where to
     * @param words what it should be
     */
    record Expected(String source, Buffer buffer, int[] words) {
        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    SoakWork(GpuDevice device, SoakStock stock, SplittableRandom random) {
        this.device = device;
        this.stock = stock;
        this.random = random;
    }

    /** Records a random pass, or nothing if there is nothing for it. */
    void pass(
            SoakList list,
            FrameContext context,
            SoakPipelines pipelines,
            Consumer<Expected> expected,
            Consumer<AutoCloseable> later) {
        switch (random.nextInt(8)) {
            case 0, 1 -> fill(list);
            case 2 -> upload(list, context);
            case 3 -> copy(list);
            case 4 -> add(list, pipelines, later);
            case 5 -> clear(list);
            case 6 -> paint(list, pipelines);
            default -> readBack(list, expected);
        }
    }

    private void fill(SoakList list) {
        SoakResource target = stock.any(SoakResource::isBuffer);
        if (target == null) {
            return;
        }
        int from = target.hasContents() ? random.nextInt(target.words().length) : 0;
        int count = target.hasContents() ? 1 + random.nextInt(target.words().length - from) : target.words().length;
        int word = random.nextInt();
        list.pass(
                "fill",
                List.of(SoakList.buffer(target, 4L * from, 4L * count, Access.COPY_DST)),
                List.of(),
                () -> list.commands().fillBuffer(target.buffer(), 4L * from, 4L * count, word));
        Arrays.fill(target.words(), from, from + count, word);
    }

    private void upload(SoakList list, FrameContext context) {
        SoakResource target = stock.any(resource -> true);
        if (target == null) {
            return;
        }
        int mip = target.isBuffer()
                ? 0
                : random.nextInt(target.texture().description().mips());
        boolean partOfTexture =
                !target.isBuffer() && target.texture().description().mips() > 1;
        if (partOfTexture && !target.hasContents()) {
            return;
        }
        int first = target.isBuffer() ? 0 : target.mipStart(mip);
        int count = target.isBuffer() ? target.words().length : target.mipWords(mip);
        BufferSlice slice = context.allocateUpload(4L * count, 4);
        for (int i = 0; i < count; i++) {
            int word = random.nextInt();
            slice.data().putInt(4 * i, word);
            target.words()[first + i] = word;
        }
        if (!partOfTexture) {
            target.known(true);
        }
        List<ResourceUse> source = List.of(
                new ResourceUse.OfBuffer(slice.buffer(), slice.offset(), slice.bytes(), Access.COPY_SRC, false));
        SoakList.Touch touch = target.isBuffer()
                ? SoakList.buffer(target, 0, 4L * count, Access.COPY_DST)
                : SoakList.texture(target, mip, 1, Access.COPY_DST);
        list.pass("upload", List.of(touch), source, () -> {
            if (target.isBuffer()) {
                list.commands().copyBuffer(slice.buffer(), slice.offset(), target.buffer(), 0, 4L * count);
            } else {
                list.commands().copyBufferToTexture(slice.buffer(), slice.offset(), target.texture(), mip, 0);
            }
        });
    }

    private void copy(SoakList list) {
        SoakResource source = stock.any(resource -> resource.isBuffer() && resource.hasContents());
        if (source == null) {
            return;
        }
        SoakResource target = stock.any(resource -> resource.isBuffer()
                && !resource.memory().equals(source.memory())
                && (resource.hasContents() || resource.words().length <= source.words().length));
        if (target == null) {
            return;
        }
        int count = Math.min(source.words().length, target.words().length);
        list.pass(
                "copy",
                List.of(
                        SoakList.buffer(source, 0, 4L * count, Access.COPY_SRC),
                        SoakList.buffer(target, 0, 4L * count, Access.COPY_DST)),
                List.of(),
                () -> list.commands().copyBuffer(source.buffer(), 0, target.buffer(), 0, 4L * count));
        System.arraycopy(source.words(), 0, target.words(), 0, count);
    }

    private void add(SoakList list, SoakPipelines pipelines, Consumer<AutoCloseable> later) {
        SoakResource source = stock.any(resource -> resource.isBuffer() && resource.hasContents());
        if (source == null || !list.queue().kind().supports(QueueKind.COMPUTE)) {
            return;
        }
        SoakResource target = stock.any(resource -> resource.isBuffer()
                && resource.hasContents()
                && !resource.memory().equals(source.memory()));
        if (target == null) {
            return;
        }
        int count = Math.min(source.words().length, target.words().length);
        int factor = random.nextInt();
        push.clear().putInt(factor).flip();
        list.pass(
                "add",
                List.of(
                        SoakList.buffer(source, 0, 4L * count, Access.STORAGE_READ_COMPUTE),
                        SoakList.buffer(target, 0, 4L * count, Access.STORAGE_READ_WRITE_COMPUTE)),
                List.of(),
                () -> {
                    CommandList commands = list.commands();
                    commands.bindPipeline(pipelines.add());
                    if (list.bindsSets()) {
                        BindingSet set = device.createBindingSet(
                                "operands",
                                pipelines.add(),
                                0,
                                Map.of(
                                        "Source", new BoundResource.BufferRange(source.buffer(), 0, 4L * count),
                                        "Target", new BoundResource.BufferRange(target.buffer(), 0, 4L * count)));
                        later.accept(set);
                        commands.bindSet(set);
                    } else {
                        commands.bindBuffer("Source", source.buffer(), 0, 4L * count);
                        commands.bindBuffer("Target", target.buffer(), 0, 4L * count);
                    }
                    commands.pushConstants(push);
                    commands.dispatch(count / SoakPipelines.GROUP, 1, 1);
                });
        for (int i = 0; i < count; i++) {
            target.words()[i] = SoakPipelines.added(target.words()[i], source.words()[i], factor);
        }
    }

    private void clear(SoakList list) {
        SoakResource target = stock.any(resource -> !resource.isBuffer());
        if (target == null || !list.queue().kind().supports(QueueKind.COMPUTE)) {
            return;
        }
        RenderingInfo.ClearColor color = color();
        int mips = target.texture().description().mips();
        list.pass(
                "clear",
                List.of(SoakList.texture(target, 0, mips, Access.COPY_DST)),
                List.of(),
                () -> list.commands()
                        .clearTexture(
                                target.texture(),
                                SubresourceRange.all(target.texture().description()),
                                color));
        Arrays.fill(target.words(), word(color));
        target.known(true);
    }

    private void paint(SoakList list, SoakPipelines pipelines) {
        SoakResource target = stock.any(resource -> !resource.isBuffer() && resource.hasContents());
        if (target == null || !list.queue().kind().supports(QueueKind.GRAPHICS)) {
            return;
        }
        RenderingInfo.ClearColor color = color();
        push.clear()
                .putFloat((float) color.red())
                .putFloat((float) color.green())
                .putFloat((float) color.blue())
                .putFloat((float) color.alpha());
        push.flip();
        int width = target.texture().description().width();
        int height = target.texture().description().height();
        list.pass("paint", List.of(SoakList.texture(target, 0, 1, Access.COLOR_WRITE)), List.of(), () -> {
            CommandList commands = list.commands();
            commands.beginRendering(new RenderingInfo(
                    width,
                    height,
                    List.of(new RenderingInfo.ColorAttachment(
                            target.texture().view(SubresourceRange.mip(0)),
                            LoadOp.CLEAR,
                            StoreOp.STORE,
                            RenderingInfo.ClearColor.BLACK_TRANSPARENT)),
                    null));
            commands.bindPipeline(pipelines.paint());
            commands.pushConstants(push);
            commands.draw(3, 1, 0, 0);
            commands.endRendering();
        });
        Arrays.fill(target.words(), 0, width * height, word(color));
        if (!device.capabilities().renders()) {
            target.known(false);
        }
    }

    private void readBack(SoakList list, Consumer<Expected> expected) {
        SoakResource source = stock.any(SoakResource::hasContents);
        if (source == null) {
            return;
        }
        int mip = source.isBuffer()
                ? 0
                : random.nextInt(source.texture().description().mips());
        int first = source.isBuffer() ? 0 : source.mipStart(mip);
        int count = source.isBuffer() ? source.words().length : source.mipWords(mip);
        Buffer result = device.createBuffer("readback " + readbacks++, BufferDescription.readback(4L * count));
        ResourceUse into = new ResourceUse.OfBuffer(result, 0, 4L * count, Access.COPY_DST, true);
        SoakList.Touch touch = source.isBuffer()
                ? SoakList.buffer(source, 0, 4L * count, Access.COPY_SRC)
                : SoakList.texture(source, mip, 1, Access.COPY_SRC);
        list.pass("read back", List.of(touch), List.of(into), () -> {
            if (source.isBuffer()) {
                list.commands().copyBuffer(source.buffer(), 0, result, 0, 4L * count);
            } else {
                list.commands().copyTextureToBuffer(source.texture(), mip, 0, result, 0);
            }
        });
        list.commands()
                .barrier(new BarrierBatch(
                        List.of(),
                        List.of(),
                        List.of(new BarrierBatch.GlobalBarrier(new BarrierBatch.Scope(
                                PipelineStage.COPY.bit(),
                                MemoryAccess.COPY_WRITE.bit(),
                                PipelineStage.HOST.bit(),
                                MemoryAccess.HOST_READ.bit())))));
        list.pass(
                "host",
                List.of(),
                List.of(new ResourceUse.OfBuffer(result, 0, 4L * count, Access.HOST_READ, false)),
                () -> {});
        int[] words = source.isKnown() ? Arrays.copyOfRange(source.words(), first, first + count) : new int[0];
        expected.accept(new Expected(source.resource().name(), result, words));
    }

    private RenderingInfo.ClearColor color() {
        return new RenderingInfo.ClearColor(random.nextInt(2), random.nextInt(2), random.nextInt(2), random.nextInt(2));
    }

    private static int word(RenderingInfo.ClearColor color) {
        return (int) color.red() * 0xff
                | (int) color.green() * 0xff00
                | (int) color.blue() * 0xff0000
                | (int) color.alpha() * 0xff000000;
    }
}
