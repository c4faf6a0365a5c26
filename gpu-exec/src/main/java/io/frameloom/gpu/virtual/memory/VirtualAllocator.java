package io.frameloom.gpu.virtual.memory;

import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import java.util.concurrent.atomic.AtomicLong;

/** Makes memory, filled with garbage or zeros, and refuses the allocation that the options name. Any thread. */
public final class VirtualAllocator {
    private static final long FRESH = 0xC10BBE2EDL;
    private static final long LEFT = 0x1EF7BE41DL;

    private final boolean clobbers;
    private final long outOfMemoryAt;
    private final AtomicLong allocations = new AtomicLong();

    public VirtualAllocator(VirtualGpuOptions options) {
        clobbers = options.clobber();
        outOfMemoryAt = options.outOfMemoryAt();
    }

    /** Returns whether undefined memory is filled with garbage. */
    public boolean clobbers() {
        return clobbers;
    }

    public VirtualMemory device(String what, String name, long bytes) {
        count(what, name, bytes);
        return VirtualMemory.device(name, bytes, fresh(name));
    }

    public VirtualMemory mapped(String what, String name, long bytes) {
        count(what, name, bytes);
        return VirtualMemory.mapped(name, bytes, fresh(name));
    }

    /** Fills memory that nothing holds with garbage; thread of the virtual GPU. */
    public void clobber(VirtualMemory memory, long offset, long bytes) {
        memory.set(offset, bytes, Pattern.ofStamp(Mix.mix(LEFT, offset), offset));
    }

    private Pattern fresh(String name) {
        return clobbers ? Pattern.ofStamp(Mix.mix(FRESH, name), 0) : Pattern.ofUnit(new byte[1], 0);
    }

    private void count(String what, String name, long bytes) {
        long number = allocations.incrementAndGet();
        if (number == outOfMemoryAt) {
            throw new GpuOutOfMemoryException("cannot create " + what + " '" + name + "' of " + bytes
                    + " bytes: the options of the virtual device say that allocation " + number + " finds no memory");
        }
    }
}
