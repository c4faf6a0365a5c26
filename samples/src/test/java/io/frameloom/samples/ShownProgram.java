package io.frameloom.samples;

import io.frameloom.testing.ChildProcess;
import io.frameloom.testing.XServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs of the command line that show windows: processes of their own, which have a display in their environment. */
public final class ShownProgram {
    private static final Duration LIMIT = Duration.ofSeconds(100);

    private ShownProgram() {}

    /** Runs a command to its end. */
    public static ChildProcess.Ended run(XServer server, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--add-exports",
                "java.base/jdk.internal.misc=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder program = new ProcessBuilder(command);
        program.environment().put("DISPLAY", server.display());
        program.environment().remove("WAYLAND_DISPLAY");
        return ChildProcess.run(program, LIMIT);
    }
}
