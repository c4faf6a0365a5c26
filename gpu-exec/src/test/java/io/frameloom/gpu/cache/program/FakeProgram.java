package io.frameloom.gpu.cache.program;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A compiler and driver of one program, whose binary is a text; it counts what it is asked for. */
final class FakeProgram implements ProgramDriver<String> {
    final AtomicInteger loads = new AtomicInteger();
    final AtomicInteger builds = new AtomicInteger();

    private final String binary;
    private volatile @Nullable Supplier<RuntimeException> buildFailure;
    private volatile boolean permanent;
    private volatile boolean refuses;
    private volatile @Nullable RuntimeException loadFailure;
    private volatile Runnable whileBuilding = () -> {};
    private volatile Runnable whileLoading = () -> {};
    private volatile boolean withoutBinary;

    FakeProgram(String binary) {
        this.binary = binary;
    }

    FakeProgram failing(Supplier<RuntimeException> failure, boolean isPermanent) {
        buildFailure = failure;
        permanent = isPermanent;
        return this;
    }

    FakeProgram refusing() {
        refuses = true;
        return this;
    }

    FakeProgram failingToLoad(RuntimeException failure) {
        loadFailure = failure;
        return this;
    }

    FakeProgram whileBuilding(Runnable action) {
        whileBuilding = action;
        return this;
    }

    FakeProgram whileLoading(Runnable action) {
        whileLoading = action;
        return this;
    }

    FakeProgram withoutBinary() {
        withoutBinary = true;
        return this;
    }

    @Override
    public @Nullable String load(byte[] bytes) {
        loads.incrementAndGet();
        whileLoading.run();
        RuntimeException failure = loadFailure;
        if (failure != null) {
            throw failure;
        }
        return refuses ? null : "loaded " + new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public Built<String> build() {
        builds.incrementAndGet();
        whileBuilding.run();
        Supplier<RuntimeException> failure = buildFailure;
        if (failure != null) {
            throw failure.get();
        }
        return new Built<>("built " + binary, withoutBinary ? null : binary.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public RuntimeException again(RuntimeException failure) {
        return new IllegalStateException(failure.getMessage(), failure);
    }

    @Override
    public boolean isPermanent(RuntimeException failure) {
        return permanent;
    }
}
