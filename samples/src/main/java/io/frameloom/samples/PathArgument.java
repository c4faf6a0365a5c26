package io.frameloom.samples;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Reads paths on command lines. Any thread. */
public final class PathArgument {
    private PathArgument() {}

    /**
     * Reads a path.
     *
     * @param spec the command
     * @param parameter its option or parameter, as messages name it
     * @throws ParameterException if the path is empty or none
     */
    public static Path of(CommandSpec spec, String parameter, String value) {
        if (value.isBlank()) {
            throw new ParameterException(spec.commandLine(), parameter + " needs a path, it is empty");
        }
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            throw new ParameterException(spec.commandLine(), parameter + " is no path: " + e.getMessage(), e);
        }
    }
}
