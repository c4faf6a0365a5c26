package io.frameloom.gpu.command;

import java.util.Locale;

/** What a queue can execute; each kind can do everything that the later kinds can. */
@SuppressWarnings("EnumOrdinal") // the declaration order is the definition
public enum QueueKind {
    /** Raster, compute and copy work. */
    GRAPHICS,
    /** Compute and copy work. */
    COMPUTE,
    /** Copy work only. */
    COPY;

    /** Returns whether a queue of this kind executes work that asks for {@code required}. */
    public boolean supports(QueueKind required) {
        return ordinal() <= required.ordinal();
    }

    /** Returns the name of a queue of this kind by its number from 1 on: {@code compute}, {@code compute 2}. */
    public String queueName(int number) {
        String name = name().toLowerCase(Locale.ROOT);
        return number == 1 ? name : name + " " + number;
    }
}
