package io.frameloom.samples;

import io.frameloom.testing.ChildProcess;
import io.frameloom.testing.XServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs of the command line that show windows: in a process of their own, which has a display in its environment. */
public final class ShownProgram {
    private static final Duration LIMIT = Duration.ofSeconds(100);
    private static final String NEXT = "--then";
    private static final String STATUS = "exit code ";

    private ShownProgram() {}

    /** Runs commands one after another; the lines of each end with its exit code. */
    static final class Commands {
        private Commands() {}

        public static void main(String[] arguments) {
            PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
            List<String> command = new ArrayList<>();
            for (String argument : arguments) {
                if (!argument.equals(NEXT)) {
                    command.add(argument);
                    continue;
                }
                out.println(STATUS + Main.run(out, out, command.toArray(String[]::new)));
                command.clear();
            }
            System.exit(0);
        }
    }

    /** Runs a main class to its end. */
    public static ChildProcess.Ended run(XServer server, Class<?> main, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--add-exports",
                "java.base/jdk.internal.misc=ALL-UNNAMED",
                "-Djoml.nounsafe=true",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        words.addAll(arguments);
        ProcessBuilder program = new ProcessBuilder(words);
        program.environment().put("DISPLAY", server.display());
        program.environment().remove("WAYLAND_DISPLAY");
        return ChildProcess.run(program, LIMIT);
    }

    /** Runs commands to their ends, all in one process. */
    public static List<ChildProcess.Ended> run(XServer server, List<List<String>> commands)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>();
        for (List<String> command : commands) {
            arguments.addAll(command);
            arguments.add(NEXT);
        }
        List<ChildProcess.Ended> ends = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        for (String line : run(server, Commands.class, arguments).successfully()) {
            if (line.startsWith(STATUS)) {
                ends.add(new ChildProcess.Ended(Integer.parseInt(line.substring(STATUS.length())), List.copyOf(lines)));
                lines.clear();
            } else {
                lines.add(line);
            }
        }
        return ends;
    }
}
