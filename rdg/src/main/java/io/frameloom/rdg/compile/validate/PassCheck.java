package io.frameloom.rdg.compile.validate;

import io.frameloom.gpu.command.QueueKind;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.PassOrder;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgError.Code;
import io.frameloom.rdg.compile.graph.DepthCopies;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.List;
import java.util.Set;

/** The part of validation that holds what one pass says of itself against each other: kind, order, queue and flags. */
final class PassCheck {
    private final DeclaredGraph graph;
    private final PassOrder order;
    private final QueueTopology queues;
    private final TargetCheck.Errors errors;

    PassCheck(DeclaredGraph graph, PassOrder order, QueueTopology queues, TargetCheck.Errors errors) {
        this.graph = graph;
        this.order = order;
        this.queues = queues;
        this.errors = errors;
    }

    /** Checks a pass; queue and flags of one of the host are checked as such ({@link HostPassCheck}). */
    void run(DeclaredGraph.Pass pass) {
        if (pass.body() == null) {
            errors.add(
                    pass,
                    null,
                    Code.NO_BODY,
                    "pass '" + pass.name() + "' has no body",
                    "end its declaration with " + (pass.kind() == PassKind.HOST ? "run(...)" : "record(...)"));
        }
        for (int i = 0; i < pass.after().size(); i++) {
            int earlier = pass.after().get(i);
            if (order == PassOrder.DECLARED && earlier >= pass.index()) {
                errors.add(
                        pass,
                        null,
                        Code.ORDER,
                        "pass '" + pass.name() + "' is to come after pass '"
                                + graph.passes().get(earlier).name() + "', which is declared later",
                        "declare the passes in their order, or compile in the order UNORDERED");
            }
        }
        if (pass.kind() == PassKind.HOST) {
            return;
        }
        checkQueue(pass);
        if (!pass.flags().isEmpty()) {
            checkFlags(pass);
        }
    }

    private void checkFlags(DeclaredGraph.Pass pass) {
        Set<PassFlag> flags = pass.flags();
        PassKind kind = pass.kind();
        if (flags.contains(PassFlag.ASYNC_COPY) && kind != PassKind.COPY) {
            flag(pass, PassFlag.ASYNC_COPY, "a copy queue does nothing but copies");
        }
        if (flags.contains(PassFlag.ASYNC_COMPUTE) && kind == PassKind.RASTER) {
            flag(pass, PassFlag.ASYNC_COMPUTE, "raster work needs the graphics queue");
        }
        if (flags.contains(PassFlag.UNTRACKED_ACCESS)
                && (flags.contains(PassFlag.ASYNC_COMPUTE)
                        || flags.contains(PassFlag.ASYNC_COPY)
                        || pass.queue() > 0)) {
            errors.add(
                    pass,
                    null,
                    Code.UNTRACKED_ASYNC,
                    "pass '" + pass.name() + "' touches resources that it does not declare and is to run beside the"
                            + " graphics queue",
                    "declare what it uses, or leave it on the graphics queue");
        }
        if (flags.contains(PassFlag.READBACK) && kind != PassKind.COPY) {
            flag(pass, PassFlag.READBACK, "a readback is a copy: make it a COPY pass, or use NEVER_CULL");
        }
        if (flags.contains(PassFlag.SKIP_RENDER_PASS) && kind != PassKind.RASTER) {
            flag(pass, PassFlag.SKIP_RENDER_PASS, "only raster passes have a render pass to skip");
        }
        if (flags.contains(PassFlag.SKIP_RENDER_PASS) && pass.area() != null) {
            flag(pass, PassFlag.SKIP_RENDER_PASS, "it has a render area, which is of the render pass that it skips");
        }
    }

    private void checkQueue(DeclaredGraph.Pass pass) {
        if (pass.queue() >= 0) {
            checkNamedQueue(pass);
        } else if (!queues.queues().get(0).kind().supports(pass.kind().queue())) {
            errors.add(
                    pass,
                    null,
                    Code.QUEUE_CAPABILITY,
                    "pass '" + pass.name() + "' is a " + pass.kind() + " pass, and no queue does "
                            + pass.kind().queue(),
                    "compile for a device with such a queue, or change the kind");
        }
    }

    private void checkNamedQueue(DeclaredGraph.Pass pass) {
        QueueTopology.Queue named =
                pass.queue() < queues.queues().size() ? queues.queues().get(pass.queue()) : null;
        if (named == null || !named.kind().supports(pass.kind().queue())) {
            List<String> able = queues.queues().stream()
                    .filter(queue -> queue.kind().supports(pass.kind().queue()))
                    .map(queue -> queues.queues().indexOf(queue) + " (" + queue.name() + ")")
                    .toList();
            errors.add(
                    pass,
                    null,
                    Code.QUEUE_CAPABILITY,
                    "pass '" + pass.name() + "', a " + pass.kind() + " pass, names queue " + pass.queue()
                            + (named == null
                                    ? ", but the device has " + queues.queues().size()
                                    : " ('" + named.name() + "'), a " + named.kind() + " queue"),
                    able.isEmpty()
                            ? "change the kind, since no queue of the topology does "
                                    + pass.kind().queue()
                            : "name one of " + String.join(", ", able) + ", or none");
        } else if (!named.kind().supports(QueueKind.GRAPHICS)) {
            checkDepthCopies(pass, named);
        }
    }

    private void checkDepthCopies(DeclaredGraph.Pass pass, QueueTopology.Queue named) {
        DeclaredGraph.Use target = DepthCopies.targetOfBuffers(graph, pass);
        if (target != null) {
            errors.add(
                    pass,
                    target,
                    Code.QUEUE_CAPABILITY,
                    "pass '" + pass.name() + "' copies to '" + target.resourceName()
                            + "', a texture of depth or stencil,"
                            + " which takes a graphics queue, but names queue " + pass.queue() + " ('" + named.name()
                            + "'), a " + named.kind() + " queue",
                    "name a graphics queue, or none");
        }
    }

    private void flag(DeclaredGraph.Pass pass, PassFlag flag, String why) {
        errors.add(
                pass,
                null,
                Code.FLAG_INVALID,
                "pass '" + pass.name() + "' is a " + pass.kind() + " pass and cannot have " + flag + ": " + why,
                "remove the flag or change the kind");
    }
}
