package io.frameloom.stress.gpu.compute;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** A primitive of a device with an input of any length, and what must come out. */
interface LongWork extends AutoCloseable {
    /**
     * Memory that is only read.
     *
     * @param role for messages
     * @param words how many
     * @param source what is in it
     */
    record Input(String role, long words, WordSource source) {}

    /**
     * Memory that is written.
     *
     * @param role for messages
     * @param words how many
     * @param expected gives what must be in it, word by word from the first
     */
    record Output(String role, long words, Supplier<IntSupplier> expected) {}

    /** Returns what this is. */
    String name();

    /** Returns the largest number of elements. */
    long maxLength();

    /** Returns the inputs of a length. */
    List<Input> inputs(long length);

    /** Returns the outputs of a length. */
    List<Output> outputs(long length);

    /** Returns the bytes of the scratch memory of a length. */
    long scratchBytes(long length);

    /** Records it, with ranges in the order of {@link #inputs} and {@link #outputs}. */
    void record(
            CommandList list, long length, List<BufferRange> inputs, List<BufferRange> outputs, BufferRange scratch);

    @Override
    void close();
}
