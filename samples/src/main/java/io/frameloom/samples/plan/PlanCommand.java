package io.frameloom.samples.plan;

import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.GraphFile;
import io.frameloom.rdg.GraphFileException;
import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgValidationException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
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
            "Compiles render graphs from files of the form rdg-case/1, such as the graph.json of a frame, and prints"
                    + " their plans; needs no device.",
            "Exit codes: 0 done, 1 a graph has errors, 2 bad input. With several files, one that is wrong does not"
                    + " stop the others."
        })
public final class PlanCommand implements Callable<Integer> {
    private static final int GRAPH_ERRORS = 1;
    private static final int BAD_INPUT = 2;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "graphs")
    private List<String> files = List.of();

    @Option(
            names = "--async",
            paramLabel = "MODE",
            description = "off, tagged (the queues of the file; default) or all compute passes beside graphics")
    private @Nullable String async;

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
            description = "say of a pass or resource why it is as it is; give the option once per name")
    private List<String> explain = List.of();

    @Override
    public Integer call() throws IOException {
        @Nullable AsyncCompute policy = policy();
        int code = 0;
        for (String file : files) {
            code = Math.max(code, plan(file, policy));
        }
        return code;
    }

    private @Nullable AsyncCompute policy() {
        if (async == null) {
            return null;
        }
        for (AsyncCompute policy : AsyncCompute.values()) {
            if (policy.name().toLowerCase(Locale.ROOT).equals(async)) {
                return policy;
            }
        }
        throw new ParameterException(spec.commandLine(), "--async takes off, tagged or all, got '" + async + "'");
    }

    private int plan(String file, @Nullable AsyncCompute policy) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        String id = file;
        try {
            GraphFile graph = GraphFile.read(path(file));
            id = graph.id();
            GraphFile.Compiled compiled = graph.compile(options -> changed(options, policy));
            if (json) {
                compiled.writeJson(out);
            } else {
                new PlanText(compiled, out).print();
            }
            out.flush();
            return explained(file, compiled);
        } catch (RdgValidationException e) {
            if (json) {
                GraphFile.writeErrors(id, e.errors(), out);
            } else {
                for (RdgError error : e.errors()) {
                    spec.commandLine().getErr().println(name() + file + ": " + error);
                }
            }
            out.flush();
            return GRAPH_ERRORS;
        } catch (GraphFileException e) {
            if (json) {
                RdgError error =
                        new RdgError(RdgError.Code.INPUT, "", "", String.valueOf(e.getMessage()), "", List.of());
                GraphFile.writeErrors(id, List.of(error), out);
                out.flush();
            }
            spec.commandLine().getErr().println(name() + e.getMessage());
            return BAD_INPUT;
        }
    }

    private RdgOptions changed(RdgOptions options, @Nullable AsyncCompute policy) {
        RdgOptions changed = policy == null ? options : options.withAsync(policy);
        return changed.withCullPasses(options.cullPasses() && !keepAll)
                .withMergeRenderPasses(options.mergeRenderPasses() && !noMerge)
                .withAliasing(options.aliasing() && !noAlias);
    }

    private int explained(String file, GraphFile.Compiled compiled) {
        for (String name : explain) {
            FramePlan plan = compiled.plan();
            List<String> text = plan == null ? List.of() : plan.explain(name);
            if (text.isEmpty()) {
                spec.commandLine().getErr().println(name() + file + ": no pass or resource is called '" + name + "'");
                return BAD_INPUT;
            }
            PrintWriter to =
                    json ? spec.commandLine().getErr() : spec.commandLine().getOut();
            text.forEach(to::println);
        }
        return 0;
    }

    private String name() {
        return spec.qualifiedName() + ": ";
    }

    private Path path(String file) {
        try {
            return Path.of(file);
        } catch (InvalidPathException e) {
            throw new GraphFileException("'" + file + "' is no path: " + e.getReason(), e);
        }
    }
}
