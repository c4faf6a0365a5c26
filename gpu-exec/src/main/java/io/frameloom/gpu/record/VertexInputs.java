package io.frameloom.gpu.record;

import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.shader.StageVariable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The checks of vertex buffers that lists set instead of pipelines. One thread. */
public final class VertexInputs {
    /** Layouts that a list remembers, the newest in place of the oldest. */
    private static final int KNOWN = 16;

    private final RecordingRules rules;
    private final Function<Format, FormatSupport> formats;
    private final List<List<VertexBuffer>> known = new ArrayList<>(0);
    private int oldest;

    VertexInputs(RecordingRules rules, Function<Format, FormatSupport> formats) {
        this.rules = rules;
        this.formats = formats;
    }

    /** Returns vertex buffers that the device can read, as a list that stays as it is; refuses others. */
    @SuppressWarnings("ReferenceEquality") // equal ones are only checked once more
    List<VertexBuffer> checked(List<VertexBuffer> buffers) {
        List<VertexBuffer> fixed = List.copyOf(buffers);
        for (int i = 0; i < known.size(); i++) {
            if (known.get(i) == fixed) {
                return fixed;
            }
        }
        String where = rules.where("setVertexInput");
        new PipelineLimits(rules.capabilities(), formats).vertices(where, fixed);
        Set<Integer> locations = new HashSet<>();
        for (VertexBuffer buffer : fixed) {
            for (VertexAttribute attribute : buffer.attributes()) {
                if (!locations.add(attribute.location())) {
                    throw new IllegalArgumentException(
                            where + " has two vertex attributes at location " + attribute.location());
                }
            }
        }
        if (known.size() < KNOWN) {
            known.add(fixed);
        } else {
            known.set(oldest, fixed);
            oldest = (oldest + 1) % KNOWN;
        }
        return fixed;
    }

    /** Returns the first of some attributes that others do not give as the same type of number, or null. */
    public static @Nullable VertexAttribute missing(List<VertexBuffer> wanted, List<VertexBuffer> given) {
        for (int i = 0; i < wanted.size(); i++) {
            List<VertexAttribute> attributes = wanted.get(i).attributes();
            for (int k = 0; k < attributes.size(); k++) {
                if (!isGiven(attributes.get(k), given)) {
                    return attributes.get(k);
                }
            }
        }
        return null;
    }

    private static boolean isGiven(VertexAttribute wanted, List<VertexBuffer> given) {
        for (int i = 0; i < given.size(); i++) {
            List<VertexAttribute> attributes = given.get(i).attributes();
            for (int k = 0; k < attributes.size(); k++) {
                VertexAttribute attribute = attributes.get(k);
                if (attribute.location() == wanted.location()) {
                    return StageVariable.Base.of(attribute.format()) == StageVariable.Base.of(wanted.format());
                }
            }
        }
        return false;
    }
}
