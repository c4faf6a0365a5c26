package io.frameloom.gpu.record;

import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.resource.Format;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The alignment of the addresses of vertex attributes: the bytes of a component, or of the whole where components share
 * bytes ("Vertex Input Address Calculation" in the Vulkan specification). Stateless.
 */
final class VertexAlignment {
    private static final Pattern FIRST_COMPONENT = Pattern.compile("[RB](8|16|32|64)[A-Z_].*");
    private static final Set<Format> OF_TWO = formats(2);
    private static final Set<Format> OF_FOUR = formats(4);

    private VertexAlignment() {}

    private static Set<Format> formats(int alignment) {
        return Arrays.stream(Format.values())
                .filter(format -> !format.isDepth() && !format.isCompressed() && bytes(format) == alignment)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static int bytes(Format format) {
        Matcher component = FIRST_COMPONENT.matcher(format.name());
        return component.matches() ? Integer.parseInt(component.group(1)) / Byte.SIZE : format.blockBytes();
    }

    /** Returns the alignment of an attribute of a format: 1, 2 or 4. */
    static int of(Format format) {
        return OF_FOUR.contains(format) ? 4 : OF_TWO.contains(format) ? 2 : 1;
    }

    /** Returns a bit mask of the vertex buffers with attributes of an alignment, or a larger one; allocates nothing. */
    static long buffers(List<VertexBuffer> buffers, int alignment) {
        long mask = 0;
        for (int i = 0; i < buffers.size(); i++) {
            List<VertexAttribute> attributes = buffers.get(i).attributes();
            for (int k = 0; k < attributes.size(); k++) {
                if (of(attributes.get(k).format()) >= alignment) {
                    mask |= 1L << i;
                }
            }
        }
        return mask;
    }
}
