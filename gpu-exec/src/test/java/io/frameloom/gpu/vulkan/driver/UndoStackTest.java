package io.frameloom.gpu.vulkan.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UndoStackTest {
    @Test
    void whateverFailsTheRestIsUndoneNewestFirst() {
        List<String> undone = new ArrayList<>();
        Error error = new AssertionError("second");
        RuntimeException failure = new IllegalStateException("third");
        UndoStack undo = new UndoStack();
        undo.push(() -> undone.add("first"));
        undo.push(() -> {
            throw error;
        });
        undo.push(() -> {
            throw failure;
        });
        undo.pushLast(() -> undone.add("last"));
        assertThat(undo.all()).containsExactly(failure, error);
        assertThat(undone).containsExactly("first", "last");
        assertThat(undo.all()).isEmpty();
    }
}
