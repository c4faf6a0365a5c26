package io.frameloom.rdg;

import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.TextureDescription;

/** A graph with the queues and options that it is compiled for. */
public record PlanCase(GraphModel model, QueueTopology queues, RdgOptions options) {
    public static final MemorySizer SIZER = new MemorySizer() {
        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            return new MemoryRequirements(256L * description.mips() * description.layers() * 3, 256, 0b11);
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            return new MemoryRequirements(description.bytes() + 192, 64, 0b10);
        }
    };

    PlanCase of(GraphModel other) {
        return new PlanCase(other, queues, options);
    }

    public PlanCase with(RdgOptions others) {
        return new PlanCase(model, queues, others);
    }

    PlanCase with(QueueTopology others) {
        return new PlanCase(model, others, options);
    }

    public FramePlan compile() {
        return new RenderGraphCompiler(options).compile(model.declare(), queues, SIZER);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("\n");
        queues.queues().forEach(queue -> text.append(queue).append(' '));
        text.append('\n').append(options.async()).append(' ').append(options.order());
        text.append(options.cullPasses() ? "" : ", culling off")
                .append(options.mergeRenderPasses() ? "" : ", merging off")
                .append(options.overlapStorageWrites() ? "" : ", overlap off")
                .append(options.aliasing() ? "" : ", aliasing off")
                .append(", groups of ")
                .append(options.passMin())
                .append(" to ")
                .append(options.passMax())
                .append(", ")
                .append(options.policy());
        model.resources().forEach(res -> text.append('\n').append(res));
        model.passes().forEach(pass -> text.append('\n').append(pass));
        return text.toString();
    }
}
