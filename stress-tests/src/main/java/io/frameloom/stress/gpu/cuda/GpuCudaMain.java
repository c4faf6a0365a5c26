package io.frameloom.stress.gpu.cuda;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.GlobalBarrier;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.vulkan.SharedMemory;
import io.frameloom.gpu.vulkan.SharedTimeline;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.stress.gpu.DeviceProgram;
import io.frameloom.taskgraph.TaskGraph;
import java.io.PrintStream;
import java.nio.IntBuffer;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.lwjgl.system.SharedLibrary;

/**
 * Lets CUDA and Vulkan work by turns on one buffer, with a timeline between them and without the host, and compares
 * every word.
 *
 * <pre>
 * GpuCudaMain [--device NAME]
 * </pre>
 *
 * <p>Exit code 0: all words are right. 1: one is not, or the work did not end within a minute. 2: the command line is
 * wrong, or there is no CUDA or no such device.
 */
public final class GpuCudaMain {
    private static final int WORDS = 1 << 16;
    private static final long BYTES = 4L * WORDS;
    private static final int ROUNDS = 20;
    private static final int BAD_INPUT = 2;
    private static final BufferDescription DATA =
            BufferDescription.device(BYTES, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);

    /** Each word x becomes 3x + 1. */
    private static final String PTX = """
            .version 6.3
            .target sm_75
            .address_size 64
            .visible .entry step(.param .u64 data, .param .u32 count)
            {
                .reg .pred %p;
                .reg .b32 %r<6>;
                .reg .b64 %d<3>;
                ld.param.u64 %d1, [data];
                ld.param.u32 %r1, [count];
                mov.u32 %r2, %ctaid.x;
                mov.u32 %r3, %ntid.x;
                mov.u32 %r4, %tid.x;
                mad.lo.s32 %r2, %r2, %r3, %r4;
                setp.ge.u32 %p, %r2, %r1;
                @%p bra done;
                cvta.to.global.u64 %d1, %d1;
                mul.wide.u32 %d2, %r2, 4;
                add.s64 %d2, %d1, %d2;
                ld.global.u32 %r5, [%d2];
                mad.lo.s32 %r5, %r5, 3, 1;
                st.global.u32 [%d2], %r5;
            done:
                ret;
            }
            """;

    private GpuCudaMain() {}

    /**
     * The program.
     *
     * @param arguments see the class
     */
    public static void main(String[] arguments) {
        boolean named = arguments.length == 2 && arguments[0].equals("--device");
        if (!named && arguments.length > 0) {
            System.err.println("frameloom stress: '" + String.join(" ", arguments)
                    + "' is not understood; usage: GpuCudaMain [--device NAME]");
            System.exit(BAD_INPUT);
        }
        String device = named ? arguments[1] : "";
        System.exit(DeviceProgram.run(
                System.getProperties(),
                () -> run(device, CudaDevice.load(CudaDevice.LIBRARY), System.out, GpuCudaMain::halt),
                System.err));
    }

    private static void halt(RuntimeException failure) {
        failure.printStackTrace();
        System.err.flush();
        Runtime.getRuntime().halt(1);
    }

    /**
     * Runs the turns, and returns whether all words are right.
     *
     * @param stuck takes a failure after which closing can wait for ever: Vulkan may wait for what CUDA never does
     */
    static boolean run(String name, SharedLibrary library, PrintStream out, Consumer<? super RuntimeException> stuck) {
        try (TaskGraph tasks = TaskGraph.builder().name("cuda").workers(1).build();
                VulkanDevice gpu = VulkanDevices.open(
                        name,
                        DeviceOptions.of(tasks, "cuda")
                                .require(Capability.EXTERNAL_MEMORY_FD, Capability.EXTERNAL_SEMAPHORE_FD));
                Buffer data = gpu.createSharedBuffer("data", DATA);
                SharedTimeline turns = gpu.createSharedTimeline("turns")) {
            SharedMemory shared = gpu.share(data);
            try (CudaDevice cuda = CudaDevice.open(library, shared.device())) {
                CudaDevice.Memory memory = cuda.memory(shared);
                long semaphore = cuda.timeline(turns.share());
                int wrong = takeTurns(gpu, data, turns, cuda, memory, semaphore, stuck);
                cuda.synchronize();
                cuda.freeTimeline(semaphore);
                cuda.free(memory);
                out.println(gpu.capabilities().name() + " and CUDA: " + ROUNDS + " rounds of " + WORDS + " words, "
                        + (wrong == 0 ? "all right" : wrong + " wrong"));
                return wrong == 0;
            }
        }
    }

    /** Odd values: Vulkan has written. Even values: CUDA has computed. Returns the number of wrong words. */
    private static int takeTurns(
            VulkanDevice gpu,
            Buffer data,
            SharedTimeline turns,
            CudaDevice cuda,
            CudaDevice.Memory memory,
            long semaphore,
            Consumer<? super RuntimeException> stuck) {
        long kernel = cuda.kernel(PTX, "step");
        try (Buffer readback = gpu.createBuffer("readback", BufferDescription.readback(ROUNDS * BYTES));
                FrameContext context = gpu.createFrameContext("turns")) {
            try {
                takeTurns(gpu, context, data, readback, turns, cuda, kernel, memory, semaphore);
            } catch (RuntimeException failure) {
                stuck.accept(failure);
                throw failure;
            }
            return count(readback.mapped().asIntBuffer());
        }
    }

    private static void takeTurns(
            VulkanDevice gpu,
            FrameContext context,
            Buffer data,
            Buffer readback,
            SharedTimeline turns,
            CudaDevice cuda,
            long kernel,
            CudaDevice.Memory memory,
            long semaphore) {
        long done = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long written = 2L * round + 1;
            // Not the first time: CUDA may load a kernel at its first launch, and waits for the stream then.
            boolean cudaFirst = round % 2 == 1;
            if (cudaFirst) {
                compute(cuda, kernel, memory, semaphore, written);
            }
            write(gpu, context, round, data, ExternalPoint.of(turns, written));
            done = read(gpu, context, round, data, readback, ExternalPoint.of(turns, written + 1));
            if (!cudaFirst) {
                compute(cuda, kernel, memory, semaphore, written);
            }
        }
        if (!queue(gpu).timeline().await(done, Duration.ofMinutes(1))) {
            throw new IllegalStateException(
                    "the work does not end: " + queue(gpu).timeline().completed() + " of " + done);
        }
    }

    private static void compute(CudaDevice cuda, long kernel, CudaDevice.Memory memory, long semaphore, long written) {
        cuda.waitFor(semaphore, written);
        cuda.launch(kernel, memory.address(), WORDS);
        cuda.signal(semaphore, written + 1);
    }

    private static GpuQueue queue(VulkanDevice gpu) {
        return gpu.queues().get(0);
    }

    private static void write(VulkanDevice gpu, FrameContext context, int round, Buffer data, ExternalPoint written) {
        BufferSlice slice = context.allocateUpload(BYTES, 4);
        for (int i = 0; i < WORDS; i++) {
            slice.data().putInt(4 * i, round * WORDS + i);
        }
        submit(gpu, context, "write", List.of(), List.of(written), list -> {
            list.barrier(new BarrierBatch(List.of(), List.of(), List.of(GlobalBarrier.FULL)));
            list.copyBuffer(slice.buffer(), slice.offset(), data, 0, BYTES);
        });
    }

    private static long read(
            VulkanDevice gpu, FrameContext context, int round, Buffer data, Buffer readback, ExternalPoint computed) {
        GlobalBarrier forHost = new GlobalBarrier(new BarrierBatch.Scope(
                PipelineStage.COPY.bit(),
                MemoryAccess.COPY_WRITE.bit(),
                PipelineStage.HOST.bit(),
                MemoryAccess.HOST_READ.bit()));
        return submit(gpu, context, "read", List.of(computed), List.of(), list -> {
            list.copyBuffer(data, 0, readback, round * BYTES, BYTES);
            list.barrier(new BarrierBatch(List.of(), List.of(), List.of(forHost)));
        });
    }

    private static long submit(
            VulkanDevice gpu,
            FrameContext context,
            String label,
            List<ExternalPoint> waits,
            List<ExternalPoint> signals,
            Consumer<CommandList> commands) {
        CommandList list = context.beginCommands(queue(gpu), label);
        commands.accept(list);
        list.end();
        return queue(gpu)
                .submit(new Submission(label, List.of(list), List.of()).with(waits, signals))
                .value();
    }

    private static int count(IntBuffer words) {
        int wrong = 0;
        for (int i = 0; i < ROUNDS * WORDS; i++) {
            wrong += words.get(i) == 3 * i + 1 ? 0 : 1;
        }
        return wrong;
    }
}
