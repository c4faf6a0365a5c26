package io.frameloom.gpu.vulkan;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Memory of a buffer or texture that another device, process or interface shall use ({@link VulkanDevice#share}). An
 * import that succeeds takes the file descriptor over; after one that fails the caller closes it.
 *
 * @param fileDescriptor POSIX file descriptor: Vulkan's VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, CUDA's
 *     CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD
 * @param bytes size of the memory; what it is of begins at 0 and is all of it (a dedicated allocation)
 * @param memoryType index of the memory type
 * @param device UUID of the physical device, as in {@link VulkanDeviceInfo#uuid}; no other one can use the memory
 * @param driver UUID of its driver, as 32 hexadecimal digits; no other version can use the memory
 * @param of description of the buffer or texture that it is of, in words: an import is described alike. Null where
 *     another interface made the memory, which then answers for it
 */
public record SharedMemory(
        int fileDescriptor,
        long bytes,
        int memoryType,
        String device,
        String driver,
        @Nullable String of) {
    public SharedMemory {
        Objects.requireNonNull(device, "device must not be null");
        Objects.requireNonNull(driver, "driver must not be null");
    }
}
