package io.frameloom.benchmarks.gpu;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.frameloom.benchmarks.driver.Complaints;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.gpu.vulkan.VulkanDevice;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command line of benchmarks of one device.
 *
 * @param quick whether a first look is enough
 * @param device part of the name of the device
 * @param json where the result goes, or null
 */
public record GpuOptions(
        boolean quick, String device, @Nullable Path json) {
    /** What a benchmark does with its options. */
    @FunctionalInterface
    public interface Measurement {
        /** Measures, and returns the exit code. */
        int run(GpuOptions options, PrintStream out) throws IOException;
    }

    /**
     * Runs a benchmark and returns the exit code.
     *
     * @param help begins with the line of {@code usage}
     * @throws IOException when the result cannot be written
     */
    public static int run(
            List<String> arguments,
            String usage,
            String help,
            Measurement measurement,
            PrintStream out,
            PrintStream complaints)
            throws IOException {
        boolean quick = false;
        String device = "";
        Path json = null;
        for (int i = 0; i < arguments.size(); i++) {
            String option = arguments.get(i);
            String value = i + 1 < arguments.size() ? arguments.get(i + 1) : null;
            switch (option) {
                case "-h", "--help" -> {
                    out.println(help);
                    return 0;
                }
                case "--quick" -> quick = true;
                case "--device", "--json" -> {
                    if (value == null) {
                        return Complaints.refuse(complaints, option + " needs a value; " + usage);
                    }
                    i++;
                    if (option.equals("--device")) {
                        device = value;
                    } else {
                        json = path(value);
                        if (json == null) {
                            return Complaints.refuse(complaints, "--json " + value + " is no file name; " + usage);
                        }
                    }
                }
                default -> {
                    return Complaints.refuse(complaints, option + " is unknown; " + usage);
                }
            }
        }
        try {
            return measurement.run(new GpuOptions(quick, device, json), out);
        } catch (NoSuchDeviceException e) {
            return Complaints.refuse(complaints, String.valueOf(e.getMessage()));
        }
    }

    private static @Nullable Path path(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    /** Returns what results say of the device. */
    public static ObjectNode result(VulkanDevice device) {
        return new ObjectMapper()
                .createObjectNode()
                .put("device", device.capabilities().name())
                .put("driver", device.capabilities().driver())
                .put("processors", Runtime.getRuntime().availableProcessors());
    }

    /** Writes the result if a file is named. */
    public void write(ObjectNode result) throws IOException {
        if (json == null) {
            return;
        }
        Path folder = json.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(json.toFile(), result);
    }
}
