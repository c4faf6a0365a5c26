package io.frameloom.stress.gpu;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.PipelineLibrary;
import io.frameloom.gpu.PipelineRequest;
import io.frameloom.gpu.WhileCompiling;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.pipeline.SpecializationValue;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The pipelines of {@link SoakFrames}: one whose file is edited while frames use it, and one that is replaced by another
 * again and again. Edits and replacements are between frames whose bodies have run; binding is on any thread.
 */
final class SoakShaders implements AutoCloseable {
    /** Words that a workgroup computes. */
    static final int GROUP = 64;

    private static final String HEAD = """
            #version 450
            layout(local_size_x = 64) in;
            layout(set = 0, binding = 0) readonly buffer Source { uint source[]; };
            layout(set = 0, binding = 1) writeonly buffer Target { uint target[]; };
            layout(push_constant) uniform Push { uint number; uint added; };
            """;

    /** On a driver the number is the file's; the virtual GPU runs Java, which takes what the host expects. */
    private static final String ADVANCE = HEAD + """
            #include "gain.glsl"
            void main() {
                uint i = gl_GlobalInvocationID.x;
                target[i] = source[i] * 3u + GAIN + added;
            }
            """;

    private static final ShaderSource STEP = new ShaderSource("step.comp", ShaderStage.COMPUTE, HEAD + """
            layout(constant_id = 0) const uint STEP = 0;
            void main() { target[gl_GlobalInvocationID.x] = source[gl_GlobalInvocationID.x] + STEP; }
            """);

    private final PipelineLibrary library;
    private final Path folder;
    private final PipelineRequest<ComputePipeline> advance;
    private final PipelineRequest<GraphicsPipeline> paint;
    private PipelineRequest<ComputePipeline> stepping;
    private int gain = 1;
    private int step = 1;
    private long pipelines = 1;
    private long edits;

    SoakShaders(GpuDevice device, TaskGraph tasks) {
        library = new PipelineLibrary(device, tasks);
        try {
            folder = Files.createTempDirectory("frameloom-soak");
            Files.writeString(folder.resolve("advance.comp"), ADVANCE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        write(gain, "");
        ShaderSource source = ShaderSource.file("advance.comp", ShaderStage.COMPUTE, ShaderIncludes.folder(folder));
        advance = library.compile(new ComputePipelineDescription("advance", source, SoakShaders::advance));
        paint = library.compile(SoakPipelines.painting("soak paint"));
        stepping = request(step);
        advance.compiled().await();
    }

    private void write(int number, String more) {
        try {
            Files.writeString(folder.resolve("gain.glsl"), "#define GAIN " + number + "u\n" + more);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private PipelineRequest<ComputePipeline> request(int number) {
        return library.compile(new ComputePipelineDescription(
                "step by " + number,
                STEP.withConstant("STEP", SpecializationValue.ofUint(number)),
                invocation -> step(invocation, number)));
    }

    private static void advance(CpuKernel.Invocation invocation) {
        ByteBuffer source = invocation.bytes("Source");
        ByteBuffer target = invocation.bytes("Target");
        int more = invocation.pushConstants().getInt(0)
                + invocation.pushConstants().getInt(4);
        for (int i = 0; i < invocation.groupsX() * GROUP; i++) {
            target.putInt(4 * i, source.getInt(4 * i) * 3 + more);
        }
    }

    private static void step(CpuKernel.Invocation invocation, int number) {
        ByteBuffer source = invocation.bytes("Source");
        ByteBuffer target = invocation.bytes("Target");
        for (int i = 0; i < invocation.groupsX() * GROUP; i++) {
            target.putInt(4 * i, source.getInt(4 * i) + number);
        }
    }

    /** Edits the file into what does not compile, which changes nothing, and then into another number. */
    List<String> edit(int number) {
        List<String> problems = new ArrayList<>();
        write(number, "this is no GLSL\n");
        reload();
        if (advance.reloadFailure() == null) {
            problems.add("a shader that is no GLSL was reloaded");
        }
        write(number, "");
        reload();
        if (advance.reloadFailure() != null) {
            problems.add("a shader was not reloaded: " + advance.reloadFailure());
        }
        gain = number;
        edits++;
        return problems;
    }

    private void reload() {
        if (library.reloadChanged().size() != 1) {
            throw new IllegalStateException("the library does not see that a file has changed");
        }
        Objects.requireNonNull(advance.reloaded(), "a reload has an event").awaitCompletion();
    }

    /** Forgets a pipeline, and begins to compile another one. */
    void replaceStep(int number) {
        if (number == step) {
            return;
        }
        stepping.compiled().awaitCompletion();
        library.forget(stepping);
        stepping = request(number);
        step = number;
        pipelines++;
    }

    /** Closes what was replaced when no frame uses it any more. */
    void closeReplaced(GraphEvent framesDone) {
        library.closeReplaced(framesDone);
    }

    /** Returns what a frame adds by its shader. */
    int gain() {
        return gain;
    }

    /** Returns what a step adds. */
    int step() {
        return step;
    }

    void bindAdvance(CommandList commands) {
        advance.bind(commands, WhileCompiling.WAIT);
    }

    void bindStep(CommandList commands) {
        stepping.bind(commands, WhileCompiling.WAIT);
    }

    void bindPaint(CommandList commands) {
        paint.bind(commands, WhileCompiling.WAIT);
    }

    String summary() {
        return edits + " edits of a shader, each after one that does not compile, " + pipelines + " pipelines";
    }

    @Override
    public void close() {
        library.close();
        try {
            for (String file : List.of("advance.comp", "gain.glsl")) {
                Files.delete(folder.resolve(file));
            }
            Files.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
