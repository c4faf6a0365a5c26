package io.frameloom.rdg.utility;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RenderGraph;
import java.util.function.BiConsumer;

/**
 * Passes of one dispatch. Unreal's FComputeShaderUtils::AddPass. The thread that declares the graph.
 *
 * <p>Each method returns its pass, for {@link PassBuilder#flag} and {@link PassBuilder#after}.
 */
public final class ComputePasses {
    /** Three words. */
    private static final int ARGUMENT_BYTES = 12;

    private ComputePasses() {}

    /**
     * Binds a pipeline and dispatches it.
     *
     * @param parameters what the pass uses: see {@link PassBuilder#parameters}
     * @param bind binds it and sets push constants; the pipeline is bound
     * @param groups workgroups
     * @throws RdgException if the parameters' annotations do not fit
     */
    public static <P extends Record> PassBuilder dispatch(
            RenderGraph graph,
            String name,
            ComputePipeline pipeline,
            P parameters,
            BiConsumer<PassContext, P> bind,
            GroupCount groups) {
        PassBuilder pass = graph.addPass(name, PassKind.COMPUTE).parameters(parameters);
        pass.record(context -> {
            context.commands().bindPipeline(pipeline);
            bind.accept(context, parameters);
            context.commands().dispatch(groups.x(), groups.y(), groups.z());
        });
        return pass;
    }

    /**
     * Binds a pipeline and dispatches as many workgroups as a buffer says. The use of the buffer is declared.
     *
     * @param arguments three words with the numbers of workgroups
     * @param offset first byte of them, a multiple of 4
     * @throws RdgException if they are not within the buffer, or the parameters' annotations do not fit
     */
    public static <P extends Record> PassBuilder dispatchIndirect(
            RenderGraph graph,
            String name,
            ComputePipeline pipeline,
            P parameters,
            BiConsumer<PassContext, P> bind,
            RdgBuffer arguments,
            long offset) {
        if (offset < 0 || offset % 4 != 0 || offset > arguments.description().bytes() - ARGUMENT_BYTES) {
            throw new RdgException("pass '" + name + "': buffer '" + arguments.name() + "' of "
                    + arguments.description().bytes() + " bytes has no " + ARGUMENT_BYTES
                    + " bytes of arguments at byte " + offset + "; name a multiple of 4 within it");
        }
        PassBuilder pass = graph.addPass(name, PassKind.COMPUTE)
                .parameters(parameters)
                .reads(arguments, offset, ARGUMENT_BYTES, Access.INDIRECT);
        pass.record(context -> {
            context.commands().bindPipeline(pipeline);
            bind.accept(context, parameters);
            context.commands().dispatchIndirect(context.buffer(arguments), offset);
        });
        return pass;
    }
}
