package io.frameloom.gpu.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UncaughtTest {
    private final List<Object> seen = new ArrayList<>();

    private void done(String what) {
        seen.add(what);
        if (what.startsWith("error")) {
            throw new AssertionError(what);
        }
        if (what.startsWith("exception")) {
            throw new IllegalStateException(what);
        }
    }

    @Test
    void everythingIsDoneBeforeWhatFailedIsReported() {
        Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> seen.add(thrown.getMessage() + "!"));
        Uncaught.forEach(List.of("first", "error 1", "second", "exception 2", "error 3", "last"), this::done);
        assertThat(seen)
                .containsExactly(
                        "first",
                        "error 1",
                        "second",
                        "exception 2",
                        "error 3",
                        "last",
                        "error 1!",
                        "exception 2!",
                        "error 3!");
    }

    @Test
    void aHandlerThatFailsHearsOfTheOthersToo() {
        Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> {
            seen.add(thrown.getMessage() + "!");
            throw new AssertionError("handler");
        });
        Uncaught.forEach(List.of("error 1", "exception 2"), this::done);
        assertThat(seen).containsExactly("error 1", "exception 2", "error 1!", "exception 2!");
    }
}
