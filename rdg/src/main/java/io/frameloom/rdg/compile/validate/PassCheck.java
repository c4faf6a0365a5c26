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

/** The part of validation that holds what one pass says of itself against each other: kind, order, queue and flags. */
record PassCheck(DeclaredGraph graph, PassOrder order, QueueTopology queues, TargetCheck.Errors errors) {
    /** Checks a pass; queue and flags of one of the host are checked as such ({@link HostPassCheck}). */
    void run(int pass) {
        if (!graph.hasBody(pass)) {
            errors.add(
                    pass,
                    TargetCheck.NO_USE,
                    Code.NO_BODY,
                    "pass '" + graph.names().pass(pass) + "' has no body",
                    "end its declaration with " + (graph.kind(pass) == PassKind.HOST ? "run(...)" : "record(...)"));
        }
        for (int at = graph.firstAfter(pass), end = graph.firstAfter(pass + 1); at < end; at++) {
            int earlier = graph.after(at);
            if (order == PassOrder.DECLARED && earlier >= pass) {
                errors.add(
                        pass,
                        TargetCheck.NO_USE,
                        Code.ORDER,
                        "pass '" + graph.names().pass(pass) + "' is to come after pass '"
                                + graph.names().pass(earlier) + "', which is declared later",
                        "declare the passes in their order, or compile in the order UNORDERED");
            }
        }
        if (graph.kind(pass) == PassKind.HOST) {
            return;
        }
        checkQueue(pass);
        if (graph.hasFlags(pass)) {
            checkFlags(pass);
        }
    }

    private void checkFlags(int pass) {
        PassKind kind = graph.kind(pass);
        if (graph.has(pass, PassFlag.ASYNC_COPY) && kind != PassKind.COPY) {
            flag(pass, PassFlag.ASYNC_COPY, "a copy queue does nothing but copies");
        }
        if (graph.has(pass, PassFlag.ASYNC_COMPUTE) && kind == PassKind.RASTER) {
            flag(pass, PassFlag.ASYNC_COMPUTE, "raster work needs the graphics queue");
        }
        if (graph.has(pass, PassFlag.UNTRACKED_ACCESS)
                && (graph.has(pass, PassFlag.ASYNC_COMPUTE)
                        || graph.has(pass, PassFlag.ASYNC_COPY)
                        || graph.queue(pass) > 0)) {
            errors.add(
                    pass,
                    TargetCheck.NO_USE,
                    Code.UNTRACKED_ASYNC,
                    "pass '" + graph.names().pass(pass)
                            + "' touches resources that it does not declare and is to run beside the"
                            + " graphics queue",
                    "declare what it uses, or leave it on the graphics queue");
        }
        if (graph.has(pass, PassFlag.READBACK) && kind != PassKind.COPY) {
            flag(pass, PassFlag.READBACK, "a readback is a copy: make it a COPY pass, or use NEVER_CULL");
        }
        if (graph.has(pass, PassFlag.MULTIVIEW)
                && (kind != PassKind.RASTER || graph.has(pass, PassFlag.SKIP_RENDER_PASS))) {
            flag(pass, PassFlag.MULTIVIEW, "it is for the render pass of a raster pass, and here is none");
        }
        if (graph.has(pass, PassFlag.SKIP_RENDER_PASS) && kind != PassKind.RASTER) {
            flag(pass, PassFlag.SKIP_RENDER_PASS, "only raster passes have a render pass to skip");
        }
        if (graph.has(pass, PassFlag.SKIP_RENDER_PASS) && graph.area(pass) != null) {
            flag(pass, PassFlag.SKIP_RENDER_PASS, "it has a render area, which is of the render pass that it skips");
        }
    }

    private void checkQueue(int pass) {
        if (graph.queue(pass) >= 0) {
            checkNamedQueue(pass);
        } else if (!queues.queues().get(0).kind().supports(graph.kind(pass).queue())) {
            errors.add(
                    pass,
                    TargetCheck.NO_USE,
                    Code.QUEUE_CAPABILITY,
                    "pass '" + graph.names().pass(pass) + "' is a " + graph.kind(pass) + " pass, and no queue does "
                            + graph.kind(pass).queue(),
                    "compile for a device with such a queue, or change the kind");
        }
    }

    private void checkNamedQueue(int pass) {
        QueueTopology.Queue named =
                graph.queue(pass) < queues.queues().size() ? queues.queues().get(graph.queue(pass)) : null;
        if (named == null || !named.kind().supports(graph.kind(pass).queue())) {
            List<String> able = queues.queues().stream()
                    .filter(queue -> queue.kind().supports(graph.kind(pass).queue()))
                    .map(queue -> queues.queues().indexOf(queue) + " (" + queue.name() + ")")
                    .toList();
            errors.add(
                    pass,
                    TargetCheck.NO_USE,
                    Code.QUEUE_CAPABILITY,
                    "pass '" + graph.names().pass(pass) + "', a " + graph.kind(pass) + " pass, names queue "
                            + graph.queue(pass)
                            + (named == null
                                    ? ", but the device has " + queues.queues().size()
                                    : " ('" + named.name() + "'), a " + named.kind() + " queue"),
                    able.isEmpty()
                            ? "change the kind, since no queue of the topology does "
                                    + graph.kind(pass).queue()
                            : "name one of " + String.join(", ", able) + ", or none");
        } else if (!named.kind().supports(QueueKind.GRAPHICS)) {
            checkDepthCopies(pass, named);
        }
    }

    private void checkDepthCopies(int pass, QueueTopology.Queue named) {
        int target = DepthCopies.targetOfBuffers(graph, pass);
        if (target >= 0) {
            errors.add(
                    pass,
                    target,
                    Code.QUEUE_CAPABILITY,
                    "pass '" + graph.names().pass(pass) + "' copies to '" + graph.resourceName(target)
                            + "', a texture of depth or stencil,"
                            + " which takes a graphics queue, but names queue " + graph.queue(pass) + " ('"
                            + named.name()
                            + "'), a " + named.kind() + " queue",
                    "name a graphics queue, or none");
        }
    }

    private void flag(int pass, PassFlag flag, String why) {
        errors.add(
                pass,
                TargetCheck.NO_USE,
                Code.FLAG_INVALID,
                "pass '" + graph.names().pass(pass) + "' is a " + graph.kind(pass) + " pass and cannot have " + flag
                        + ": " + why,
                "remove the flag or change the kind");
    }
}
