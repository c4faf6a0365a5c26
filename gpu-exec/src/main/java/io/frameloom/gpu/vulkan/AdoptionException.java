package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.error.GpuException;
import java.util.List;

/** An engine's device cannot be adopted; the message names everything that is missing or wrong. */
public final class AdoptionException extends GpuException {
    private static final long serialVersionUID = 1L;

    private final String[] problems;

    public AdoptionException(List<String> problems) {
        super("this Vulkan device cannot be adopted: " + String.join("; ", problems));
        this.problems = problems.toArray(String[]::new);
    }

    /** Returns what is missing or wrong, each in words of its own. */
    public List<String> problems() {
        return List.of(problems);
    }
}
