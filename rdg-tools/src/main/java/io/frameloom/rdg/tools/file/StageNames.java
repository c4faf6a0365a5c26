package io.frameloom.rdg.tools.file;

import io.frameloom.gpu.command.PipelineStage;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The names of stages in files: the constants, of which a few are shortened. */
public final class StageNames {
    private static final Map<String, PipelineStage> BY_NAME =
            Arrays.stream(PipelineStage.values()).collect(Collectors.toMap(StageNames::of, Function.identity()));

    private StageNames() {}

    /** Returns the name of a stage. */
    public static String of(PipelineStage stage) {
        return switch (stage) {
            case COMPUTE_SHADER -> "COMP";
            case FRAGMENT_SHADER -> "FRAG";
            case VERTEX_SHADER -> "VERT";
            case COLOR_OUTPUT -> "COLOR_OUT";
            default -> stage.name();
        };
    }

    /** Reads the name of a stage. */
    static PipelineStage known(JsonCursor json) {
        String text = json.string();
        @Nullable PipelineStage stage = BY_NAME.get(text);
        if (stage == null) {
            throw json.unknown(
                    "stage",
                    text,
                    String.join(", ", BY_NAME.keySet().stream().sorted().toList()));
        }
        return stage;
    }
}
