package io.frameloom.rdg.compile.validate;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.RdgError.Code;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.Mode;
import java.util.EnumSet;
import java.util.Set;

/**
 * The part of validation that holds one pass of the host against what the host can do: read and write mapped buffers.
 */
final class HostPassCheck {
    /** Those that say something of a pass that records nothing, or that whole scopes set. */
    private static final Set<PassFlag> ALLOWED =
            EnumSet.of(PassFlag.NEVER_CULL, PassFlag.NEVER_MERGE, PassFlag.NEVER_PARALLEL);

    private final DeclaredGraph graph;
    private final int pass;
    private final String name;
    private final TargetCheck.Errors errors;

    HostPassCheck(DeclaredGraph graph, int pass, TargetCheck.Errors errors) {
        this.graph = graph;
        this.pass = pass;
        this.name = graph.names().pass(pass);
        this.errors = errors;
    }

    void checkPass() {
        for (PassFlag flag : graph.flags(pass)) {
            if (!ALLOWED.contains(flag)) {
                errors.add(
                        pass,
                        TargetCheck.NO_USE,
                        Code.FLAG_INVALID,
                        "pass '" + name + "' is a HOST pass and cannot have " + flag + ": " + why(flag),
                        "remove the flag or change the kind");
            }
        }
        if (graph.queue(pass) >= 0) {
            errors.add(
                    pass,
                    TargetCheck.NO_USE,
                    Code.QUEUE_CAPABILITY,
                    "pass '" + name + "', a HOST pass, names queue " + graph.queue(pass) + ", but the host runs it",
                    "name no queue, or change the kind");
        }
    }

    private static String why(PassFlag flag) {
        return switch (flag) {
            case UNTRACKED_ACCESS -> "it runs when the device is done with what it declares, and with nothing else";
            case READBACK -> "a readback is a copy, and what it copies a HOST pass reads itself; use NEVER_CULL";
            case SKIP_RENDER_PASS -> "only raster passes have a render pass to skip";
            case MULTIVIEW -> "only raster passes have views";
            default -> "the host runs it, and no queue";
        };
    }

    void checkUse(int use) {
        Access access = graph.access(use);
        int resource = graph.resource(use);
        BufferDescription buffer = graph.buffer(resource);
        String subject = "pass '" + name + "' declares " + access + " of '" + graph.resourceName(use) + "'";
        if (access != Access.HOST_READ && access != Access.HOST_WRITE) {
            errors.add(
                    pass,
                    use,
                    Code.USAGE,
                    subject + ", which the device does, but is a HOST pass",
                    "use HOST_READ or HOST_WRITE, or another kind of pass");
        } else if (buffer == null) {
            errors.add(
                    pass,
                    use,
                    Code.USAGE,
                    subject + ", a texture, which the host cannot reach",
                    "copy it to a buffer in READBACK memory, or from one in UPLOAD memory, by a COPY pass");
        } else if (buffer.memory() == MemoryUsage.DEVICE) {
            errors.add(
                    pass,
                    use,
                    Code.USAGE,
                    subject + ", a buffer in DEVICE memory, which the host cannot reach",
                    "create it in READBACK or UPLOAD memory, or copy it to or from such a buffer");
        } else if (graph.isExclusive(resource)) {
            errors.add(
                    pass,
                    use,
                    Code.USAGE,
                    subject + ", which belongs to one queue family at a time, and the host is of none",
                    "create it for concurrent use, or copy it to or from a buffer that is");
        } else if ((graph.mode(use) == Mode.READ) == access.writes()) {
            errors.add(
                    pass,
                    use,
                    access.writes() ? Code.WRITE_DECLARED_AS_READ : Code.READ_DECLARED_AS_WRITE,
                    subject + (access.writes() ? " as a read, but it writes" : " as a write, but it only reads"),
                    access.writes() ? "declare it with writes or overwrites" : "declare it with reads");
        }
    }
}
