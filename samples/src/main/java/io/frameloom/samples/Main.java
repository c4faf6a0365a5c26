package io.frameloom.samples;

import io.frameloom.gpu.cache.ProgramCacheException;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.options.PrintableText;
import io.frameloom.samples.cache.CacheCommand;
import io.frameloom.samples.demo.DemoCommand;
import io.frameloom.samples.demo.UsageException;
import io.frameloom.samples.devices.DevicesCommand;
import io.frameloom.samples.match.MatchCommand;
import io.frameloom.samples.plan.PlanCommand;
import io.frameloom.taskgraph.SystemPropertyException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line. Exit codes: 0 is success. 1 is a failure, or findings of {@code --validate}, {@code plan}, {@code
 * verify} or {@code match}. 2 is bad input (one line on standard error). 3 is a failure of {@code match}, or a warm
 * start of {@code cache measure --compare} that is too slow. 130 follows Ctrl-C. Standard output that cannot be written
 * is a failure.
 */
@Command(
        name = "frameloom",
        mixinStandardHelpOptions = true,
        version = "frameloom 0.1.0-SNAPSHOT",
        description = "A concurrency runtime for multithreaded renderers: its samples.",
        subcommands = {
            DemoCommand.class,
            PlanCommand.class,
            CacheCommand.class,
            MatchCommand.class,
            SampleCommand.class,
            DevicesCommand.class
        })
public final class Main implements Runnable {
    private static final int BAD_INPUT = 2;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Runs the command line and exits the JVM. */
    public static void main(String[] args) {
        // JOML is not to look for sun.misc.Unsafe, which newer JDKs warn of; it works as well without.
        System.setProperty("joml.nounsafe", "true");
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(out, err, args));
    }

    /**
     * Runs the command line on the calling thread, which becomes GAME while the demo runs.
     *
     * @param out receives what standard output gets
     * @param err receives what standard error gets
     * @param args arguments
     * @return the exit code
     */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        CommandLine commandLine = new CommandLine(new Main());
        nameLauncher(commandLine);
        commandLine.registerConverter(int.class, Main::wholeNumber);
        commandLine.registerConverter(Integer.class, Main::wholeNumber);
        commandLine.setOut(out);
        commandLine.setErr(err);
        commandLine.setParameterExceptionHandler((exception, arguments) -> badArguments(exception));
        commandLine.setExecutionExceptionHandler((exception, command, parsed) -> failed(exception, command));
        List<String> unknown = RdgOptions.unknownProperties(System.getProperties());
        unknown.forEach(line -> err.println("frameloom: " + line));
        if (!unknown.isEmpty()) {
            return BAD_INPUT;
        }
        int code = commandLine.execute(args);
        return out.checkError() ? Math.max(code, outputLost(commandLine)) : code;
    }

    /** In the words of people who do not know Java's types. */
    private static Integer wholeNumber(String value) {
        if (!value.matches("[+-]?[0-9]+")) {
            throw new TypeConversionException("'" + value + "' is no whole number");
        }
        try {
            return Integer.valueOf(value);
        } catch (NumberFormatException e) {
            throw new TypeConversionException(
                    "'" + value + "' is out of range: from " + Integer.MIN_VALUE + " to " + Integer.MAX_VALUE);
        }
    }

    /** The commands are run through the script of that name in the folder of the project. */
    private static void nameLauncher(CommandLine command) {
        command.getCommandSpec().usageMessage().synopsisHeading("Usage: ./");
        command.getSubcommands().values().forEach(Main::nameLauncher);
    }

    /** Says so, since writers of standard output keep it to themselves; returns the exit code of a failure. */
    private static int outputLost(CommandLine commandLine) {
        List<CommandLine> given = commandLine.getParseResult().asCommandLineList();
        CommandSpec command = given.get(given.size() - 1).getCommandSpec();
        commandLine
                .getErr()
                .println(command.qualifiedName() + ": standard output cannot be written, so not all of it is there");
        return command.exitCodeOnExecutionException();
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "no command given; there are: demo, plan, cache, match, sample, devices");
    }

    private static int badArguments(ParameterException exception) {
        CommandLine command = exception.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        command.getErr().println(name + ": " + oneLine(whatIsWrong(exception)) + " (see " + name + " --help)");
        return BAD_INPUT;
    }

    private static @Nullable String whatIsWrong(ParameterException exception) {
        if (!(exception instanceof UnmatchedArgumentException surplus)) {
            return exception.getMessage();
        }
        String argument = surplus.getUnmatched().get(0);
        if (argument.startsWith("-D")) {
            return "system properties stand before the command: frameloom " + argument + " "
                    + surplus.getCommandLine().getCommandName();
        }
        if (surplus.isUnknownOption()) {
            return exception.getMessage();
        }
        Set<String> commands = surplus.getCommandLine().getSubcommands().keySet();
        return commands.isEmpty()
                ? "unexpected argument '" + argument + "'"
                : "unknown command '" + argument + "'; there are: " + String.join(", ", commands);
    }

    /** Whether a failure is one of what was asked for, which ends with exit code 2 and one line. */
    public static boolean isBadInput(Exception exception) {
        return exception instanceof UsageException
                || exception instanceof ProgramCacheException
                || Causes.find(exception, SystemPropertyException.class) != null
                || refusedDiagnostics(exception) != null;
    }

    private static int failed(Exception exception, CommandLine command) {
        PrintWriter err = command.getErr();
        String name = command.getCommandSpec().qualifiedName();
        if (exception instanceof UsageException || exception instanceof ProgramCacheException) {
            err.println(name + ": " + oneLine(exception.getMessage()));
            return BAD_INPUT;
        }
        SystemPropertyException property = Causes.find(exception, SystemPropertyException.class);
        if (property != null) {
            err.println(name + ": " + oneLine(property.getMessage()));
            return BAD_INPUT;
        }
        String contradiction = refusedDiagnostics(exception);
        if (contradiction != null) {
            err.println(name + ": " + contradiction);
            return BAD_INPUT;
        }
        // What the device has said, such as that it is lost.
        GpuException deviceFailure = Causes.find(exception, GpuException.class);
        if (deviceFailure != null) {
            err.println(name + ": the device failed: " + oneLine(deviceFailure.getMessage()));
        } else {
            err.println(name + ": failed");
            exception.printStackTrace(err);
        }
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    /**
     * Returns why the render graph refuses what properties ask of it, such as two modes that exclude each other, or
     * null.
     */
    private static @Nullable String refusedDiagnostics(Exception exception) {
        List<String> set = System.getProperties().stringPropertyNames().stream()
                .filter(RdgOptions.propertyNames()::contains)
                .sorted()
                .map(property -> property + "=" + System.getProperty(property))
                .toList();
        RuntimeException refused = Causes.find(exception, RdgException.class);
        if (refused == null) {
            // A folder of dumps or captures that cannot be written.
            refused = Causes.find(exception, UncheckedIOException.class);
        }
        return refused == null || set.isEmpty()
                ? null
                : oneLine(refused.getMessage()) + " (set are " + String.join(", ", set) + ")";
    }

    /** Returns a message as one line to print: names of files and what is in them stand in messages. */
    public static String oneLine(@Nullable String message) {
        return PrintableText.of(
                String.valueOf(message).replaceAll("\\s*\\R\\s*", " ").strip());
    }
}
