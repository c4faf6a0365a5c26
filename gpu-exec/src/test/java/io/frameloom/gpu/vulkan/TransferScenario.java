package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.PipelineLibrary;
import io.frameloom.gpu.PipelineRequest;
import io.frameloom.gpu.WhileCompiling;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.transfer.Readback;
import io.frameloom.gpu.transfer.Readbacks;
import io.frameloom.gpu.transfer.UploadBatch;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A program that streams: uploads through a ring that is too small for them, readbacks that are closed before and after they
 * arrive, and pipelines that are left out, stood in for and waited for while they are compiled.
 */
final class TransferScenario extends FaultProgram {
    private static final int RING = 2048;
    private static final int BYTES = 3 * RING;
    private static final int SIZE = 16;
    private static final int TEXELS = SIZE * SIZE * 4;

    private final DeviceOptions options;
    private final DeviceSeams seams;

    TransferScenario(DeviceOptions options, DeviceSeams seams) {
        this.options = options;
        this.seams = seams;
    }

    @Override
    void use() {
        VulkanDevice device = open(SeamedDevices.open("", options, seams));
        Buffer words = own(device.createBuffer(
                "words",
                BufferDescription.device(BYTES, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST)));
        transfer(device, words);
        compile(device, words);
    }

    private void transfer(VulkanDevice device, Buffer words) {
        Texture picture = own(device.createTexture(
                "picture",
                TextureDescription.of(
                        SIZE, SIZE, Format.R8G8B8A8_UNORM, TextureUsage.COPY_DST, TextureUsage.COPY_SRC)));
        Uploader uploader = own(new Uploader(device, "uploads", RING));
        Readbacks readbacks = own(new Readbacks(device, device.queues().get(0), "readbacks", 1 << 20));
        for (int round = 1; round <= 2; round++) {
            UploadBatch first = uploader.upload(words, 0, bytes(BYTES, round));
            UploadBatch second = uploader.upload(picture, 0, 0, bytes(TEXELS, -round), TextureLayout.TRANSFER_SRC);
            uploader.flush();
            expect(first.arrived());
            TimelinePoint uploaded = second.point();
            try (Readback ofWords = readbacks.read(words, 0, BYTES, first.point());
                    Readback ofTexels = readbacks.read(picture, 0, 0, TextureLayout.TRANSFER_SRC, uploaded)) {
                expect(ofTexels.event());
                await(ofWords.event());
                check(ofWords.bytes(), BYTES, round);
                await(ofTexels.event());
                check(ofTexels.bytes(), TEXELS, -round);
            }
            Readback unread = readbacks.read(words, 0, 64, uploaded);
            expect(unread.event());
            unread.close();
        }
        // What nobody waits for is submitted by closing.
        uploader.upload(words, 0, bytes(64, 3));
    }

    private static ByteBuffer bytes(int count, int value) {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        for (int i = 0; i < count; i++) {
            bytes.put((byte) (i * 7 + value));
        }
        return bytes.flip();
    }

    private static void check(ByteBuffer found, int count, int value) {
        if (!found.slice(0, count).equals(bytes(count, value))) {
            throw new AssertionError("other bytes were read back than uploaded");
        }
    }

    private static String writing(int value) {
        return "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer Result { uint result; };\n"
                + "void main() { result = " + value + "; }\n";
    }

    /** Holds the compilation until it is opened. */
    private static final class Gate implements AutoCloseable {
        private final CountDownLatch open = new CountDownLatch(1);

        String pass(String text) throws IOException {
            try {
                open.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            return text;
        }

        @Override
        public void close() {
            open.countDown();
        }
    }

    private void compile(VulkanDevice device, Buffer words) {
        GpuQueue queue = device.queues().get(0);
        ComputePipeline other = own(device.createComputePipeline(new ComputePipelineDescription(
                "other", new ShaderSource("other.comp", ShaderStage.COMPUTE, writing(3)), null)));
        PipelineLibrary library = own(new PipelineLibrary(device, options.taskGraph()));
        Readbacks readbacks = own(new Readbacks(device, queue, "results", 1 << 16));
        FrameContext frame = own(device.createFrameContext("frame"));
        Gate gate = own(new Gate());
        PipelineRequest<ComputePipeline> request = library.compile(new ComputePipelineDescription(
                "slow", ShaderSource.file("slow.comp", ShaderStage.COMPUTE, path -> gate.pass(writing(7))), null));
        expect(request.compiled());
        compute(queue, frame, readbacks, words, request, WhileCompiling.SKIP, 0);
        compute(queue, frame, readbacks, words, request, WhileCompiling.fallback(other), 3);
        gate.close();
        compute(queue, frame, readbacks, words, request, WhileCompiling.WAIT, 7);
        PipelineRequest<ComputePipeline> unbound = library.compile(new ComputePipelineDescription(
                "unbound", new ShaderSource("unbound.comp", ShaderStage.COMPUTE, writing(9)), null));
        await(unbound.compiled());
    }

    private void compute(
            GpuQueue queue,
            FrameContext frame,
            Readbacks readbacks,
            Buffer words,
            PipelineRequest<ComputePipeline> request,
            WhileCompiling policy,
            int expected) {
        CommandList list = frame.beginCommands(queue, "compute");
        list.barrier(new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL)));
        list.fillBuffer(words, 0, 4, 0);
        list.barrier(new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL)));
        if (request.bind(list, policy)) {
            list.bindBuffer("Result", words, 0, 4);
            list.dispatch(1, 1, 1);
        }
        list.end();
        TimelinePoint point = queue.submit(new Submission("compute", List.of(list), List.of()));
        expect(queue.timeline().reached(point.value()));
        try (Readback result = readbacks.read(words, 0, 4, point)) {
            await(result.event());
            int found = result.bytes().order(ByteOrder.nativeOrder()).getInt(0);
            if (found != expected) {
                throw new AssertionError("computed " + found + " instead of " + expected);
            }
        }
        await(point);
        frame.reset();
    }
}
