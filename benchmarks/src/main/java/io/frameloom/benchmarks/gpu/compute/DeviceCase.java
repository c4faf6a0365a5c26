package io.frameloom.benchmarks.gpu.compute;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.resource.Buffer;
import java.util.function.IntSupplier;

/** Something to be timed on a device. What it makes belongs to the workbench, which releases it. */
abstract class DeviceCase {
    final Workbench bench;
    final long length;
    private final Subject subject;

    DeviceCase(Workbench bench, Subject subject, long length) {
        this.bench = bench;
        this.subject = subject;
        this.length = length;
    }

    final Subject subject() {
        return subject;
    }

    /** Returns what must at least be moved: the input once, the output once. */
    abstract long bytes();

    /** Records one execution. */
    abstract void record(CommandList list);

    /** Executes it on memory that holds no result, and returns what is wrong then; empty if nothing is. */
    abstract String check();

    /** Compares words with what they should be. */
    final String compare(String role, Buffer buffer, long words, IntSupplier expected) {
        long at = bench.firstDifference(buffer, words, expected);
        return at < 0 ? "" : role + ": word " + at + " of " + words + " is wrong";
    }

    final BufferRange range(String name, long bytes) {
        Buffer buffer = bench.storage(name, bytes);
        return new BufferRange(buffer, 0, buffer.description().bytes());
    }
}
