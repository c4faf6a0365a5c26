package io.frameloom.stress.gpu.cuda;

import static org.lwjgl.system.MemoryUtil.NULL;
import static org.lwjgl.system.MemoryUtil.memPutAddress;
import static org.lwjgl.system.MemoryUtil.memPutInt;
import static org.lwjgl.system.MemoryUtil.memPutLong;

import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.gpu.vulkan.SharedMemory;
import java.util.HexFormat;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.APIUtil;
import org.lwjgl.system.JNI;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.system.SharedLibrary;

/**
 * The few calls of CUDA's driver that use what Vulkan shares, by name out of the driver's library. One thread, whose
 * context this is. Close it when the GPU has done its work.
 */
final class CudaDevice implements AutoCloseable {
    static final String LIBRARY = "libcuda.so.1";

    private static final int OPAQUE_FD = 1;
    private static final int TIMELINE_SEMAPHORE_FD = 9;
    private static final int DEDICATED = 1;
    private static final int UUID_BYTES = 16;
    /** More than any structure here has; what a structure does not use is 0. */
    private static final int STRUCTURE = 160;

    private final SharedLibrary library;
    private final int device;

    private CudaDevice(SharedLibrary library, int device) {
        this.library = library;
        this.device = device;
    }

    /**
     * Loads CUDA's driver.
     *
     * @param name file name
     * @throws NoSuchDeviceException if it is not there
     */
    static SharedLibrary load(String name) {
        try {
            return APIUtil.apiCreateLibrary(name);
        } catch (UnsatisfiedLinkError e) {
            throw new NoSuchDeviceException(
                    name + ", CUDA's driver, is not on this machine; try on one with an NVIDIA GPU");
        }
    }

    /**
     * Opens the device of a UUID.
     *
     * @param uuid UUID of the device, as Vulkan has it
     * @throws NoSuchDeviceException if there is no such device
     */
    static CudaDevice open(SharedLibrary library, String uuid) {
        int device = device(library, uuid);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer context = stack.mallocPointer(1);
            String retain = "cuDevicePrimaryCtxRetain";
            check(library, retain, JNI.invokePI(context.address(), device, function(library, retain)));
            String use = "cuCtxSetCurrent";
            check(library, use, JNI.invokePI(context.get(0), function(library, use)));
        }
        return new CudaDevice(library, device);
    }

    private static int device(SharedLibrary library, String uuid) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            check(library, "cuInit", JNI.invokeI(0, function(library, "cuInit")));
            long out = stack.ncalloc(Long.BYTES, 1, UUID_BYTES);
            check(library, "cuDeviceGetCount", JNI.invokePI(out, function(library, "cuDeviceGetCount")));
            int count = MemoryUtil.memGetInt(out);
            for (int i = 0; i < count; i++) {
                check(library, "cuDeviceGet", JNI.invokePI(out, i, function(library, "cuDeviceGet")));
                int device = MemoryUtil.memGetInt(out);
                check(library, "cuDeviceGetUuid", JNI.invokePI(out, device, function(library, "cuDeviceGetUuid")));
                byte[] bytes = new byte[UUID_BYTES];
                MemoryUtil.memByteBuffer(out, UUID_BYTES).get(bytes);
                if (HexFormat.of().formatHex(bytes).equals(uuid)) {
                    return device;
                }
            }
            throw new NoSuchDeviceException("CUDA has " + count + " devices, and none is the Vulkan device " + uuid
                    + "; name an NVIDIA GPU with --device");
        }
    }

    private static long function(SharedLibrary library, String name) {
        long address = library.getFunctionAddress(name);
        if (address == NULL) {
            throw new NoSuchDeviceException(library.getName() + " has no " + name + "; CUDA 11.8 has it");
        }
        return address;
    }

    private static void check(SharedLibrary library, String call, int result) {
        if (result != 0) {
            try (MemoryStack stack = MemoryStack.stackPush()) {
                PointerBuffer name = stack.callocPointer(1);
                JNI.invokePI(result, name.address(), function(library, "cuGetErrorName"));
                throw new IllegalStateException(call + " of CUDA fails: " + result + " "
                        + (name.get(0) == NULL ? "" : MemoryUtil.memASCII(name.get(0))));
            }
        }
    }

    private long function(String name) {
        return function(library, name);
    }

    private void check(String call, int result) {
        check(library, call, result);
    }

    /** Memory that Vulkan has, too. */
    record Memory(long handle, long address) {}

    /** Takes the file descriptor over. */
    Memory memory(SharedMemory shared) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer out = stack.callocPointer(1);
            long description = stack.ncalloc(Long.BYTES, 1, STRUCTURE);
            memPutInt(description, OPAQUE_FD);
            memPutInt(description + 8, shared.fileDescriptor());
            memPutLong(description + 24, shared.bytes());
            memPutInt(description + 32, DEDICATED);
            String take = "cuImportExternalMemory";
            check(take, JNI.invokePPI(out.address(), description, function(take)));
            long handle = out.get(0);
            long range = stack.ncalloc(Long.BYTES, 1, STRUCTURE);
            memPutLong(range + 8, shared.bytes());
            String map = "cuExternalMemoryGetMappedBuffer";
            check(map, JNI.invokePPPI(out.address(), handle, range, function(map)));
            return new Memory(handle, out.get(0));
        }
    }

    void free(Memory memory) {
        check("cuMemFree_v2", JNI.invokePI(memory.address, function("cuMemFree_v2")));
        check("cuDestroyExternalMemory", JNI.invokePI(memory.handle, function("cuDestroyExternalMemory")));
    }

    /** Takes the file descriptor of a timeline over, and returns CUDA's semaphore. */
    long timeline(int fileDescriptor) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer out = stack.callocPointer(1);
            long description = stack.ncalloc(Long.BYTES, 1, STRUCTURE);
            memPutInt(description, TIMELINE_SEMAPHORE_FD);
            memPutInt(description + 8, fileDescriptor);
            String take = "cuImportExternalSemaphore";
            check(take, JNI.invokePPI(out.address(), description, function(take)));
            return out.get(0);
        }
    }

    void freeTimeline(long semaphore) {
        check("cuDestroyExternalSemaphore", JNI.invokePI(semaphore, function("cuDestroyExternalSemaphore")));
    }

    /** What follows on the stream waits until the timeline has a value. */
    void waitFor(long semaphore, long value) {
        point("cuWaitExternalSemaphoresAsync", semaphore, value);
    }

    /** The timeline gets a value when the stream has done what is before. */
    void signal(long semaphore, long value) {
        point("cuSignalExternalSemaphoresAsync", semaphore, value);
    }

    private void point(String call, long semaphore, long value) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long parameters = stack.ncalloc(Long.BYTES, 1, STRUCTURE);
            memPutLong(parameters, value);
            check(call, JNI.invokePPPI(stack.pointers(semaphore).address(), parameters, 1, NULL, function(call)));
        }
    }

    /** Compiles a module, and returns the kernel of a name. */
    long kernel(String ptx, String name) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer out = stack.callocPointer(1);
            long text = MemoryUtil.memAddress(stack.ASCII(ptx));
            check("cuModuleLoadData", JNI.invokePPI(out.address(), text, function("cuModuleLoadData")));
            long module = out.get(0);
            String find = "cuModuleGetFunction";
            check(
                    find,
                    JNI.invokePPPI(out.address(), module, MemoryUtil.memAddress(stack.ASCII(name)), function(find)));
            return out.get(0);
        }
    }

    /** Launches a kernel of an address and a count, with one thread for each of so many. */
    void launch(long kernel, long address, int count) {
        int width = 256;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long configuration = stack.ncalloc(Long.BYTES, 1, STRUCTURE);
            int[] extents = {(count + width - 1) / width, 1, 1, width, 1, 1};
            for (int i = 0; i < extents.length; i++) {
                memPutInt(configuration + 4L * i, extents[i]);
            }
            long values = stack.ncalloc(Long.BYTES, 2, Long.BYTES);
            memPutLong(values, address);
            memPutInt(values + Long.BYTES, count);
            long parameters = stack.ncalloc(Long.BYTES, 2, Long.BYTES);
            memPutAddress(parameters, values);
            memPutAddress(parameters + Long.BYTES, values + Long.BYTES);
            String launch = "cuLaunchKernelEx";
            check(launch, JNI.invokePPPPI(configuration, kernel, parameters, NULL, function(launch)));
        }
    }

    /** Waits until CUDA has done everything. */
    void synchronize() {
        check("cuCtxSynchronize", JNI.invokeI(function("cuCtxSynchronize")));
    }

    @Override
    public void close() {
        check("cuDevicePrimaryCtxRelease_v2", JNI.invokeI(device, function("cuDevicePrimaryCtxRelease_v2")));
    }
}
