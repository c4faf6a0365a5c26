package io.frameloom.stress.gpu;

import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.taskgraph.SystemPropertyException;
import java.io.PrintStream;
import java.util.List;
import java.util.Properties;
import java.util.function.BooleanSupplier;

/** What the programs that open a device have in common: how they take system properties, and how they end. */
public final class DeviceProgram {
    private static final int SUCCESS = 0;
    private static final int FAILURE = 1;
    private static final int BAD_INPUT = 2;

    private DeviceProgram() {}

    /**
     * Runs a program, unless there are properties that look like Frameloom's and are read by nothing.
     *
     * @param properties the system properties
     * @param body the program, which tells whether nothing was wrong
     * @param err standard error
     * @return the exit code: 2 with one line on standard error if a property has a value that is none or is misspelt, or
     *     if there is no such device; 1 with the stack trace if the device or the program fails otherwise
     */
    public static int run(Properties properties, BooleanSupplier body, PrintStream err) {
        List<String> unknown = RdgOptions.unknownProperties(properties);
        unknown.forEach(line -> err.println("frameloom stress: " + line));
        if (!unknown.isEmpty()) {
            return BAD_INPUT;
        }
        try {
            return body.getAsBoolean() ? SUCCESS : FAILURE;
        } catch (SystemPropertyException | NoSuchDeviceException wrong) {
            err.println("frameloom stress: " + wrong.getMessage());
            return BAD_INPUT;
        } catch (GpuException | IllegalStateException failed) {
            failed.printStackTrace(err);
            return FAILURE;
        }
    }
}
