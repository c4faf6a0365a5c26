package io.frameloom.gpu.record;

import io.frameloom.gpu.command.CommandList;
import java.util.List;
import java.util.function.BiConsumer;

/** A row of the table: a command and what is wrong with it, how it is recorded, and words of its refusal. */
record BadCommand(String name, BiConsumer<BadCommandScene, CommandList> body, List<String> words) {
    static BadCommand bad(String name, BiConsumer<BadCommandScene, CommandList> body, String... words) {
        return new BadCommand(name, body, List.of(words));
    }

    @Override
    public String toString() {
        return name;
    }
}
