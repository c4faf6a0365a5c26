package io.frameloom.gpu.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
        if (what.startsWith("checked")) {
            throwAny(new IOException(what));
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwAny(Throwable failure) throws T {
        throw (T) failure;
    }

    @Test
    void everythingIsDoneBeforeWhatFailedIsReported() {
        Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> seen.add(thrown.getMessage() + "!"));
        Uncaught.forEach(List.of("first", "error 1", "second", "exception 2", "checked 3", "last"), this::done);
        assertThat(seen)
                .containsExactly(
                        "first",
                        "error 1",
                        "second",
                        "exception 2",
                        "checked 3",
                        "last",
                        "error 1!",
                        "exception 2!",
                        "checked 3!");
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

    @Test
    void aHandlerMayThrowACheckedException() {
        Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> {
            seen.add(thrown.getMessage() + "!");
            throwAny(new IOException("handler"));
        });
        Uncaught.forEach(List.of("error 1", "exception 2"), this::done);
        assertThat(seen).containsExactly("error 1", "exception 2", "error 1!", "exception 2!");
    }
}
