package io.frameloom.gpu.vulkan.driver;

import org.lwjgl.system.MemoryUtil;

/**
 * Native memory for the structures of one command: written as plain words, so that recording makes no objects, whatever
 * the JIT makes of it. Each call takes over the memory of the one before. One thread at a time.
 */
public final class CommandScratch implements AutoCloseable {
    /** More than a render pass has attachments on any device: so the numbers never move. */
    private static final int NUMBERS = 64;

    private static final int FIRST_BYTES = 4096;
    private static final int MOST_BYTES = 1 << 30;

    private long address = MemoryUtil.nmemAllocChecked(FIRST_BYTES);
    private int capacity = FIRST_BYTES;
    /** The ints from 0 on; null before anybody asks. */
    private long numbers;

    /** Returns the address of {@code bytes} zero bytes, aligned to 16. */
    public long zeroed(int bytes) {
        MemoryUtil.memSet(unset(bytes), 0, bytes);
        return address;
    }

    /** As {@link #zeroed}, but of any contents, for structures that are written completely. */
    public long unset(int bytes) {
        if (bytes < 0 || bytes > MOST_BYTES) {
            throw new IllegalArgumentException("the structures of one command take more than " + MOST_BYTES
                    + " bytes; give what it lists in several commands");
        }
        if (bytes > capacity) {
            int larger = Integer.highestOneBit(bytes - 1) << 1;
            // A failure leaves the existing memory, with its size.
            address = MemoryUtil.nmemReallocChecked(address, larger);
            capacity = larger;
        }
        return address;
    }

    /**
     * Returns the address of the ints from 0 on, one for each attachment that a render pass can have. They stay where they
     * are, so a validation layer may keep the address.
     */
    public long numbers() {
        if (numbers == MemoryUtil.NULL) {
            numbers = MemoryUtil.nmemAllocChecked((long) NUMBERS * Integer.BYTES);
            for (int i = 0; i < NUMBERS; i++) {
                MemoryUtil.memPutInt(numbers + (long) i * Integer.BYTES, i);
            }
        }
        return numbers;
    }

    /** Returns the first bytes of the memory, as words for {@link #filled}. */
    public long[] words(int bytes) {
        long[] words = new long[(bytes + Long.BYTES - 1) / Long.BYTES];
        for (int i = 0; i < words.length; i++) {
            words[i] = MemoryUtil.memGetLong(address + (long) i * Long.BYTES);
        }
        return words;
    }

    /** Returns the address of bytes that {@link #words} has kept. Addresses among them are those of that time. */
    public long filled(long[] words) {
        long start = unset(words.length * Long.BYTES);
        for (int i = 0; i < words.length; i++) {
            MemoryUtil.memPutLong(start + (long) i * Long.BYTES, words[i]);
        }
        return start;
    }

    @Override
    public void close() {
        MemoryUtil.nmemFree(address);
        MemoryUtil.nmemFree(numbers);
        address = MemoryUtil.NULL;
        numbers = MemoryUtil.NULL;
        capacity = 0;
    }
}
