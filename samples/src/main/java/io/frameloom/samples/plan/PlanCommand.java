package io.frameloom.samples.plan;

import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassSchedule;
import io.frameloom.rdg.PlanPolicy;
import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgValidationException;
import io.frameloom.rdg.options.PrintableText;
import io.frameloom.rdg.tools.GraphFile;
import io.frameloom.rdg.tools.GraphFileException;
import io.frameloom.rdg.tools.PlanDiff;
import io.frameloom.rdg.tools.report.PlanReport;
import io.frameloom.samples.demo.UsageException;
import io.frameloom.taskgraph.SystemPropertyException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code frameloom plan}: compiles graphs from files on the queues that they name, without a device. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        version = "frameloom 0.1.0-SNAPSHOT",
        description = {
            "Compiles render graphs from files of the form rdg-case/1 and prints their plans; needs no device. The"
                    + " graph.json of a demo's frame is such a file.",
            "Passes that no output needs are removed, unless the file says otherwise (mode cull off).",
            "Exit codes: 0 done, 1 a graph has errors, or standard output cannot be written, 2 bad input or too large a"
                    + " graph. With several files, one that is wrong does not stop the others."
        })
public final class PlanCommand implements Callable<Integer> {
    private static final int GRAPH_ERRORS = 1;
    private static final int BAD_INPUT = 2;
    private static final int MOST_ERRORS = 20;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "graphs")
    private List<String> files = List.of();

    @Option(
            names = "--async",
            paramLabel = "MODE",
            description = "off, tagged (the queues of the file; default) or all compute passes beside graphics")
    private @Nullable String async;

    @Option(
            names = "--order",
            paramLabel = "ORDER",
            description = "program (default), random:SEED, memory, batch or overlap: which of the orders that mean the"
                    + " same passes are executed in")
    private @Nullable String order;

    @Option(names = "--no-cull", description = "keep passes that no output needs")
    private boolean keepAll;

    @Option(names = "--no-merge", description = "give each raster pass a render pass of its own")
    private boolean noMerge;

    @Option(names = "--no-alias", description = "give each transient memory of its own")
    private boolean noAlias;

    @Option(names = "--json", description = "print one object per file, each on one line")
    private boolean json;

    @Option(
            names = "--explain",
            paramLabel = "NAME",
            description = "say of a pass or resource why it is as it is, in place of the plan; give it"
                    + " once for each name")
    private List<String> explain = List.of();

    @Option(
            names = "--html",
            paramLabel = "REPORT",
            description =
                    "write the plan of the one FILE as an HTML page that needs nothing else, in place of printing it"
                            + " as text")
    private @Nullable String html;

    @Option(names = "--diff", description = "print what differs between the plans of two FILEs, and nothing else")
    private boolean diff;

    /** What {@link #order} says; null if it says nothing. */
    private @Nullable PassSchedule schedule;

    /** What is done with a compiled graph; returns an exit code. */
    @FunctionalInterface
    private interface Use {
        int of(GraphFile.Compiled compiled) throws IOException, UsageException;
    }

    @Override
    public Integer call() throws IOException, UsageException {
        @Nullable AsyncCompute policy = policy();
        schedule = schedule();
        if (diff) {
            return differences(policy);
        }
        if (json && !explain.isEmpty()) {
            throw new UsageException("--explain speaks to people, --json to programs; give one of them");
        }
        ReportFile report = reportFile();
        int code = 0;
        for (String file : files) {
            code = Math.max(code, compiled(file, policy, compiled -> {
                @Nullable PlanReport page = report == null ? null : PlanReport.of(planOf(file, compiled));
                if (explain.isEmpty() && (json || page == null)) {
                    print(compiled);
                }
                if (report != null && page != null) {
                    report.write(page);
                    if (!json) {
                        spec.commandLine().getOut().println(PrintableText.of("written: " + html));
                    }
                }
                return explained(file, compiled);
            }));
        }
        return code;
    }

    private @Nullable ReportFile reportFile() throws UsageException {
        if (html == null) {
            return null;
        }
        if (files.size() > 1) {
            throw new UsageException("--html takes one graph, got " + files.size() + "; write a report of each");
        }
        return ReportFile.at(html, files.get(0));
    }

    private int differences(@Nullable AsyncCompute policy) throws IOException, UsageException {
        if (files.size() != 2) {
            throw new UsageException("--diff compares two graphs, got " + files.size());
        }
        if (html != null || !explain.isEmpty()) {
            throw new UsageException("--diff takes neither --html nor --explain; plan one graph with them");
        }
        List<FramePlan> plans = new ArrayList<>();
        int code = 0;
        for (String file : files) {
            code = Math.max(code, compiled(file, policy, compiled -> {
                plans.add(planOf(file, compiled));
                return 0;
            }));
        }
        if (code != 0) {
            return code;
        }
        PlanDiff differences = PlanDiff.between(plans.get(0), plans.get(1));
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            differences.writeJson(out);
        } else if (differences.isEmpty()) {
            out.println("no differences: " + differences.sameBecause());
        } else {
            differences.changes().forEach(out::println);
        }
        out.flush();
        return 0;
    }

    private static FramePlan planOf(String file, GraphFile.Compiled compiled) throws UsageException {
        FramePlan plan = compiled.plan();
        if (plan == null) {
            throw new UsageException(file
                    + " gives the order of each queue itself (mode order fixed), so there is no whole plan to show");
        }
        return plan;
    }

    private @Nullable AsyncCompute policy() {
        if (async == null) {
            return null;
        }
        for (AsyncCompute policy : AsyncCompute.values()) {
            if (policy.name().toLowerCase(Locale.ROOT).equals(async)) {
                if (policy == AsyncCompute.MEASURED) {
                    throw new ParameterException(
                            spec.commandLine(),
                            "--async measured needs the times of frames, which a file does not have;"
                                    + " take off, tagged or all");
                }
                return policy;
            }
        }
        throw new ParameterException(spec.commandLine(), "--async takes off, tagged or all, got '" + async + "'");
    }

    private @Nullable PassSchedule schedule() {
        if (order == null) {
            return null;
        }
        try {
            return PassSchedule.parse(order);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--order " + e.getMessage(), e);
        }
    }

    private void print(GraphFile.Compiled compiled) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            compiled.writeJson(out);
        } else {
            new PlanText(compiled, out).print();
        }
        out.flush();
    }

    private int compiled(String file, @Nullable AsyncCompute policy, Use use) throws IOException, UsageException {
        PrintWriter out = spec.commandLine().getOut();
        String id = file;
        try {
            GraphFile graph = GraphFile.read(path(file));
            id = graph.id();
            return use.of(graph.compile(options -> changed(options, policy)));
        } catch (RdgValidationException e) {
            boolean tooLarge =
                    !e.errors().isEmpty() && e.errors().stream().allMatch(error -> error.code() == RdgError.Code.LIMIT);
            if (json) {
                GraphFile.writeErrors(id, e.errors(), out);
                out.flush();
            }
            if (!json || tooLarge) {
                wrong(file, e);
            }
            return tooLarge ? BAD_INPUT : GRAPH_ERRORS;
        } catch (GraphFileException e) {
            return refused(id, e.error());
        } catch (UncheckedIOException e) {
            return refused(id, file + ": " + oneLine(e.getMessage()));
        } catch (SystemPropertyException | ParameterException e) {
            // About what the command line and the properties ask for, not about the file.
            throw e;
        } catch (RdgException e) {
            return refused(id, file + ": " + oneLine(e.getMessage()));
        } catch (OutOfMemoryError e) {
            // What was made of the file is garbage by now, so the next one has all memory again.
            return refused(
                    id,
                    file + ": needs more than the " + (Runtime.getRuntime().maxMemory() >> 20)
                            + " MiB of memory that Java has; split the graph, or set JAVA_TOOL_OPTIONS=-Xmx... to"
                            + " more");
        } catch (StackOverflowError | RuntimeException e) {
            return refused(id, file + ": " + defect(e));
        }
    }

    private void wrong(String file, RdgValidationException e) {
        List<RdgError> errors = e.errors();
        for (RdgError error : errors.subList(0, Math.min(errors.size(), MOST_ERRORS))) {
            spec.commandLine().getErr().println(name() + PrintableText.of(file) + ": " + error);
        }
        if (errors.size() > MOST_ERRORS) {
            complain(file + ": ... and " + (errors.size() - MOST_ERRORS) + " more; --json has all");
        } else if (errors.isEmpty()) {
            complain(file + ": " + defect(e));
        }
    }

    private int refused(String id, String message) throws IOException {
        return refused(id, new RdgError(RdgError.Code.INPUT, "", "", message, "", List.of()));
    }

    private int refused(String id, RdgError error) throws IOException {
        if (json) {
            PrintWriter out = spec.commandLine().getOut();
            GraphFile.writeErrors(id, List.of(error), out);
            out.flush();
        }
        complain(error.message());
        return BAD_INPUT;
    }

    private void complain(String message) {
        spec.commandLine().getErr().println(name() + PrintableText.of(message));
    }

    /** The last resort: what the reader or the compiler should have refused in words of its own. */
    private static String defect(Throwable e) {
        String where = e.getStackTrace().length == 0 ? "" : " at " + e.getStackTrace()[0];
        return oneLine("this is a defect of frameloom, please report it with the file: " + e + where);
    }

    private static String oneLine(@Nullable String message) {
        return String.valueOf(message).replaceAll("\\R", " ");
    }

    private RdgOptions changed(RdgOptions options, @Nullable AsyncCompute policy) {
        RdgOptions changed = policy == null ? options : options.withAsync(policy);
        PlanPolicy plans = options.policy();
        return changed.withPolicy(schedule == null ? plans : plans.withSchedule(schedule))
                .withCullPasses(options.cullPasses() && !keepAll)
                .withMergeRenderPasses(options.mergeRenderPasses() && !noMerge)
                .withAliasing(options.aliasing() && !noAlias);
    }

    private int explained(String file, GraphFile.Compiled compiled) {
        List<String> lines = new ArrayList<>();
        for (String name : explain) {
            try {
                lines.addAll(compiled.explain(name));
            } catch (GraphFileException e) {
                throw new GraphFileException(file + ": " + e.getMessage(), e);
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        lines.forEach(out::println);
        out.flush();
        return 0;
    }

    private String name() {
        return spec.qualifiedName() + ": ";
    }

    private Path path(String file) {
        if (file.isBlank()) {
            throw new GraphFileException("FILE needs a path, it is empty");
        }
        try {
            return Path.of(file);
        } catch (InvalidPathException e) {
            throw new GraphFileException("'" + file + "' is no path: " + e.getReason(), e);
        }
    }
}
